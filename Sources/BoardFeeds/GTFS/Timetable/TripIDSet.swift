/// Whether a timetable has a trip, for all of a feed's trips, of which those that call at a stop of interest alone are kept.
///
/// 32 bits of a hash are kept of each identifier: 4 bytes a trip, 2.4 MB for a country with 600,000. Of 7,000 identifiers that
/// such a timetable does not have one is taken for one of its own.
struct TripIDSet: Sendable {
    /// Ascending.
    private let hashes: [UInt32]
    private let seed: UInt64

    /// None.
    init() {
        self.init([], seed: 0)
    }

    /// - Parameters:
    ///   - hashes: of the identifiers, in any order.
    ///   - seed: with which they were made.
    init(_ hashes: some Sequence<UInt64>, seed: UInt64) {
        var upper = hashes.map { UInt32($0 >> 32) }
        upper.sort()
        self.hashes = upper
        self.seed = seed
    }

    /// Whether the timetable has a trip with this identifier.
    func contains(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        let hash = UInt32(ByteKeys.hash(bytes.span, 0..<bytes.count, seed) >> 32)
        var (low, high) = (0, hashes.count)
        while low < high {
            let middle = (low + high) / 2
            if hashes[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < hashes.count && hashes[low] == hash && !bytes.isEmpty
    }
}
