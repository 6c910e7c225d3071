internal import BoardFormats

package struct RealtimeFault: Error, Hashable, CustomStringConvertible {
    /// What was found and what was expected, without a full stop. May quote the message's beginning.
    package let description: String

    private static let expected = "where a GTFS-Realtime message was expected"

    static let empty = RealtimeFault(description: "found an empty response \(expected)")
    /// Valid protobuf without the required header.
    static let noHeader = RealtimeFault(description: "found bytes without a header \(expected)")
}

extension RealtimeFault {
    /// Bytes that are malformed from an offset on, or a text instead of a message.
    init(unreadableAt place: Int, of body: [UInt8]) {
        // A message begins with 0x0A, a line break, so texts are only recognised after decoding has failed.
        let start = body.drop { $0.isBlank }
        switch start.first {
        case UInt8(ascii: "<"): self.init(description: "found HTML or XML \(Self.expected)")
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.init(description: "found JSON \(Self.expected)")
        case 0x1F: self.init(description: "found compressed bytes \(Self.expected)")
        case nil: self = .empty
        case _ where start.prefix(JSONFault.quoted).allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }):
            let quoted = start.prefix(JSONFault.quoted).map { Character(Unicode.Scalar($0 < 0x20 ? 0x20 : $0)) }
            self.init(description: "found \"\(String(quoted))\" \(Self.expected)")
        default:
            self.init(
                description:
                    "found a GTFS-Realtime message truncated or malformed after \(place) of \(body.count) bytes")
        }
    }
}
