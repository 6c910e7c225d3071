/// A hash table of a format's element names. Names are local, since elements move between namespaces from one version of a
/// schema to the next, and some documents do not declare their prefixes.
package struct XMLVocabulary: Sendable {
    /// The index of all other names.
    package static let unknown = -1

    /// A slot of the table.
    private struct Slot: Sendable {
        /// ``XMLVocabulary/unknown`` if the slot is empty.
        var index = XMLVocabulary.unknown
        var hash: UInt32 = 0
        /// The offset of the name in ``XMLVocabulary/letters``.
        var start = 0
        var count = 0
    }

    /// All names, concatenated.
    private let letters: [UInt8]
    /// The slots, by hash; their number is a power of two, at least twice that of the names.
    private let slots: [Slot]

    /// A table that maps each name to its index.
    package init(_ names: [String]) {
        var letters: [UInt8] = []
        var count = 16
        while count < 2 * names.count { count *= 2 }
        var slots = [Slot](repeating: Slot(), count: count)
        for (index, name) in names.enumerated() {
            let utf8 = name.utf8
            let hash = NameHash.of(utf8.span)
            var slotIndex = Self.slotIndex(hash, count)
            while slots[slotIndex].index != Self.unknown { slotIndex = (slotIndex + 1) & (count - 1) }
            slots[slotIndex] = Slot(index: index, hash: hash, start: letters.count, count: utf8.count)
            letters += utf8
        }
        self.letters = letters
        self.slots = slots
    }

    /// The index of the local part of a qualified name.
    func index(of name: Span<UInt8>) -> Int {
        var start = 0
        while start < name.count, name[start] != UInt8(ascii: ":") { start += 1 }
        let name = start < name.count ? name.extracting((start + 1)..<name.count) : name
        let hash = NameHash.of(name)
        var slotIndex = Self.slotIndex(hash, slots.count)
        while slots[slotIndex].index != Self.unknown {
            let slot = slots[slotIndex]
            if slot.hash == hash, slot.count == name.count,
                letters.span.extracting(slot.start..<slot.start + slot.count).isEqual(to: name)
            {
                return slot.index
            }
            slotIndex = (slotIndex + 1) & (slots.count - 1)
        }
        return Self.unknown
    }

    /// The first slot for a hash (Knuth's multiplicative hash).
    private static func slotIndex(_ hash: UInt32, _ count: Int) -> Int {
        Int((hash &* 2_654_435_769) >> 16) & (count - 1)
    }
}
