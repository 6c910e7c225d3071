/// The rows of a small table of comma-separated values (RFC 4180): quoted fields with commas, line breaks and doubled
/// quotes inside, lines ended by LF, CRLF or nothing, a byte order mark or none. Blanks around a field are no part of it.
struct CSVRows: Sequence, IteratorProtocol {
    private static let quote = UInt8(ascii: "\"")

    private let bytes: [UInt8]
    private var position: Int

    /// The rows of a whole text.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: JSONFault.byteOrderMark) ? JSONFault.byteOrderMark.count : 0
    }

    /// The fields of the next line that is not empty; nil after the last.
    mutating func next() -> [String]? {
        while position < bytes.count {
            let row = line()
            if row.count > 1 || row.first?.isEmpty == false { return row }
        }
        return nil
    }

    private mutating func line() -> [String] {
        var row: [String] = []
        while true {
            row.append(field())
            guard position < bytes.count else { return row }
            let end = bytes[position]
            position += 1
            if end == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
                position += 1
            }
            if end != UInt8(ascii: ",") { return row }
        }
    }

    /// A field up to the comma or line end after it.
    private mutating func field() -> String {
        var content: [UInt8] = []
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        if position < bytes.count, bytes[position] == Self.quote {
            position += 1
            while position < bytes.count {
                if bytes[position] == Self.quote {
                    position += 1
                    guard position < bytes.count, bytes[position] == Self.quote else { break }
                }
                content.append(bytes[position])
                position += 1
            }
        }
        while position < bytes.count, !isEnd(bytes[position]) {
            content.append(bytes[position])
            position += 1
        }
        return String(decoding: content, as: UTF8.self).trimmingBlanks()
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
