internal import BoardCore
internal import BoardFeeds

/// How long a message of GTFS-Realtime takes from its bytes to the departures of some stops.
enum RealtimeCost {
    /// Prints the live departures, all departures and the microseconds of CPU that a message takes, with tabs between them.
    ///
    /// - Parameters:
    ///   - archive: the timetable's zip.
    ///   - stops: `stop_id`, with commas between them.
    ///   - file: the message.
    ///   - moment: when it came, in seconds since 1970.
    ///   - count: how often it is read.
    static func report(archive: String, stops: String, file: String, moment: Int64, count: Int) {
        do {
            let codes = stops.split(separator: ",").map(String.init)
            let realtime = try BenchmarkRealtime(archive: archive, stops: codes, zone: TimetableCost.zone)
            let (body, now) = (Files.read(file), Timestamp(seconds: moment))
            let rows = try realtime.rows(of: body, now: now)
            let began = ProcessCost.cpu
            for _ in 0..<count { _ = try realtime.rows(of: body, now: now) }
            let each = (ProcessCost.cpu - began).inMicroseconds / Double(count)
            print(rows.live, rows.all, each.text(1), separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }
}
