/// The trips that call at a stop of interest, as `stop_times.txt` tells of them.
struct SelectedTrips {
    /// `trip_id`, numbered in the order of the file.
    private(set) var ids = ByteKeys()
    /// The pattern of each trip; -1: nothing of it could be read.
    private(set) var patterns: [Int32] = []
    /// The first departure of each trip.
    private(set) var starts: [Int32] = []
    private(set) var store = PatternStore()

    /// Gives a trip that is known by its name alone its calls, in order and all with times.
    mutating func put(_ number: Int, _ calls: [TripCall]) {
        while patterns.count <= number {
            patterns.append(-1)
            starts.append(0)
        }
        guard !calls.isEmpty else { return }
        let (pattern, start) = store.pattern(of: calls)
        patterns[number] = Int32(truncatingIfNeeded: pattern)
        starts[number] = Int32(truncatingIfNeeded: start)
    }

    /// Drops the calls and keeps the names, to which more may come.
    mutating func dropCalls() {
        (patterns, starts, store) = ([], [], PatternStore())
    }

    /// Remembers a trip by its name alone.
    ///
    /// - Returns: its number.
    mutating func name(_ id: TableField, of table: Span<UInt8>) -> Int {
        ids.insert(id, of: table)
    }

    /// That there are more than any station's.
    ///
    /// - Throws: ``GTFSFailure`` of kind `tooLarge`.
    func check(_ limits: GTFSLimits) throws(GTFSFailure) {
        try GTFSLimits.check(ids.count, limits.selectedTrips, "trips that call at the stops of interest", .stopTimes)
        try GTFSLimits.check(store.calls.count, limits.selectedCalls, "calls of trips of interest", .stopTimes)
    }
}
