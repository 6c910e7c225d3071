package import BoardCore

/// Messages over a timetable as the program has them, for the measurements of `boardd-bench`, which is a program of its own.
package struct BenchmarkRealtime: Sendable {
    private let index: RealtimeIndex
    private let stops: [StopID]

    /// Reads an archive.
    package init(archive path: String, stops codes: [String], zone: @escaping FeedContext.ZoneSource) throws {
        let (timetable, _) = try TimetableReader.read(GTFSArchive(path: path), stops: codes, zone: zone)
        index = RealtimeIndex(timetable, stops: codes)
        stops = codes.map { StopID(feed: FeedName("gtfs.measured"), code: $0) }
    }

    /// All that a feed does with a message: its bytes become the departures of every stop.
    ///
    /// - Returns: how many of them have a live time, and how many there are.
    package func rows(of body: [UInt8], now: Timestamp) throws -> (live: Int, all: Int) {
        let message = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let board = RealtimeOverlay([message], over: index, now: now)
        var rows = (live: 0, all: 0)
        for stop in stops {
            let departures = board.departures(at: stop, now: now, ahead: .seconds(7_200))
            rows.all += departures.count
            // By their places: the departures themselves are large to be copied.
            rows.live += departures.indices.count { if case .expected = departures[$0].status { true } else { false } }
        }
        return rows
    }
}
