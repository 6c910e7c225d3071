/// Hashes that came by: whether a trip has been there before, at eight to sixteen bytes a trip.
///
/// Two trips with one hash (one case in 10^7 in a feed with a million trips) cost a second reading, never a wrong timetable.
struct SeenHashes {
    private var slots = [UInt64](repeating: 0, count: 16_384)
    /// How many.
    private(set) var count = 0
    /// For how many there is room.
    var room: Int { slots.count }
    /// All of them, in no order.
    var all: some Sequence<UInt64> { slots.lazy.filter { $0 != 0 } }

    /// Remembers a hash.
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
