public import BoardCore

/// What `POST /v1/press` asks for.
public struct PressRequest: Hashable, Sendable, Codable {
    /// What a press means, as commands and the interface write it.
    public enum Gesture: String, CaseIterable, Sendable, Codable {
        /// Released within 0.6 s.
        case short
        /// Released after 0.6 s.
        case hold
        /// Released after 1.5 s.
        case longHold = "long-hold"
        /// Two short presses within 300 ms.
        case double

        /// The gesture of the core.
        public var gesture: BoardCore.Gesture {
            switch self {
            case .short: .short
            case .hold: .hold
            case .longHold: .longHold
            case .double: .double
            }
        }
    }

    /// What the press means.
    public var gesture: Gesture
    /// The button's place in the configuration, from 0; nil: the first.
    public var button: Int?

    /// A press.
    public init(_ gesture: Gesture, button: Int? = nil) {
        self.gesture = gesture
        self.button = button
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case gesture, button
    }

    /// Reads a press; refuses what it does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        gesture = try container.word(Gesture.self, .gesture)
        button = try container.integer(.button, atLeast: 0)
    }
}
