internal import BoardFormats

/// A compact map from identifiers to names, of which a country has half a million: a message may contain any of them.
///
/// It stores 40 bits of each identifier's hash, and equal names of consecutive rows once, as for the two directions of a
/// stop: 11 to 21 bytes and half a name per row. Identifiers with one hash are confused; among half a million, the chance is
/// one in two million for each.
struct NameTable: Sendable {
    /// The limits on identifiers, and on the bytes of all names; others are left out.
    private static let most = 600_000, longest = 6_000_000

    /// The numbers of names, by the hashes of identifiers.
    private var numbers = HashSlots(numberBits: 24)
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// Random, so that no feed can be made whose identifiers collide.
    private let seed = UInt64.random(in: .min ... .max)

    subscript(_ id: String) -> String? {
        let id = Array(id.utf8)
        guard let number = numbers.number(of: ByteKeys.hash(id.span, 0..<id.count, seed)) else { return nil }
        return String(encoded: bytes[range(Int(number))]).plainText
    }

    /// Appends an identifier and its name, unless one is empty.
    mutating func append(_ id: TableField, _ name: TableField, of table: Span<UInt8>) {
        guard !id.isEmpty, !name.isEmpty, numbers.count < Self.most, bytes.count < Self.longest else { return }
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
        numbers.insert(table.hash(id, seed), UInt64(ends.count - 1))
    }

    private func range(_ number: Int) -> Range<Int> {
        (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
    }
}
