/// The element names that a format knows, for a look-up at every element: local names, since one element moves between
/// namespaces from one version of a schema to the next, and some documents do not declare their prefixes at all.
struct XMLVocabulary: Sendable {
    /// What an element is whose name the format does not know.
    static let unknown = -1

    /// A place of the table.
    private struct Slot: Sendable {
        /// ``XMLVocabulary/unknown`` where there is no name.
        var index = XMLVocabulary.unknown
        var hash: UInt32 = 0
        /// Where the name begins in ``XMLVocabulary/letters``.
        var start = 0
        var count = 0
    }

    /// All names, one after the other.
    private let letters: [UInt8]
    /// By their marks; its count is a power of two, at least twice that of the names.
    private let slots: [Slot]

    /// A vocabulary; a name is known by its index.
    init(_ names: [String]) {
        var letters: [UInt8] = []
        var count = 16
        while count < 2 * names.count { count *= 2 }
        var slots = [Slot](repeating: Slot(), count: count)
        for (index, name) in names.enumerated() {
            let utf8 = name.utf8
            let hash = NameHash.of(utf8.span)
            var place = Self.place(hash, count)
            while slots[place].index != Self.unknown { place = (place + 1) & (count - 1) }
            slots[place] = Slot(index: index, hash: hash, start: letters.count, count: utf8.count)
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
        var place = Self.place(hash, slots.count)
        while slots[place].index != Self.unknown {
            let slot = slots[place]
            if slot.hash == hash, slot.count == name.count,
                letters.span.extracting(slot.start..<slot.start + slot.count).isEqual(to: name)
            {
                return slot.index
            }
            place = (place + 1) & (slots.count - 1)
        }
        return Self.unknown
    }

    /// Where a name is looked for first (Knuth's multiplicative hash).
    private static func place(_ hash: UInt32, _ count: Int) -> Int {
        Int((hash &* 2_654_435_769) >> 16) & (count - 1)
    }
}
