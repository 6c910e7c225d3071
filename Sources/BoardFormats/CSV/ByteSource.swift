/// A source of a table's bytes, in chunks of any size.
package protocol ByteSource: AnyObject {
    /// Writes the next bytes to a part of `buffer`.
    ///
    /// - Parameter room: the part to write to; not empty.
    /// - Returns: the number of bytes; 0 at the end.
    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(TableFailure) -> Int
}

/// Bytes in memory.
package final class MemoryBytes: ByteSource {
    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package func read(into buffer: inout [UInt8], _ room: Range<Int>) -> Int {
        let count = min(room.count, bytes.count - place)
        buffer.replaceSubrange(room.prefix(count), with: bytes[place..<place + count])
        place += count
        return count
    }
}
