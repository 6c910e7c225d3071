/// Where the bytes of a table come from, in pieces of any size.
protocol ByteSource: AnyObject {
    /// Puts the next bytes into a part of `buffer`.
    ///
    /// - Parameter room: where they go; not empty.
    /// - Returns: how many; 0: there are no more.
    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(GTFSFailure) -> Int
}

/// Bytes that are all there.
final class MemoryBytes: ByteSource {
    private let bytes: [UInt8]
    private var place = 0

    /// All of a table's bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) -> Int {
        let count = min(room.count, bytes.count - place)
        buffer.replaceSubrange(room.prefix(count), with: bytes[place..<place + count])
        place += count
        return count
    }
}
