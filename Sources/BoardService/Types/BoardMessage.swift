internal import BoardCore

/// A message for the display, which it shows until the time is over or a button is pressed: the body of `POST /v1/message`.
public struct BoardMessage: Hashable, Sendable, Codable {
    /// In characters: two panels of the largest character LCD.
    public static let longestText = 200
    /// How long the display can show a message, in seconds.
    public static let allowedSeconds = 1...3_600
    public static let defaultSeconds = 60

    /// One line without control characters and direction marks.
    public let text: String
    public let seconds: Int

    /// - Throws: ``ServiceError`` for an empty or a long text, and a time outside of ``allowedSeconds``.
    public init(_ text: String, seconds: Int = defaultSeconds) throws(ServiceError) {
        let words = text.asPrintedLine.split(separator: " ")
        let line = words.joined(separator: " ")
        guard !line.isEmpty else { throw ServiceError(.malformed, "text is empty; write the message for the display") }
        guard line.count <= Self.longestText else {
            throw ServiceError(
                .malformed, "text has \(line.count) characters; at most \(Self.longestText) are allowed")
        }
        guard Self.allowedSeconds.contains(seconds) else {
            let (low, high) = (Self.allowedSeconds.lowerBound, Self.allowedSeconds.upperBound)
            throw ServiceError(.malformed, "seconds is \(seconds); it must be from \(low) to \(high)")
        }
        self.text = line
        self.seconds = seconds
    }

    /// Throws for unknown keys and values that are not allowed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["text", "seconds"])
        let text = try container.decode(String.self, forKey: "text")
        let seconds = try container.integer("seconds", atLeast: Self.allowedSeconds.lowerBound)
        try self.init(text, seconds: seconds ?? Self.defaultSeconds)
    }
}
