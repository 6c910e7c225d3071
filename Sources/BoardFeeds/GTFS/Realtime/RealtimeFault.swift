/// Why a message of GTFS-Realtime could not be read; the last one that could stays in force.
struct RealtimeFault: Error, Hashable, CustomStringConvertible {
    /// What was found and what was expected, without an end. May quote the message's beginning.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    private static let expected = "where a GTFS-Realtime message was expected"

    /// A body without a byte.
    static let empty = RealtimeFault("found an empty answer \(expected)")
    /// Bytes in the format's form without the header that every message has.
    static let noHeader = RealtimeFault("found bytes without a header \(expected)")

    /// Bytes that are not in the format's form from this place on, or a text instead of them.
    init(unreadableAt place: Int, of body: [UInt8]) {
        // A line break is how a header begins, so that texts are looked for only where the reading failed.
        let start = body.drop { $0.isBlank }
        switch start.first {
        case UInt8(ascii: "<"): self.init("found HTML or XML \(Self.expected)")
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.init("found JSON \(Self.expected)")
        case 0x1F: self.init("found compressed bytes \(Self.expected)")
        case nil: self = .empty
        case _ where start.prefix(JSONFault.quoted).allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }):
            let quoted = start.prefix(JSONFault.quoted).map { Character(Unicode.Scalar($0 < 0x20 ? 0x20 : $0)) }
            self.init("found \"\(String(quoted))\" \(Self.expected)")
        default:
            self.init("found a GTFS-Realtime message that is cut short or broken after \(place) of \(body.count) bytes")
        }
    }

    /// A message of which nothing can be read but its header.
    static func allMalformed(_ count: Int) -> RealtimeFault {
        RealtimeFault("found a GTFS-Realtime message of which none of the \(count) entities can be read")
    }
}
