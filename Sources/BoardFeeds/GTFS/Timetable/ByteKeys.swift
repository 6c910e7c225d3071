/// A table of hashes, each with a number: 8 bytes per slot; at most three quarters of the slots are in use. All of an
/// archive that is found by an identifier is in such tables, which make no String.
///
/// Of the 64 bits of a slot, `numberBits` are the number's, the others the hash's. Texts with the same hash are
/// confused unless the caller compares them: among a million texts the chance is one in 10^7 without numbers, and one
/// in 40 with 20 bits.
struct HashSlots: Sendable {
    /// An odd number with spread bits.
    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The hash in the upper bits, the number from 1 in the lower ones; 0: empty. A power of two.
    private(set) var slots = [UInt64](repeating: 0, count: 64)
    private(set) var count = 0
    private let keyMask: UInt64

    init(numberBits: UInt64 = 0) { keyMask = ~(1 << numberBits - 1) }

    /// All hashes with their numbers, unordered.
    var all: some Sequence<UInt64> { slots.lazy.filter { $0 != 0 } }

    /// Adds a hash with a number, unless the hash is there already.
    ///
    /// - Parameter number: from 0 to two less than `numberBits` hold; -1: none.
    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ hash: UInt64, _ number: Int = -1) -> Bool {
        guard self.number(of: hash) == nil else { return false }
        append(hash, number)
        return true
    }

    /// Adds a hash with a number, even if the hash is there already.
    mutating func append(_ hash: UInt64, _ number: Int) {
        count += 1
        if count * 4 > slots.count * 3 {
            let old = slots
            slots = [UInt64](repeating: 0, count: old.count * 2)
            for entry in old where entry != 0 { put(entry) }
        }
        put(hash & keyMask | UInt64(number + 1))
    }

    func number(of hash: UInt64) -> Int? {
        var slot = firstSlot(of: hash)
        return next(hash, from: &slot)
    }

    /// The slot from which the entries with a hash are found.
    @inline(__always)
    func firstSlot(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: ((hash & keyMask) &* Self.mixer) >> 40) & (slots.count - 1)
    }

    /// The number of the next entry with a hash, from a slot on, which moves after it; nil after the last.
    @inline(__always)
    func next(_ hash: UInt64, from slot: inout Int) -> Int? {
        while true {
            let entry = slots[slot]
            if entry == 0 { return nil }
            slot = (slot + 1) & (slots.count - 1)
            if (entry ^ hash) & keyMask == 0 { return Int(truncatingIfNeeded: entry & ~keyMask) - 1 }
        }
    }

    private mutating func put(_ entry: UInt64) {
        var slot = firstSlot(of: entry)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }

    static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* mixer
        return product ^ (product >> 32)
    }
}

extension Span<UInt8> {
    /// The hash of some bytes, eight at a time.
    @inline(__always)
    func hash(_ range: Range<Int>, _ seed: UInt64) -> UInt64 {
        let raw = unsafe bytes
        var place = range.lowerBound
        var hash = HashSlots.mixed(seed, UInt64(truncatingIfNeeded: range.count))
        while place + 8 <= range.upperBound {
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
            hash = HashSlots.mixed(hash, UInt64(littleEndian: word))
            place += 8
        }
        let left = range.upperBound - place
        if left > 0 {
            var word: UInt64 = 0
            if place + 8 <= count {
                word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
                word &= (1 << UInt64(truncatingIfNeeded: left * 8)) &- 1
            } else {
                for index in (0..<left).reversed() { word = word << 8 | UInt64(self[place + index]) }
            }
            hash = HashSlots.mixed(hash, word)
        }
        // Without this, what differs in the last of eight bytes stays in the highest bits, which choose no slot.
        return HashSlots.mixed(hash, 0)
    }

    func hash(_ field: TableField, _ seed: UInt64) -> UInt64 {
        guard field.hasDoubledQuotes else { return hash(field.range, seed) }
        let text = unescaped(field)
        return text.span.hash(0..<text.count, seed)
    }
}

extension String {
    func hash(_ seed: UInt64) -> UInt64 {
        let utf8 = utf8
        return utf8.span.hash(0..<utf8.count, seed)
    }
}

/// Numbered texts, one after the other in one array.
struct PackedTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end of each text, after a 0.
    private var ends: [UInt32] = [0]

    var count: Int { ends.count - 1 }

    subscript(_ number: Int) -> String { String(encoded: bytes[range(number)]) }

    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        for place in range { bytes.append(text[place]) }
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    @inline(__always)
    func isEqual(_ number: Int, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        bytes.span.isSame(self.range(number), in: text, range)
    }

    @inline(__always)
    private func range(_ number: Int) -> Range<Int> { Int(ends[number])..<Int(ends[number + 1]) }
}

