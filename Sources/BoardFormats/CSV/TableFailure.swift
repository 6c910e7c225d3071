/// A failure to read a table, or the archive that holds it: file, line, what was found and what was expected.
package struct TableFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failures that need different remedies.
    package enum Kind: Hashable, Sendable {
        /// The archive does not exist or cannot be opened.
        case unopened
        /// The file is not a zip.
        case notAnArchive
        /// The zip is truncated, or its bytes have changed.
        case damaged
        /// A file in it is encrypted, or uses an unsupported compression.
        case unreadable
        /// It is larger than any operator's tables, or a zip bomb.
        case tooLarge
        /// Its files are not those of one set of tables.
        case rejected
        /// A required file is missing.
        case noFile
        /// A required column is missing.
        case noColumn
        /// A required field is unreadable.
        case badValue
        /// This machine has no such time zone.
        case noZone
        /// Reading was cancelled by the receiver of what was read.
        case cancelled
    }

    package let kind: Kind
    /// The file in the archive ("stop_times.txt"), or the archive itself.
    package let file: String
    /// The line, from 1, if the failure is on one; the first line of a row.
    package let line: Int?
    /// The column's name, if the failure is in one.
    package let column: String?
    /// What was found, what was expected and what to do, without a full stop.
    package let detail: String

    package init(kind: Kind, file: String, line: Int? = nil, column: String? = nil, detail: String) {
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.detail = detail
    }

    /// "stop_times.txt, line 7, departure_time: found …".
    package var description: String {
        let place = [file, line.map { "line \($0)" }, column].compactMap(\.self).joined(separator: ", ")
        return "\(place): \(detail)"
    }
}
