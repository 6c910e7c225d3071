import BoardCore
import BoardStore

/// A message that the display shows until its time is up or a button is pressed: the body of `POST /v1/message`.
public struct BoardMessage: Hashable, Sendable, Codable {
    /// In characters: two panels of the largest character LCD.
    public static let maximumTextLength = 200
    /// How long the display can show a message, in seconds.
    public static let allowedSeconds = 1...3_600
    public static let defaultSeconds = 60

    /// One line without control characters and direction marks.
    public let text: String
    /// How long it is shown, from 1 to 3600; by default 60.
    public let seconds: Int

    /// - Throws: ``ServiceError`` for an empty text, one that is too long, and a time outside ``allowedSeconds``.
    public init(_ text: String, seconds: Int = defaultSeconds) throws(ServiceError) {
        let words = text.asPrintedLine.split(separator: " ")
        let line = words.joined(separator: " ")
        guard !line.isEmpty else {
            throw ServiceError(
                .malformed, "text is empty; write the message for the display", value: InvalidValue("text", .missing))
        }
        guard line.count <= Self.maximumTextLength else {
            throw ServiceError(
                .malformed, "text has \(line.count) characters; at most \(Self.maximumTextLength) are allowed",
                value: InvalidValue("text", .length, minimum: "1", maximum: "\(Self.maximumTextLength)"))
        }
        guard Self.allowedSeconds.contains(seconds) else {
            let (low, high) = (Self.allowedSeconds.lowerBound, Self.allowedSeconds.upperBound)
            throw ServiceError(
                .malformed, "seconds is \(seconds); it must be from \(low) to \(high)",
                value: InvalidValue("seconds", .range, minimum: "\(low)", maximum: "\(high)"))
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
