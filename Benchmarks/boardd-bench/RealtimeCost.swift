import BoardCore
import BoardFeeds

/// The CPU time of a GTFS-Realtime message from its bytes to the departures of some stops.
enum RealtimeCost {
    /// Prints the live departures, all departures and the CPU time of a message in microseconds, separated by tabs.
    ///
    /// - Parameters:
    ///   - archive: the timetable's zip.
    ///   - stops: `stop_id`, separated by commas.
    ///   - file: the message.
    ///   - moment: its time of arrival, in seconds since 1970.
    ///   - count: the number of readings.
    static func report(archive: String, stops: String, file: String, moment: Int64, count: Int) {
        do {
            let codes = stops.split(separator: ",").map(String.init)
            let (timetable, _) = try TimetableReader.read(
                GTFSArchive(path: archive), stops: codes, zone: TimetableCost.zone)
            let index = RealtimeIndex(timetable, stops: codes)
            let stopIDs = codes.map { StopID(feed: FeedName("gtfs.measured"), code: $0) }
            let (body, now) = (Files.read(file), Timestamp(seconds: moment))
            let rows = try Self.rows(of: body, over: index, at: stopIDs, now: now)
            let began = ProcessCost.cpu
            for _ in 0..<count { _ = try Self.rows(of: body, over: index, at: stopIDs, now: now) }
            let each = (ProcessCost.cpu - began).inMicroseconds / Double(count)
            print(rows.live, rows.all, each.text(1), separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// Does a feed's work for one message: decodes its bytes and makes the departures of every stop.
    ///
    /// - Returns: the number of departures with a live time, and of all departures.
    private static func rows(
        of body: [UInt8], over index: RealtimeIndex, at stops: [StopID], now: Timestamp
    ) throws -> (live: Int, all: Int) {
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
