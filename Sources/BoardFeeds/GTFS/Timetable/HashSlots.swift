/// A table of hashes, each with a number: 8 bytes in a slot, of which at most three quarters are in use.
///
/// Two texts with one hash are confused. Of the 64 bits, `numberBits` are those of the number: among a million texts there
/// is one chance in 10^7 without numbers, and one in 40 with 20 bits.
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

    /// Adds a hash with a number, unless there is one.
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
