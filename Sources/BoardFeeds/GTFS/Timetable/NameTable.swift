internal import BoardFormats

/// A compact map from identifiers to names, of which a country has half a million: a message may contain any of them.
///
/// It stores 40 bits of each identifier's hash, and equal names of consecutive rows once, as for the two directions of a
/// stop: 8 bytes and half a name per row, 1 MB for the stops of a large city. Identifiers with one hash are confused; among
/// half a million, the chance is one in two million for each.
struct NameTable: Sendable {
    /// The limits on identifiers, and on the bytes of all names; others are left out.
    private static let most = 600_000, longest = 6_000_000
    private static let numberBits: UInt64 = 24

    /// Each entry has an identifier's hash in the upper 40 bits and the number of its name in the lower ones; ascending once
    /// sealed.
    private var entries: [UInt64] = []
    private var bytes: [UInt8] = []
    /// The end of each name in `bytes`.
    private var ends: [UInt32] = []
    /// Random, so that no feed can be made whose identifiers collide.
    private let seed = UInt64.random(in: .min ... .max)

    /// The name of an identifier, if any.
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

    /// Appends an identifier and its name, unless one is empty.
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

    /// Sorts the entries; required before lookups.
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
