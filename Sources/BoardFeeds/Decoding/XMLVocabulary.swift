/// The element names that a format knows, for a look-up at every element: local names, since one element moves between
/// namespaces from one version of a schema to the next, and some documents do not declare their prefixes at all.
struct XMLVocabulary: Sendable {
    /// What an element is whose name the format does not know.
    static let unknown = -1

    private let names: [[UInt8]]
    /// Indices into `names` by hash, -1 where there is none; its count is a power of two, at least twice that of the names.
    private let slots: [Int]

    /// A vocabulary; a name is known by its index.
    init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        var count = 16
        while count < 2 * names.count { count *= 2 }
        var slots = [Int](repeating: Self.unknown, count: count)
        for (index, name) in self.names.enumerated() {
            var hash: UInt = 0
            for byte in name { hash = Self.hash(hash, byte) }
            var slot = Int(hash & UInt(count - 1))
            while slots[slot] != Self.unknown { slot = (slot + 1) & (count - 1) }
            slots[slot] = index
        }
        self.slots = slots
    }

    /// The index of the local part of a qualified name as expat writes it, ended by 0.
    func index(of name: UnsafePointer<CChar>) -> Int {
        var start = 0
        var end = 0
        var hash: UInt = 0
        while true {
            let byte = unsafe UInt8(bitPattern: name[end])
            if byte == 0 { break }
            end += 1
            if byte == UInt8(ascii: ":") {
                start = end
                hash = 0
            } else {
                hash = Self.hash(hash, byte)
            }
        }
        var slot = Int(hash & UInt(slots.count - 1))
        while slots[slot] != Self.unknown {
            let known = slots[slot]
            if names[known].count == end - start, unsafe isEqual(names[known], name + start) { return known }
            slot = (slot + 1) & (slots.count - 1)
        }
        return Self.unknown
    }

    private func isEqual(_ known: [UInt8], _ name: UnsafePointer<CChar>) -> Bool {
        for index in known.indices where unsafe known[index] != UInt8(bitPattern: name[index]) { return false }
        return true
    }

    /// The hash of D. J. Bernstein.
    private static func hash(_ hash: UInt, _ byte: UInt8) -> UInt {
        hash &* 33 &+ UInt(byte)
    }
}
