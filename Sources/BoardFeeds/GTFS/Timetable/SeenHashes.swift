/// A set of trip hashes, for detecting repeated trips: 8 to 16 bytes per trip.
///
/// Two trips with one hash (in a feed with a million trips, one chance in 10^7) cost a second reading, never a wrong
/// timetable.
struct SeenHashes {
    private var slots = [UInt64](repeating: 0, count: 16_384)
    private(set) var count = 0
    var capacity: Int { slots.count }
    /// All hashes, unordered.
    var all: some Sequence<UInt64> { slots.lazy.filter { $0 != 0 } }

    /// Adds a hash.
    ///
    /// - Returns: whether it is new.
    mutating func insert(_ hash: UInt64) -> Bool {
        // 0 is an empty slot.
        let hash = max(hash, 1)
        guard put(hash) else { return false }
        count += 1
        if count * 4 > slots.count * 3 {
            let old = slots
            slots = [UInt64](repeating: 0, count: old.count * 2)
            for hash in old where hash != 0 { _ = put(hash) }
        }
        return true
    }

    private mutating func put(_ hash: UInt64) -> Bool {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = hash
        return true
    }
}
