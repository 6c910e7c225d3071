import BoardCore

/// Reads `stop_times.txt` once, and stores the trips that call at one of the given stops.
///
/// Only the trip and the stop of each row are scanned. The current trip's rows stay in the buffer, and are read in full
/// if one of them is at such a stop. In most feeds the rows of a trip are contiguous; in others the first pass finds
/// the trips, and a second one reads their rows.
package struct StopTimesReader {
    /// The columns scanned in every row.
    package static let columns = [StopTimeColumn.trip, .stop].map(\.name)

    /// The numbered stops; those of the selected trips are added.
    private(set) var places: ByteKeys
    private(set) var headsigns = ByteKeys(), bookingRules = ByteKeys()
    package private(set) var trips = SelectedTrips()
    /// All trips of the file, selected or not.
    private(set) var allTripIDs = TripIDSet()

    /// The selected stops only; nearly all lookups fail.
    private let requested: ByteKeys
    private var calls: [TripCall] = []
    /// The calls of the previous selected trip, which nearly always has the same places.
    private var previous: [TripCall] = []
    /// Whether the current trip's calls are in order and have times, as nearly all do.
    private var isComplete = true
    private let seed = UInt64.random(in: .min ... .max)
    private let limits: GTFSLimits

    package init(_ selection: StopSelection, _ limits: GTFSLimits = GTFSLimits()) {
        self.limits = limits
        places = selection.places
        requested = selection.places
    }

    var textCount: Int { places.textCount + headsigns.textCount + bookingRules.textCount + trips.ids.textCount }

    mutating func read(_ archive: GTFSArchive, _ report: inout TimetableReport) throws(TableError) {
        try read(Table(GTFSFile.stopTimes.name, archive.open(.stopTimes), Self.columns), &report)
        guard report.isUnsorted else { return }
        let table = try Table(StopTimeColumn.self, in: archive)
        try readAgain(table, &report)
    }

    /// Reads the trips from a table with ``columns``, unless its rows turn out to be unsorted.
    package mutating func read(_ table: consuming Table, _ report: inout TimetableReport) throws(TableError) {
        let few = table.scanner
        let all = try table.scanner(for: StopTimeColumn.names)
        var seen = HashSlots()
        /// The current trip's ID relative to its first row, and that row's line.
        var (id, firstLine) = (TableField(), 0)
        /// The current trip's number, once it is selected.
        var selected: Int?
        while try table.next() {
            report.stopTimes += 1
            if let held = table.held, table.isRepeated || table.has(id.moved(by: held)) {
                if selected != nil {
                    var row = table.row
                    if !report.isUnsorted { take(&row, of: table.bytes.span, table.line, &report) }
                    continue
                }
            } else {
                if let trip = selected {
                    try end(trip, firstLine, &report)
                    table.use(few)
                    selected = nil
                }
                if !seen.insert(table.bytes.span.hash(table.field(StopTimeColumn.trip).range, seed)), !report.isUnsorted
                {
                    report.isUnsorted = true
                    trips.dropCalls()
                }
                try GTFSLimits.check(seen.count, limits.trips, "trips", .stopTimes)
                id = table.field(StopTimeColumn.trip).moved(by: -table.start)
                firstLine = table.line
                table.hold()
            }
            // Inline for millions of rows: a helper function would retain and release the keys for each.
            guard requested.number(of: table.row[StopTimeColumn.stop], in: table.bytes.span) != ByteKeys.unknown else {
                continue
            }
            selected = trips.ids.insert(table.field(StopTimeColumn.trip), of: table.bytes.span)
            try check()
            guard !report.isUnsorted else { continue }
            begin()
            takeHeld(table, firstLine, all, &report)
            table.use(all)
        }
        if let trip = selected { try end(trip, firstLine, &report) }
        allTripIDs = TripIDSet(seen.all, seed: seed)
    }

    /// Reads the rows of a trip up to the one that selected it.
    private mutating func takeHeld(
        _ table: borrowing Table, _ firstLine: Int, _ scanner: RowScanner, _ report: inout TimetableReport
    ) {
        var (place, line) = (table.held ?? table.start, firstLine)
        var (row, shape) = (TableRow(), RowShape())
        while place <= table.start {
            place = table.read(scanner, at: place, &shape, into: &row)
            if !row.isBlank { take(&row, of: table.bytes.span, line, &report) }
            line += row.lines
        }
    }

    /// Stores a selected trip after its last row.
    private mutating func end(_ trip: Int, _ firstLine: Int, _ report: inout TimetableReport) throws(TableError) {
        guard !report.isUnsorted else { return }
        complete(firstLine, &report)
        trips.setCalls(calls, of: trip)
        try check()
    }

    private func check() throws(TableError) {
        try GTFSLimits.check(
            trips.ids.count, limits.selectedTrips, "trips that call at the requested stops", .stopTimes)
        try GTFSLimits.check(trips.calls.count, limits.selectedCalls, "calls of the selected trips", .stopTimes)
        try GTFSLimits.check(places.count, limits.selectedStops, "stops of the selected trips", .stopTimes)
        try GTFSLimits.check(textCount, limits.selectedText, "bytes of identifiers of the selected trips", .stopTimes)
        try GTFSLimits.check(calls.count, limits.tripCalls, "calls of one trip", .stopTimes)
    }

    private mutating func begin() {
        swap(&calls, &previous)
        calls.removeAll(keepingCapacity: true)
        isComplete = true
    }

    /// Sorts the current trip's calls and completes their times.
    private mutating func complete(_ line: Int, _ report: inout TimetableReport) {
        guard !isComplete else { return }
        let faults = calls.complete()
        func countBadRow(_ detail: String) {
            report.countBadRow(.stopTimes, TableError(StopTimeColumn.departure, line: line, detail))
        }
        if faults.hasNoEnd { countBadRow("the trip that begins there has no time at its first or last stop") }
        for sequence in faults.backwards {
            countBadRow("the trip that begins there goes back in time at stop_sequence \(sequence)")
        }
    }

    /// Adds a row to the current trip, or counts it as unreadable.
    ///
    /// - Parameter row: not changed; `inout` avoids a copy of the large value.
    private mutating func take(
        _ row: inout TableRow, of bytes: Span<UInt8>, _ line: Int, _ report: inout TimetableReport
    ) {
        // A row without a stop is for a zone of on-demand service.
        let stop = row[StopTimeColumn.stop]
        guard !stop.isEmpty else { return }
        guard let sequence = bytes.integer(row[StopTimeColumn.sequence]) else {
            return report.countBadRow(
                .stopTimes,
                TableError(
                    StopTimeColumn.sequence, line: line, found: row[StopTimeColumn.sequence], in: bytes,
                    "a whole number"))
        }
        // A call with an unreadable time counts: it may be the trip's last.
        let arrival = Self.time(row, bytes, line, .arrival, &report)
        var departure = Self.time(row, bytes, line, .departure, &report)
        let call = Int32(truncatingIfNeeded: sequence)
        if min(arrival, departure) <= TripCall.unreadable { isComplete = false }
        departure = TripCall.departure(departure, after: arrival)
        if calls.last.isSomeAnd({ $0.sequence > call || $0.departure > departure }) { isComplete = false }
        let headsign = row[StopTimeColumn.headsign]
        let (distance, rule) = (row[StopTimeColumn.distance], row[StopTimeColumn.bookingRule])
        calls.append(
            TripCall(
                place: place(of: stop, bytes), sequence: call, arrival: arrival, departure: departure,
                headsign: headsign.isEmpty ? -1 : Int32(truncatingIfNeeded: headsigns.insert(headsign, of: bytes)),
                distance: distance.isEmpty ? .nan : Float(bytes.decimal(distance) ?? .nan),
                boarding: Boarding(bytes.integer(row[StopTimeColumn.pickup])),
                bookingRule: rule.isEmpty ? -1 : Int16(truncatingIfNeeded: bookingRules.insert(rule, of: bytes)),
                hasWindow: departure == TripCall.none && !row[StopTimeColumn.window].isEmpty))
    }

    @inline(__always)
    private mutating func place(of stop: TableField, _ bytes: Span<UInt8>) -> Int32 {
        if calls.count < previous.count {
            let guess = previous[calls.count].place
            if places.isNumber(Int(guess), of: stop, in: bytes) { return guess }
        }
        return Int32(truncatingIfNeeded: places.insert(stop, of: bytes))
    }

    /// A time; ``TripCall/none`` if blank; ``TripCall/unreadable`` if invalid, which is counted.
    @inline(__always)
    static func time(
        _ row: borrowing TableRow, _ bytes: Span<UInt8>, _ line: Int, _ column: StopTimeColumn,
        _ report: inout TimetableReport
    ) -> Int32 {
        let field = row[column]
        if field.isEmpty { return TripCall.none }
        if let time = bytes.time(field) { return time }
        report.countBadRow(.stopTimes, TableError(column, line: line, found: field, in: bytes, "a time as HH:MM:SS"))
        return TripCall.unreadable
    }

    /// Reads the rows of the trips that the first pass selected.
    private mutating func readAgain(_ table: consuming Table, _ report: inout TimetableReport) throws(TableError) {
        var all = ChunkedCalls()
        var owners: [Int32] = []
        var first = [Int](repeating: 0, count: trips.ids.count)
        while try table.next() {
            let trip = table.number(of: StopTimeColumn.trip, in: trips.ids)
            guard trip != ByteKeys.unknown else { continue }
            begin()
            var row = table.row
            take(&row, of: table.bytes.span, table.line, &report)
            guard let call = calls.first else { continue }
            if first[trip] == 0 { first[trip] = table.line }
            all.append(call)
            owners.append(Int32(truncatingIfNeeded: trip))
            try GTFSLimits.check(all.count, limits.selectedCalls, "calls of the selected trips", .stopTimes)
            try check()
        }
        // A counting sort by trip, which is stable.
        var starts = [Int](repeating: 0, count: trips.ids.count + 1)
        for owner in owners { starts[Int(owner) + 1] += 1 }
        for trip in 0..<trips.ids.count { starts[trip + 1] += starts[trip] }
        var next = starts
        var order = [Int32](repeating: 0, count: all.count)
        for (index, owner) in owners.enumerated() {
            order[next[Int(owner)]] = Int32(truncatingIfNeeded: index)
            next[Int(owner)] += 1
        }
        for trip in 0..<trips.ids.count {
            begin()
            // Completeness was determined for single rows only.
            isComplete = false
            for place in starts[trip]..<starts[trip + 1] { calls.append(all[Int(order[place])]) }
            complete(first[trip], &report)
            trips.setCalls(calls, of: trip)
        }
        try check()
    }
}

