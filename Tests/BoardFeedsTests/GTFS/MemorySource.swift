@testable import BoardFeeds

/// Bytes in chunks of one size.
final class MemorySource: ByteSource {
    private(set) var rest: ArraySlice<UInt8>
    private let piece: Int

    init(_ bytes: [UInt8], piece: Int = .max) {
        rest = bytes[...]
        self.piece = piece
    }

    convenience init(_ text: String, piece: Int = .max) { self.init(Array(text.utf8), piece: piece) }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(TableError) -> Int {
        let taken = rest.prefix(min(piece, room.count))
        for (place, byte) in zip(room, taken) { buffer[place] = byte }
        rest = rest.dropFirst(taken.count)
        return taken.count
    }
}
