/// Why a recording cannot be written or read.
public struct RecordingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or the folder.
    public let file: String
    /// The line in it, from 1; nil when no line is at fault.
    public let line: Int?
    /// What was found and what was expected, without an end.
    public let detail: String

    /// A failure.
    public init(file: String, line: Int? = nil, detail: String) {
        self.file = file
        self.line = line
        self.detail = detail
    }

    /// The place and what is wrong there, for a log.
    public var description: String {
        line.map { "\(file):\($0): \(detail)" } ?? "\(file): \(detail)"
    }
}
