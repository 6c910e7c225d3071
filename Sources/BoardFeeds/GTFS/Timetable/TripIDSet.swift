/// The `trip_id`s of a feed, including trips that are not selected.
///
/// It stores 32 bits of each ID's hash: 4 bytes per trip, 2.4 MB for a country with 600,000. For such a timetable, one in
/// 7,000 unknown IDs is a false positive.
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
