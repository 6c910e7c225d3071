internal import BoardCore
internal import BoardService

/// The body of `POST /v1/press`.
struct PressRequest: Codable {
    var gesture: Gesture
    /// The button's index in the configuration, from 0; nil: the first button.
    var button: Int?

    init(_ gesture: Gesture, button: Int? = nil) {
        self.gesture = gesture
        self.button = button
    }

    /// Throws for unknown keys and invalid values.
    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["gesture", "button"])
        let word = try container.decode(String.self, forKey: "gesture")
        guard let gesture = Gesture(rawValue: word) else {
            let allowed = Gesture.allCases.map(\.rawValue).joined(separator: ", ")
            throw container.invalid("gesture", "\"\(RequestTarget.quoted(word))\" is unknown; allowed: \(allowed)")
        }
        self.gesture = gesture
        button = try container.integer("button", atLeast: 0)
    }
}
