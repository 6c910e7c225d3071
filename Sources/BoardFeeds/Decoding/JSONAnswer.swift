internal import FoundationEssentials

/// An operator's answer in JSON, decoded.
enum JSONAnswer {
    /// Decodes a whole answer; a UTF-8 byte order mark before it is nothing.
    ///
    /// - Parameter key: is true for whoever decodes; nil: nothing is.
    /// - Throws: ``JSONFault`` that says what the answer is instead.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from body: [UInt8], telling key: CodingUserInfoKey? = nil
    ) throws(JSONFault) -> Value {
        let text = body.starts(with: JSONFault.byteOrderMark) ? body[JSONFault.byteOrderMark.count...] : body[...]
        if let fault = JSONFault(opening: text) { throw fault }
        do {
            let decoder = JSONDecoder()
            if let key { decoder.userInfo[key] = true }
            return try decoder.decode(type, from: Data(text))
        } catch DecodingError.dataCorrupted {
            throw JSONFault("found \(body.count) bytes of JSON that are broken or cut short")
        } catch {
            throw .otherShape
        }
    }

    /// Decodes one row that was cut out of an answer; nil where it is not what a row must be.
    static func row<Row: Decodable>(_ type: Row.Type, from bytes: [UInt8]) -> Row? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}

/// One row of an array, read on its own: one that cannot be read costs itself and no other.
struct LossyRow<Row: Decodable>: Decodable {
    /// The row; nil where it is not what a row must be.
    let row: Row?

    init(from decoder: any Decoder) {
        row = try? Row(from: decoder)
    }
}
