package import BoardCore
internal import BoardFormats

/// Realtime messages over a timetable, for `boardd-bench`.
package struct BenchmarkRealtime: Sendable {
    private let index: RealtimeIndex
    private let stops: [StopID]

    /// Reads an archive.
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
