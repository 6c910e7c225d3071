package import SwiftProtobuf

extension Message {
    /// A message from its bytes; fields that nobody here knows are dropped, groups are followed 100 deep.
    ///
    /// - Throws: an error of SwiftProtobuf where the bytes are no such message.
    package init(wire bytes: RawSpan) throws {
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        try self.init(serializedBytes: bytes, options: options)
    }
}
