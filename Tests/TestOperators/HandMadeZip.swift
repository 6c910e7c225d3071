/// A zip made byte by byte (APPNOTE.TXT 6.3.10), so that tests can make invalid ones.
package struct HandMadeZip {
    /// A member; stored by default.
    package struct Member {
        package let name: String
        package var bytes: [UInt8]
        /// 0: stored, 8: deflated.
        package var method: UInt16 = 0
        /// The declared uncompressed size; nil: that of a stored member.
        package var size: UInt32?
        /// The declared compressed size; nil: the actual one.
        package var packed: UInt32?
        package var crc: UInt32?
        /// Bit 0: encrypted.
        package var flags: UInt16 = 0

        package init(
            _ name: String, _ bytes: [UInt8], method: UInt16 = 0, size: UInt32? = nil, packed: UInt32? = nil,
            crc: UInt32? = nil, flags: UInt16 = 0
        ) {
            self.name = name
            self.bytes = bytes
            self.method = method
            self.size = size
            self.packed = packed
            self.crc = crc
            self.flags = flags
        }

        package init(_ name: String, _ text: String) {
            self.init(name, Array(text.utf8))
        }
    }

    package var members: [Member]

    package init(members: [Member]) {
        self.members = members
    }

    /// Text files in the root or in a folder, by name.
    package init(files: [String: String], in folder: String = "") {
        members = files.sorted { $0.key < $1.key }.map { .init(folder + $0.key, $0.value) }
    }

    /// The whole file.
    package var bytes: [UInt8] {
        var file: [UInt8] = []
        var list: [UInt8] = []
        for member in members {
            let place = UInt32(file.count)
            let name = Array(member.name.utf8)
            let shared =
                le(UInt16(20)) + le(member.flags) + le(member.method) + le(UInt32(0))
                + le(member.crc ?? Self.crc(member.bytes)) + le(member.packed ?? UInt32(member.bytes.count))
                + le(member.size ?? UInt32(member.bytes.count)) + le(UInt16(name.count)) + le(UInt16(0))
            file += le(UInt32(0x0403_4B50)) + shared + name + member.bytes
            list +=
                le(UInt32(0x0201_4B50)) + le(UInt16(20)) + shared + [UInt8](repeating: 0, count: 10) + le(place) + name
        }
        let count = UInt16(members.count)
        let end =
            le(UInt32(0x0605_4B50)) + le(UInt32(0)) + le(count) + le(count) + le(UInt32(list.count))
            + le(UInt32(file.count)) + le(UInt16(0))
        return file + list + end
    }

    /// A deflate stream of a text and thousands of the letter a: the text stored (RFC 1951 3.2.4), one letter, then copies of
    /// 258 (3.2.6).
    package static func deflated(_ text: String = "", thousands: Int) -> [UInt8] {
        let length = UInt16(text.utf8.count)
        let stored: [UInt8] = [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + Array(text.utf8)
        var (bytes, held, count): ([UInt8], UInt32, UInt32) = (text.isEmpty ? [] : [0] + stored, 0, 0)
        func put(_ code: UInt32, _ length: UInt32, isHuffman: Bool) {
            for bit in 0..<length {
                // Huffman codes come with their first bit first.
                let value = isHuffman ? code >> (length - 1 - bit) & 1 : code >> bit & 1
                held |= value << count
                count += 1
                if count == 8 {
                    bytes.append(UInt8(held))
                    (held, count) = (0, 0)
                }
            }
        }
        put(0b011, 3, isHuffman: false)
        put(0x30 + 97, 8, isHuffman: true)
        for _ in 0..<thousands * 1_000 / 258 + 1 {
            put(0b1100_0101, 8, isHuffman: true)
            put(0, 5, isHuffman: true)
        }
        put(0, 7, isHuffman: true)
        put(0, 7, isHuffman: false)
        return bytes
    }

    /// The CRC-32 of zip files.
    package static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in crc >> 8 ^ steps[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
    }

    /// The effect of each byte on the checksum.
    private static let steps: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }

    private func le(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    private func le(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 0xFF) } }
}
