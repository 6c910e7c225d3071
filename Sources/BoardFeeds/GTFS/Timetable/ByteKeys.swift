/// A table of numbered texts. A lookup by the bytes of a field makes no String.
package struct ByteKeys {
    static let unknown = -1

    /// The hash's multiplier: an odd number with spread bits.
    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let noHash: UInt64 = 0xFFFF_FFFF

    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// Each slot has a text's hash in the upper half and its number plus 1 in the lower; 0: empty. The number of slots
    /// is a power of two, and at least twice the number of texts.
    private var slots: [UInt64]
    private var mask: Int
    /// Random, so that nobody can make a feed whose texts all collide.
    private let seed = UInt64.random(in: .min ... .max)

    init() {
        slots = [UInt64](repeating: 0, count: 16)
        mask = 15
    }

    /// Numbers distinct texts in this order.
    init(_ texts: some Sequence<String>) {
        self.init()
        for text in texts { _ = insert(text) }
    }

    package var count: Int { ends.count }
    var textCount: Int { bytes.count }

    subscript(_ number: Int) -> String {
        String(encoded: bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]])
    }

    /// The number of a field's text, or ``unknown``.
    @inline(__always)
    func number(of field: TableField, in table: Span<UInt8>) -> Int {
        if field.hasDoubledQuotes { return number(of: table.unescaped(field).span) }
        return number(of: table, field.range)
    }

    /// Whether a number is that of a field's text.
    @inline(__always)
    func isNumber(_ number: Int, of field: TableField, in table: Span<UInt8>) -> Bool {
        !field.hasDoubledQuotes && isEqual(number, table, field.range)
    }

    func number(of text: String) -> Int {
        number(of: Array(text.utf8).span)
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
        let text = Array(text.utf8)
        return insert(text.span, 0..<text.count)
    }

    private func number(of text: Span<UInt8>) -> Int {
        number(of: text, 0..<text.count)
    }

    @inline(__always)
    private func number(of text: Span<UInt8>, _ range: Range<Int>) -> Int {
        let hash = Self.hash(text, range, seed)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let found = slots[slot]
            if found >> 32 == hash >> 32, isEqual(Int(found & Self.noHash) - 1, text, range) {
                return Int(found & Self.noHash) - 1
            }
            slot = (slot + 1) & mask
        }
        return Self.unknown
    }

    @inline(__always)
    private mutating func insert(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        let existing = number(of: text, range)
        return existing != Self.unknown ? existing : append(text, range)
    }

    private mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        if (ends.count + 1) * 2 > slots.count { grow() }
        for place in range { bytes.append(text[place]) }
        ends.append(bytes.count)
        put(ends.count - 1, Self.hash(text, range, seed))
        return ends.count - 1
    }

    private mutating func grow() {
        mask = slots.count * 2 - 1
        slots = [UInt64](repeating: 0, count: mask + 1)
        for number in ends.indices {
            put(number, Self.hash(bytes.span, (number == 0 ? 0 : ends[number - 1])..<ends[number], seed))
        }
    }

    private mutating func put(_ number: Int, _ hash: UInt64) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = hash & ~Self.noHash | UInt64(number + 1)
    }

    @inline(__always)
    private func isEqual(_ number: Int, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let start = number == 0 ? 0 : ends[number - 1]
        guard ends[number] - start == range.count else { return false }
        var (own, other) = (start, range.lowerBound)
        // Eight bytes at a time; the last ones may belong to the next text and are masked.
        while other < range.upperBound, own &+ 8 <= bytes.count, other &+ 8 <= text.count {
            let raw = unsafe (bytes.span.bytes, text.bytes)
            let left = UInt64(
                littleEndian: unsafe raw.0.unsafeLoadUnaligned(fromUncheckedByteOffset: own, as: UInt64.self))
            let right = UInt64(
                littleEndian: unsafe raw.1.unsafeLoadUnaligned(fromUncheckedByteOffset: other, as: UInt64.self))
            let count = range.upperBound &- other
            let mask = count < 8 ? (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1 : UInt64.max
            guard (left ^ right) & mask == 0 else { return false }
            own &+= 8
            other &+= 8
        }
        while other < range.upperBound {
            guard bytes[own] == text[other] else { return false }
            own += 1
            other += 1
        }
        return true
    }

    static func mixed(_ hash: UInt64, _ first: Int32, _ second: Int32) -> UInt64 {
        let word = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
        let product = (hash ^ word) &* mixer
        return product ^ (product >> 32)
    }

    /// The hash of some bytes, eight at a time.
    @inline(__always)
    static func hash(_ text: Span<UInt8>, _ range: Range<Int>, _ seed: UInt64) -> UInt64 {
        let raw = unsafe text.bytes
        var place = range.lowerBound
        var hash = seed ^ UInt64(truncatingIfNeeded: range.count) &* mixer
        while place + 8 <= range.upperBound {
            let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
            hash = (hash ^ word) &* mixer
            hash ^= hash >> 32
            place += 8
        }
        let left = range.upperBound - place
        if left > 0 {
            var word: UInt64 = 0
            if place + 8 <= text.count {
                word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
                word &= (1 << UInt64(truncatingIfNeeded: left * 8)) &- 1
            } else {
                for index in (0..<left).reversed() { word = word << 8 | UInt64(text[place + index]) }
            }
            hash = (hash ^ word) &* mixer
        }
        hash = (hash ^ (hash >> 29)) &* mixer
        return hash ^ (hash >> 32)
    }
}

