/// A number of minutes held although the estimate rose by one minute, so that digits do not alternate.
struct MinuteHold: Hashable, Sendable, Codable {
    static let longest = Duration.seconds(119)

    /// The minutes shown; 0 is "due".
    let minutes: Int
    let until: Instant
}

extension MinuteHold {
    /// - Throws: `DecodingError` for minutes that are never shown.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let minutes = try container.decode(Int.self, forKey: .minutes)
        guard (0...60).contains(minutes) else { throw DecodingError.invalid("minutes out of range", in: decoder) }
        self.init(minutes: minutes, until: try container.decode(Instant.self, forKey: .until))
    }
}