/// The table that numbers texts. A lookup by the bytes of a field makes no String.
package struct ByteKeys {
    static let unknown = -1

    private var texts = PackedTexts()
    private var numbers = HashSlots(numberBits: 32)
    /// Random, so that nobody can make a feed whose texts all collide.
    private let seed = UInt64.random(in: .min ... .max)

    init() {}

    /// Numbers distinct texts in this order.
    init(_ texts: some Sequence<String>) { for text in texts { _ = insert(text) } }

    package var count: Int { texts.count }
    var textCount: Int { texts.bytes.count }

    subscript(_ number: Int) -> String { texts[number] }

    /// The number of a field's text, or ``unknown``.
    @inline(__always)
    func number(of field: TableField, in table: Span<UInt8>) -> Int {
        if field.hasDoubledQuotes {
            let text = table.unescaped(field)
            return number(text.span, 0..<text.count, hash: text.span.hash(0..<text.count, seed))
        }
        return number(table, field.range, hash: table.hash(field.range, seed))
    }

    @inline(__always)
    func isNumber(_ number: Int, of field: TableField, in table: Span<UInt8>) -> Bool {
        !field.hasDoubledQuotes && texts.isEqual(number, table, field.range)
    }

    func number(of text: String) -> Int {
        let utf8 = text.utf8
        return number(utf8.span, 0..<utf8.count, hash: text.hash(seed))
    }

    /// The number of a field's text, which is added if new.
    mutating func insert(_ field: TableField, of table: Span<UInt8>) -> Int {
        if field.hasDoubledQuotes {
            let text = table.unescaped(field)
            return insert(text.span, 0..<text.count)
        }
        return insert(table, field.range)
    }

    mutating func insert(_ text: String) -> Int {
        let utf8 = text.utf8
        return insert(utf8.span, 0..<utf8.count)
    }

    @inline(__always)
    private func number(_ text: Span<UInt8>, _ range: Range<Int>, hash: UInt64) -> Int {
        var slot = numbers.firstSlot(of: hash)
        while let number = numbers.next(hash, from: &slot) {
            if texts.isEqual(number, text, range) { return number }
        }
        return Self.unknown
    }

    @inline(__always)
    private mutating func insert(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        let hash = text.hash(range, seed)
        let existing = number(text, range, hash: hash)
        if existing != Self.unknown { return existing }
        numbers.append(hash, count)
        texts.append(text, range)
        return count - 1
    }
}

/// A compact map from identifiers to names, of which a country has half a million: a message may contain any of them.
///
/// It stores 40 bits of each identifier's hash, and equal names of consecutive rows once, as with the two directions of
/// a stop: 11 to 21 bytes and half a name per row. Identifiers with the same hash are confused; among half a million,
/// the chance is one in two million for each.
struct NameTable: Sendable {
    /// The most identifiers, and the most bytes of all names; any more are left out.
    private static let maximumCount = 600_000, maximumBytes = 6_000_000

    private var names = PackedTexts()
    /// The numbers of names, by the hashes of identifiers.
    private var numbers = HashSlots(numberBits: 24)
    /// Random, so that nobody can make a feed whose identifiers collide.
    private let seed = UInt64.random(in: .min ... .max)

    subscript(_ id: String) -> String? { numbers.number(of: id.hash(seed)).map { names[$0].plainText } }

    /// Appends an identifier and its name, unless one is empty.
    mutating func append(_ id: TableField, _ name: TableField, of table: Span<UInt8>) {
        guard !id.isEmpty, !name.isEmpty, numbers.count < Self.maximumCount, names.bytes.count < Self.maximumBytes
        else { return }
        if name.hasDoubledQuotes {
            let text = table.unescaped(name)
            names.append(text.span, 0..<text.count)
        } else if names.count == 0 || !names.isEqual(names.count - 1, table, name.range) {
            names.append(table, name.range)
        }
        numbers.insert(table.hash(id, seed), names.count - 1)
    }
}

/// The `trip_id`s of a feed, including trips that are not selected.
///
/// It stores 32 bits of each ID's hash: 4 bytes per trip, 2.4 MB for a country with 600,000. For such a timetable, one
/// in 7,000 unknown IDs is a false positive.
struct TripIDSet: Sendable {
    /// Ascending.
    private let hashes: [UInt32]
    private let seed: UInt64

    /// - Parameter hashes: the hashes of the IDs, in any order.
    init(_ hashes: some Sequence<UInt64> = EmptyCollection<UInt64>(), seed: UInt64 = 0) {
        var upper = hashes.map { UInt32($0 >> 32) }
        upper.sort()
        self.hashes = upper
        self.seed = seed
    }

    func contains(_ id: String) -> Bool { !id.isEmpty && contains(hash: id.hash(seed)) }

    func contains(_ bytes: Span<UInt8>, _ id: Range<Int>) -> Bool {
        !id.isEmpty && contains(hash: bytes.hash(id, seed))
    }

    private func contains(hash: UInt64) -> Bool {
        let upper = UInt32(hash >> 32)
        let place = hashes.lowerBound(isBefore: { $0 < upper })
        return place < hashes.count && hashes[place] == upper
    }
}
