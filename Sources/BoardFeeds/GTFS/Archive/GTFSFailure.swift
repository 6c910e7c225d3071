/// A failure to read a GTFS timetable: file, line, what was found and what was expected.
struct GTFSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failures that need different remedies.
    enum Kind: Hashable, Sendable {
        /// The archive does not exist or cannot be opened.
        case unopened
        /// The file is not a zip.
        case notAnArchive
        /// The zip is truncated, or its bytes have changed.
        case damaged
        /// A file in it is encrypted, or uses an unsupported compression.
        case unreadable
        /// It is larger than any operator's timetable, or a zip bomb.
        case tooLarge
        /// It names files outside of itself, holds several timetables, or has too many files.
        case rejected
        /// A required file is missing.
        case noFile
        /// A required column is missing.
        case noColumn
        /// A required field is unreadable.
        case badValue
        /// Reading was cancelled, because boardd is shutting down.
        case cancelled
    }

    let kind: Kind
    /// The file in the archive ("stop_times.txt"), or the archive itself.
    let file: String
    /// The line, from 1, if the failure is on one; the first line of a row.
    var line: Int?
    /// The column's name, if the failure is in one.
    var column: String?
    /// What was found, what was expected and what to do, without a full stop.
    let detail: String

    /// "stop_times.txt, line 7, departure_time: found …".
    var description: String {
        let place = [file, line.map { "line \($0)" }, column].compactMap(\.self).joined(separator: ", ")
        return "\(place): \(detail)"
    }
}
