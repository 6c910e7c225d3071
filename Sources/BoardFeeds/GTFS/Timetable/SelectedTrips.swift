internal import BoardFormats

/// The trips that call at a requested stop, from `stop_times.txt`.
struct SelectedTrips {
    /// `trip_id`, numbered in the order of the file.
    private(set) var ids = ByteKeys()
    /// The pattern of each trip; -1: unreadable.
    private(set) var patterns: [Int32] = []
    /// The first departure of each trip.
    private(set) var starts: [Int32] = []
    private(set) var store = PatternStore()

    /// Sets the calls of a trip, which are in order and have times.
    mutating func setCalls(_ calls: [TripCall], of number: Int) {
        while patterns.count <= number {
            patterns.append(-1)
            starts.append(0)
        }
        guard !calls.isEmpty else { return }
        let (pattern, start) = store.pattern(of: calls)
        patterns[number] = Int32(truncatingIfNeeded: pattern)
        starts[number] = Int32(truncatingIfNeeded: start)
    }

    /// Drops the calls, but not the IDs, to which more may be added.
    mutating func dropCalls() {
        (patterns, starts, store) = ([], [], PatternStore())
    }

    /// Adds a trip without calls.
    ///
    /// - Returns: its number.
    mutating func insert(_ id: TableField, of table: Span<UInt8>) -> Int {
        ids.insert(id, of: table)
    }

    /// - Throws: ``GTFSFailure`` of kind `tooLarge` beyond the limits.
    func check(_ limits: GTFSLimits) throws(GTFSFailure) {
        try GTFSLimits.check(ids.count, limits.selectedTrips, "trips that call at the requested stops", .stopTimes)
        try GTFSLimits.check(store.calls.count, limits.selectedCalls, "calls of the selected trips", .stopTimes)
    }
}
