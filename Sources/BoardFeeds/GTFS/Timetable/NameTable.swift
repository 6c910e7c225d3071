/// What identifiers stand for, of which a country has half a million: a message may name any of them.
///
/// Of an identifier a hash of 40 bits is kept, and a name once where rows of one name follow each other, as the two
/// directions of a stop mostly do: 8 bytes and half a name a row, 1 MB for the stops of a large city. Two identifiers of one
/// hash would be taken for each other; of half a million each has one in two millions to meet another.
struct NameTable: Sendable {
    /// No more are kept, nor longer names together in bytes: other identifiers stand for nothing that is known.
    private static let most = 600_000, longest = 6_000_000
    private static let numberBits: UInt64 = 24

    /// The upper 40 bits are those of an identifier's hash, the lower ones the number of its name; ascending once sealed.
    private var entries: [UInt64] = []
    private var bytes: [UInt8] = []
    /// Where each name ends in `bytes`.
    private var ends: [UInt32] = []
    /// Otherwise a feed could be made whose identifiers are taken for each other.
    private let seed = UInt64.random(in: .min ... .max)

    /// The name of an identifier; nil: it is none of these.
    subscript(_ id: String) -> String? {
        let id = Array(id.utf8)
        let key = hash(id.span, 0..<id.count)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] < key { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low] >> Self.numberBits == key >> Self.numberBits else { return nil }
        let name = bytes[range(Int(entries[low] & (1 << Self.numberBits - 1)))]
        return String(decoding: name, as: UTF8.self).singleSpaced
    }

    /// Appends what a field's identifier stands for. A name that is empty is none.
    mutating func append(_ id: TableField, _ name: TableField, of table: Span<UInt8>) {
        guard !id.isEmpty, !name.isEmpty, entries.count < Self.most, bytes.count < Self.longest else { return }
        let key: UInt64
        if id.hasDoubledQuotes {
            let text = table.unescaped(id)
            key = hash(text.span, 0..<text.count)
        } else {
            key = hash(table, id.range)
        }
        let before = bytes.count
        if name.hasDoubledQuotes {
            bytes += table.unescaped(name)
        } else {
            for place in name.range { bytes.append(table[place]) }
        }
        if let last = ends.indices.last, bytes[range(last)] == bytes[before...] {
            bytes.removeSubrange(before...)
        } else {
            ends.append(UInt32(truncatingIfNeeded: bytes.count))
        }
        entries.append(key | UInt64(ends.count - 1))
    }

    /// Puts what was appended in order: before that nothing is found.
    mutating func seal() {
        entries.sort()
    }

    private func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        ByteKeys.hash(text, range, seed) & ~(1 << Self.numberBits - 1)
    }

    private func range(_ number: Int) -> Range<Int> {
        (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
    }
}
