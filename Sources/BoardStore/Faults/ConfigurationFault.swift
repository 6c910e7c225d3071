public import BoardCore

/// One thing that is wrong with a configuration file: where it is, what was found and what is allowed.
public struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether the file was read.
    public enum Kind: Hashable, Sendable {
        /// The file says something that it may not say.
        case content
        /// The file could not be read at all, so nobody knows what it says.
        case unreadable
    }

    /// Whether the file was read.
    public let kind: Kind
    /// The file's path.
    public let file: String
    /// Where in the file; nil when the fault is not at one place.
    public let place: SourcePosition?
    /// What was found and what is allowed. Holds no key of keys.env.
    public let message: String

    /// A fault.
    public init(_ kind: Kind = .content, file: String, place: SourcePosition? = nil, message: String) {
        self.kind = kind
        self.file = file
        self.place = place
        self.message = message
    }

    /// "/etc/boardd/boardd.toml:12:9: " and the message: the form that editors jump to. One line, whatever a key or the name of
    /// a file holds.
    public var description: String {
        let place = place.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(place): \(message)".asPrintedLine
    }
}

/// Everything that is wrong with a configuration, in the order of the files and of their lines.
public struct ConfigurationFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults; never empty.
    public let faults: [ConfigurationFault]
    /// What could be read in spite of them: a value at fault is at its default, a favourite or a button at fault is left
    /// out, and a file that cannot be read or has a syntax error is as an empty one.
    public let partial: Configuration

    /// These faults, and what could be read in spite of them.
    public init(_ faults: [ConfigurationFault], partial: Configuration = Configuration()) {
        self.faults = faults
        self.partial = partial
    }

    /// A line a fault.
    public var description: String {
        faults.map(\.description).joined(separator: "\n")
    }

    /// Where the first fault is, for the glass.
    public var place: FilePosition {
        FilePosition(file: faults.first?.file ?? "boardd.toml", line: faults.first?.place?.line)
    }

    /// Whether a file could not be read, so that there may be more faults than these.
    public var isIncomplete: Bool {
        faults.contains { $0.kind == .unreadable }
    }
}