/// Whether passengers may board at a call: `pickup_type`.
package enum Boarding: UInt8, Sendable {
    case regular, none, phone, driver

    /// - Parameter value: nil and unknown values count as regular.
    init(_ value: Int?) { self = value.flatMap { UInt8(exactly: $0) }.flatMap(Boarding.init) ?? .regular }

    /// How passengers arrange boarding beforehand; nil: they need not.
    ///
    /// - Parameter rule: the booking rule of the call, if any.
    func arrangement(_ rule: TripAttributes.Arrangement?) -> TripAttributes.Arrangement? {
        switch self {
        case .regular, .none: nil
        case .phone: TripAttributes.Arrangement(by: .phone, message: rule?.message, phone: rule?.phone)
        case .driver: TripAttributes.Arrangement(by: .driver, message: rule?.message, phone: rule?.phone)
        }
    }
}

extension TimetableReader {
    /// The rules of `booking_rules.txt` that selected calls have.
    mutating func readBookingRules() throws(TableError) -> [TripAttributes.Arrangement?] {
        let keys = stopTimes.bookingRules
        var found = [TripAttributes.Arrangement?](repeating: nil, count: keys.count)
        guard keys.count > 0, archive.contains(.bookingRules) else { return found }
        try rows(of: BookingRuleColumn.self) { reader, table throws(TableError) in
            let number = table.number(of: BookingRuleColumn.id, in: keys)
            guard number != ByteKeys.unknown else { return }
            try reader.countNames(
                table.textCount(BookingRuleColumn.message, .pickupMessage, .phone), from: .bookingRules)
            found[number] = TripAttributes.Arrangement(
                by: .phone,
                message: table.nameIfAny(BookingRuleColumn.pickupMessage) ?? table.nameIfAny(BookingRuleColumn.message),
                phone: table.nameIfAny(BookingRuleColumn.phone))
        }
        return found
    }
}
