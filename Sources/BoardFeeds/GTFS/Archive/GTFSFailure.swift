/// Why a city's timetable could not be read: where, what was found and what was expected.
struct GTFSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a person can tell apart, and does something else about.
    enum Kind: Hashable, Sendable {
        /// The archive cannot be opened: it is not there, or may not be read.
        case unopened
        /// The bytes are no zip.
        case notAnArchive
        /// The zip is cut short, or its bytes have changed.
        case damaged
        /// A file in it has a password, or is compressed in a way that nothing here reads.
        case unreadable
        /// It is larger than any city's timetable, or a bomb.
        case tooLarge
        /// It names files outside of itself, or holds several timetables.
        case refused
        /// A file that every timetable has is not in it.
        case noFile
        /// A column that the file must have is not in it.
        case noColumn
        /// A field that nothing can do without says nothing that can be read.
        case badValue
        /// The reading was abandoned, because the program ends.
        case cancelled
    }

    /// What went wrong.
    let kind: Kind
    /// The file in the archive ("stop_times.txt"), or the archive itself.
    let file: String
    /// From 1, where the failure is on one line; a row's first line.
    var line: Int?
    /// The column's name, where the failure is in one.
    var column: String?
    /// What was found, what was expected and what to do, without an end.
    let detail: String

    /// "stop_times.txt, line 7, departure_time: found …".
    var description: String {
        let place = [file, line.map { "line \($0)" }, column].compactMap(\.self).joined(separator: ", ")
        return "\(place): \(detail)"
    }
}
