public import BoardCore

/// The body of `POST /v1/press`.
public struct PressRequest: Hashable, Sendable, Codable {
    /// A gesture, as the commands and the API write it.
    public enum Gesture: String, CaseIterable, Sendable, Codable {
        /// Released within 0.6 s.
        case short
        /// Released after 0.6 s.
        case hold
        /// Released after 1.5 s.
        case longHold = "long-hold"
        /// Two short presses within 300 ms.
        case double

        public var gesture: BoardCore.Gesture {
            switch self {
            case .short: .short
            case .hold: .hold
            case .longHold: .longHold
            case .double: .double
            }
        }
    }

    public var gesture: Gesture
    /// The button's index in the configuration, from 0; nil: the first button.
    public var button: Int?

    public init(_ gesture: Gesture, button: Int? = nil) {
        self.gesture = gesture
        self.button = button
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case gesture, button
    }

    /// Throws for unknown keys and invalid values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        gesture = try container.word(Gesture.self, .gesture)
        button = try container.integer(.button, atLeast: 0)
    }
}
