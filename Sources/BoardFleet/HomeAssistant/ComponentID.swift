public import BoardCore
import BoardIO

/// The name of a board's component in Home Assistant: only letters, digits, hyphens and `_`, since it is part of
/// templates and identifiers.
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
        case .trigger(let number, let gesture): "button-\(number)-\(gesture.rawValue)"
        case .nextPage: "next-page"
        case .refresh: "refresh"
        case .page: "page"
        case .light: "light"
        case .message: "message"
        }
    }

    /// A stop as a key of the state: every byte other than a letter or digit becomes `_` and two hexadecimal digits, so
    /// that two stops never share a key.
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

/// Identifies a board in Home Assistant, whatever its name: `boardd-` and 16 hexadecimal digits.
public struct DeviceID: Hashable, Sendable, CodableAsText {
    public static let expected = "not an identifier of a board"
    private static let prefix = "boardd-"
    /// In bytes: enough that two boards practically never collide.
    private static let length = 8

    public let description: String

    /// - Parameter machineID: the text of /etc/machine-id, which must not leave the machine (machine-id(5)): only its
    ///   SHA-256 does. A second board on a machine adds something of its own.
    public init(machineID: String) {
        let hash = SHA256.hash(Array("boardd/1/\(machineID)".utf8)).prefix(Self.length)
        description = Self.prefix + hash.map { $0.padded(to: 2, radix: 16) }.joined()
    }

    /// Parses ``description``; nil for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard text.hasPrefix(Self.prefix), digits.count == 2 * Self.length,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = text
    }
}
