internal import Glibc

/// A check of a zip's end-of-central-directory record before libzip reads the central directory, because libzip
/// allocates memory by the entry count in that record (APPNOTE.TXT 4.3.14 to 4.3.16).
enum ZipEnd {
    /// The bytes of the record without its comment, and of the longest comment.
    private static let size = 22, longestComment = 65_535
    private static let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    private static let locator: [UInt8] = [0x50, 0x4B, 0x06, 0x07]
    /// The most bytes of a central directory: 200 for each of 10,000 members.
    private static let longestList = 2 << 20
    /// The bytes of an entry without its name.
    private static let leastEntry = 46

    /// - Returns: the length of the archive in bytes.
    /// - Throws: ``TableFailure`` if the file is empty, has no end record, or lists too many files.
    static func check(_ descriptor: Int32, _ path: String) throws(TableFailure) -> UInt64 {
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard length > 0 else {
            throw TableFailure(
                kind: .notAnArchive, file: path,
                detail: length == 0 ? "is an empty file" : "is not a readable file")
        }
        let tail = bytes(descriptor, from: max(0, length - size - longestComment), to: length)
        guard let end = tail.indices.reversed().first(where: { has(signature, tail, $0) && $0 + size <= tail.count })
        else {
            throw TableFailure(
                kind: .notAnArchive, file: path, detail: "is not a zip, or is truncated (\(length) bytes)")
        }
        var (entries, list) = (number(tail, end + 10, 2), number(tail, end + 12, 4))
        // Zip64: the numbers are in a separate record, whose offset is in the locator before this record.
        if end >= 20, has(locator, tail, end - 20) {
            let place = number(tail, end - 20 + 8, 8)
            let record = place <= length - 56 ? bytes(descriptor, from: place, to: place + 56) : []
            (entries, list) = record.count == 56 ? (number(record, 32, 8), number(record, 40, 8)) : (.max, .max)
        }
        guard list <= longestList, list < length, entries <= list / leastEntry else {
            throw TableFailure(
                kind: .damaged, file: path,
                detail: "is damaged or truncated (it lists \(entries) files in \(list) bytes)")
        }
        return UInt64(clamping: length)
    }

    private static func bytes(_ descriptor: Int32, from start: Int, to end: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: end - start)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(start))
        }
        return count == bytes.count ? bytes : []
    }

    private static func has(_ signature: [UInt8], _ bytes: [UInt8], _ place: Int) -> Bool {
        bytes[place...].starts(with: signature)
    }

    /// A little-endian number, clamped to `Int.max`.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        var number: UInt64 = 0
        for index in (place..<place + count).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return Int(clamping: number)
    }
}
