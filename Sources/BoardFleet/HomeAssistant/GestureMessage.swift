internal import BoardCore

/// The message about a gesture at a GPIO button, as Home Assistant's event entities read it.
enum GestureMessage {
    /// A gesture is an event of its moment: an old one is not delivered.
    private static let expiry = Duration.seconds(10)

    /// Never retained: Home Assistant's device triggers would act on it at each of its starts.
    static func message(_ gesture: Gesture, _ button: ButtonID, of board: FleetName) -> BrokerMessage {
        BrokerMessage(
            topic: FleetTopic.button(board, button.number).text,
            payload: Array(#"{"event_type":"\#(word(gesture))"}"#.utf8), expiry: expiry)
    }

    static func word(_ gesture: Gesture) -> String {
        switch gesture {
        case .short: "short"
        case .hold: "hold"
        case .longHold: "long_hold"
        case .double: "double"
        }
    }
}
