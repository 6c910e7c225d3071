internal import BoardCore
internal import BoardService

/// The body of `POST /v1/press`.
struct PressRequest: Codable {
    let gesture: Gesture
    let button: ButtonID

    init(_ gesture: Gesture, button: ButtonID) {
        self.gesture = gesture
        self.button = button
    }

    /// Throws for unknown keys and invalid values.
    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["gesture", "number"])
        let word = try container.decode(String.self, forKey: "gesture")
        guard let gesture = Gesture(rawValue: word) else {
            let allowed = Gesture.allCases.map(\.rawValue).joined(separator: ", ")
            throw container.invalid("gesture", "\"\(RequestTarget.quoted(word))\" is unknown; allowed: \(allowed)")
        }
        self.gesture = gesture
        button = try container.integer("number", atLeast: 1).map { ButtonID(number: $0) } ?? .first
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(gesture.rawValue, forKey: "gesture")
        try container.encode(button.number, forKey: "number")
    }
}
