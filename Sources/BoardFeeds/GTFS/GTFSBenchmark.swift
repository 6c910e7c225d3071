package import BoardCore
internal import BoardFormats

/// A timetable, for `boardd-bench`.
package struct BenchmarkTimetable: Sendable {
    private let timetable: Timetable
    private let report: TimetableReport

    package init(archive path: String, stops: [String], zone: @escaping FeedContext.ZoneSource) throws {
        (timetable, report) = try TimetableReader.read(GTFSArchive(path: path), stops: stops, zone: zone)
    }

    /// The size of the timetable, and the number of rows of `stop_times.txt`.
    package var size: (rows: Int, trips: Int, patterns: Int, calls: Int) {
        (report.stopTimes, timetable.trips.count, timetable.patterns.count, timetable.calls.count)
    }

    /// The number of departures from a stop in a window.
    package func departures(of code: String, in window: Range<Timestamp>) -> Int {
        timetable.departures(at: timetable.places(of: code), in: window).count
    }

    /// Reads an archive's stops with their lines, like the stop directory.
    ///
    /// - Returns: the number of stops.
    package static func stops(archive path: String) throws -> Int {
        try GTFSListing(GTFSArchive(path: path), feed: FeedName("gtfs.measured")).stops { _ in }.entries
    }

    /// Reads an unpacked `stop_times.txt`.
    ///
    /// - Returns: the number of rows, and of selected trips.
    package static func scan(stopTimes bytes: [UInt8], stops: [String]) throws -> (rows: Int, trips: Int) {
        var reader = StopTimesReader(StopSelection(stops))
        var report = TimetableReport()
        try reader.read(Table("stop_times.txt", MemoryBytes(bytes), StopTimesReader.columns), &report)
        return (report.stopTimes, reader.trips.ids.count)
    }
}

/// Realtime messages over a timetable, for `boardd-bench`.
package struct BenchmarkRealtime: Sendable {
    private let index: RealtimeIndex
    private let stops: [StopID]

    package init(archive path: String, stops codes: [String], zone: @escaping FeedContext.ZoneSource) throws {
        let (timetable, _) = try TimetableReader.read(GTFSArchive(path: path), stops: codes, zone: zone)
        index = RealtimeIndex(timetable, stops: codes)
        stops = codes.map { StopID(feed: FeedName("gtfs.measured"), code: $0) }
    }

    /// Does a feed's work for one message: decodes its bytes and makes the departures of every stop.
    ///
    /// - Returns: the number of departures with a live time, and of all departures.
    package func rows(of body: [UInt8], now: Timestamp) throws -> (live: Int, all: Int) {
        let message = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let overlay = RealtimeOverlay([message], over: index, now: now)
        var rows = (live: 0, all: 0)
        for stop in stops {
            let departures = overlay.departures(at: stop, now: now, ahead: .seconds(7_200))
            rows.all += departures.count
            // By index, because copies of departures are expensive.
            rows.live += departures.indices.count { if case .expected = departures[$0].status { true } else { false } }
        }
        return rows
    }
}