extension Span<UInt8> {
    func hash(_ field: TableField, _ seed: UInt64) -> UInt64 {
        guard field.hasDoubledQuotes else { return ByteKeys.hash(self, field.range, seed) }
        let text = unescaped(field)
        return ByteKeys.hash(text.span, 0..<text.count, seed)
    }
}

/// A table of hashes, each with a number: 8 bytes per slot; at most three quarters of the slots are in use.
///
/// Texts with the same hash are confused. Of the 64 bits, `numberBits` are the number's: among a million texts the
/// chance is one in 10^7 without numbers, and one in 40 with 20 bits.
struct HashSlots: Sendable {
    /// The hash in the upper bits, the number in the lower ones; 0: empty.
    private(set) var slots = [UInt64](repeating: 0, count: 1_024)
    private(set) var count = 0
    private let numberBits: UInt64

    init(numberBits: UInt64 = 0) {
        self.numberBits = numberBits
    }

    /// All hashes with their numbers, unordered.
    var all: some Sequence<UInt64> { slots.lazy.filter { $0 != 0 } }

    /// Adds a hash with a number, unless the hash is there already.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ hash: UInt64, _ number: UInt64 = 0) -> Bool {
        // 0 is an empty slot.
        let entry = max(key(hash), 1 << numberBits) | number
        guard put(entry) else { return false }
        count += 1
        if count * 4 > slots.count * 3 {
            let old = slots
            slots = [UInt64](repeating: 0, count: old.count * 2)
            for entry in old where entry != 0 { _ = put(entry) }
        }
        return true
    }

    func number(of hash: UInt64) -> UInt64? {
        let entry = slots[slot(of: max(key(hash), 1 << numberBits))]
        return entry == 0 ? nil : entry - key(entry)
    }

    private func key(_ entry: UInt64) -> UInt64 { entry & ~(1 << numberBits - 1) }

    private mutating func put(_ entry: UInt64) -> Bool {
        let slot = slot(of: entry)
        guard slots[slot] == 0 else { return false }
        slots[slot] = entry
        return true
    }

    /// The slot of an entry's hash, or the empty one for it.
    private func slot(of entry: UInt64) -> Int {
        let key = key(entry)
        var slot = Int(truncatingIfNeeded: key >> numberBits) & (slots.count - 1)
        while slots[slot] != 0, self.key(slots[slot]) != key { slot = (slot + 1) & (slots.count - 1) }
        return slot
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

    /// The numbers of names, by the hashes of identifiers.
    private var numbers = HashSlots(numberBits: 24)
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// Random, so that nobody can make a feed whose identifiers collide.
    private let seed = UInt64.random(in: .min ... .max)

    subscript(_ id: String) -> String? {
        let id = Array(id.utf8)
        guard let number = numbers.number(of: ByteKeys.hash(id.span, 0..<id.count, seed)) else { return nil }
        return String(encoded: bytes[range(Int(number))]).plainText
    }

    /// Appends an identifier and its name, unless one is empty.
    mutating func append(_ id: TableField, _ name: TableField, of table: Span<UInt8>) {
        guard !id.isEmpty, !name.isEmpty, numbers.count < Self.maximumCount, bytes.count < Self.maximumBytes else {
            return
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
        numbers.insert(table.hash(id, seed), UInt64(ends.count - 1))
    }

    private func range(_ number: Int) -> Range<Int> {
        (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
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

    func contains(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        return contains(bytes.span, 0..<bytes.count)
    }

    func contains(_ bytes: Span<UInt8>, _ id: Range<Int>) -> Bool {
        let hash = UInt32(ByteKeys.hash(bytes, id, seed) >> 32)
        let place = hashes.lowerBound(isBefore: { $0 < hash })
        return place < hashes.count && hashes[place] == hash && !id.isEmpty
    }
}
