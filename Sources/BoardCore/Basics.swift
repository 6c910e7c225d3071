/// An error that callers only print, or compare with a constant: what happened, where, and what to do.
public struct PlainError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// A position in a configuration file, in short form for the panel.
public struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file name without its folder.
    public let file: String
    /// The line, from 1; nil: the whole file.
    public let line: Int?

    public init(file: String, line: Int? = nil) {
        self.file = file.split(separator: "/").last.map(String.init) ?? file
        self.line = line
    }

    /// "boardd.toml:12".
    public var description: String { line.map { "\(file):\($0)" } ?? file }

    /// "boardd:12": without the extension, the least informative part.
    var stem: String {
        let stem = file.split(separator: ".").first.map(String.init) ?? file
        return line.map { "\(stem):\($0)" } ?? stem
    }
}

extension Optional {
    @inlinable
    public func isSomeAnd(_ condition: (Wrapped) throws -> Bool) rethrows -> Bool {
        if let self { try condition(self) } else { false }
    }

    @inlinable
    public func isNilOr(_ condition: (Wrapped) throws -> Bool) rethrows -> Bool {
        if let self { try condition(self) } else { true }
    }
}

/// A value that JSON has as its text.
public protocol CodableAsText: Codable, LosslessStringConvertible {
    /// What another text is: "not a stop identifier".
    static var expected: String { get }
}

extension CodableAsText {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.expected)
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
