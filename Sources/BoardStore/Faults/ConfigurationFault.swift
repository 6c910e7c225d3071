public import BoardCore

/// A fault of a configuration file: its position, what was found and what is allowed.
public struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case content
        /// The file could not be read, so its content is unknown.
        case unreadable
    }

    public let kind: Kind
    public let file: String
    /// The position in the file; nil where the fault has none.
    public let position: SourcePosition?
    /// What was found and what is allowed. Contains no key of keys.env.
    public let message: String

    public init(_ kind: Kind = .content, file: String, position: SourcePosition? = nil, message: String) {
        self.kind = kind
        self.file = file
        self.position = position
        self.message = message
    }

    /// "/etc/boardd/boardd.toml:12:9: " and the message: the format that editors recognise. Always one line.
    public var description: String {
        let position = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(position): \(message)".asPrintedLine
    }
}

/// All faults of a configuration, in the order of the files and of their lines.
public struct ConfigurationFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// Never empty.
    public var faults: [ConfigurationFault]
    /// The values that could be read: a faulty value has its default, a faulty favourite or button is absent, and a file
    /// that is unreadable or has a syntax error counts as empty.
    public var partial = Configuration()

    /// One line per fault.
    public var description: String {
        faults.map(\.description).joined(separator: "\n")
    }

    /// The position of the first fault, for the display.
    public var position: FilePosition {
        FilePosition(file: faults.first?.file ?? "boardd.toml", line: faults.first?.position?.line)
    }

    /// Whether a file could not be read, so that there may be further faults.
    public var isIncomplete: Bool {
        faults.contains { $0.kind == .unreadable }
    }
}
