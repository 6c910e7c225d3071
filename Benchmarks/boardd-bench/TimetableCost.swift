internal import BoardCore
internal import BoardFeeds

/// How long a city's timetable takes from its archive to departures, by what the product uses.
enum TimetableCost {
    /// How far a board looks ahead, and how often it is asked.
    private static let ahead = Duration.seconds(3_600), rounds = 200

    /// Reads an archive and prints what became of it and what it cost: rows, trips, patterns, calls, kB of memory at the most
    /// and before, microseconds of a question for the next hour, and its departures, with tabs between them.
    ///
    /// - Parameters:
    ///   - archive: the zip.
    ///   - stops: `stop_id`, with commas between them; the questions are asked of the first.
    ///   - moment: when the questions are asked, in seconds since 1970.
    static func report(archive: String, stops: String, moment: Int64) {
        let codes = stops.split(separator: ",").map(String.init)
        let idle = ProcessCost.memory
        do {
            let timetable = try BenchmarkTimetable(archive: archive, stops: codes, zone: zone)
            let peak = ProcessCost.peakMemory
            let size = timetable.size
            let from = Timestamp(seconds: moment)
            var times: [Duration] = []
            var found = 0
            let clock = ContinuousClock()
            for _ in 0..<rounds {
                let began = clock.now
                found = timetable.departures(of: codes[0], in: from..<from + ahead)
                times.append(clock.now - began)
            }
            print(
                size.rows, size.trips, size.patterns, size.calls, peak, idle,
                times.sorted()[rounds / 2].inMicroseconds.text(1), found, separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// Reads an archive for the stop directory and prints its stops and kB of memory at the most and before.
    static func stops(archive: String) {
        let idle = ProcessCost.memory
        do {
            let stops = try BenchmarkTimetable.stops(archive: archive)
            print(stops, ProcessCost.peakMemory, idle, separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// Reads an unpacked `stop_times.txt` and prints its rows, the trips of the stops and the seconds of CPU.
    static func scan(file: String, stops: String) {
        do {
            let began = ProcessCost.cpu
            let (rows, trips) = try BenchmarkTimetable.scan(
                stopTimes: file, stops: stops.split(separator: ",").map(String.init))
            print(rows, trips, (ProcessCost.cpu - began).inSeconds.text(4), separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// The rule of the feeds that are measured, so that no zone file is read.
    static func zone(_ name: String) throws(FeedSettingFailure) -> Zone {
        do {
            return try Zone(posix: "EST5EDT,M3.2.0,M11.1.0")
        } catch {
            throw FeedSettingFailure(setting: "zone", detail: "\(error)")
        }
    }
}
