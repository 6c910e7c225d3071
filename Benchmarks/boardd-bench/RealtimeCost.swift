internal import BoardCore
internal import BoardFeeds

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
