/// A failure to write or read a recording.
public struct RecordingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or the folder.
    public let file: String
    /// The line, from 1; nil if no line is at fault.
    public let line: Int?
    /// What was found and what was expected, without a full stop.
    public let detail: String

    public init(file: String, line: Int? = nil, detail: String) {
        self.file = file
        self.line = line
        self.detail = detail
    }

    /// The place and the detail, for a log.
    public var description: String {
        line.map { "\(file):\($0): \(detail)" } ?? "\(file): \(detail)"
    }
}
