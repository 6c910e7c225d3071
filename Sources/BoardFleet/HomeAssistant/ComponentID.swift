internal import BoardCore

/// The name of a component of a board in Home Assistant: letters, digits, hyphens and `_` alone, since it is a part of templates
/// and of identifiers.
enum ComponentID: Hashable, Sendable {
    case next(StopID)
    case leave(StopID)
    case problem
    case button(Int)
    case trigger(Int, Gesture)
    case nextPage, refresh, page, light, message

    var text: String {
        switch self {
        case .next(let stop): "next-\(Self.key(of: stop))"
        case .leave(let stop): "leave-\(Self.key(of: stop))"
        case .problem: "problem"
        case .button(let number): "button-\(number)"
        case .trigger(let number, let gesture): "button-\(number)-\(GestureMessage.word(gesture))"
        case .nextPage: "next-page"
        case .refresh: "refresh"
        case .page: "page"
        case .light: "light"
        case .message: "message"
        }
    }

    /// A stop as a key of the state: every other byte than a letter or digit is `_` and two hexadecimal digits, so that two stops
    /// never share a key.
    static func key(of stop: StopID) -> String { "\(escaped(stop.feed.description))-\(escaped(stop.code))" }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                String(UnicodeScalar(byte))
            default: "_" + byte.padded(to: 2, radix: 16)
            }
        }.joined()
    }
}
