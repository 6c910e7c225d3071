// The plainest forms of the values that a snapshot is full of: a number, a text.

extension DecodingError {
    /// A value of the right type that is none that was ever kept: what is computed with it could trap.
    static func invalid(_ what: String, in decoder: any Decoder) -> DecodingError {
        .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: what))
    }
}

extension Timestamp: Codable {
    /// Microseconds since 1970.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Microseconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension Instant: Codable {
    /// Microseconds since the machine started.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Microseconds since the machine started.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension StopID: Codable {
    /// `feed:code`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let stop = StopID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no stop")
        }
        self = stop
    }

    /// `feed:code`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
