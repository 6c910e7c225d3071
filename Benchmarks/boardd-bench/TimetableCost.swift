import BoardCore
import BoardFeeds
import Glibc

/// The cost of a city's timetable from its archive to departures, with the product's code.
enum TimetableCost {
    /// The length of the board, and the number of queries.
    private static let ahead = Duration.seconds(3_600), rounds = 200

    /// Reads an archive and prints its size and cost: rows, trips, patterns, calls, kB of peak memory and of memory
    /// before, microseconds of a query for the next hour, and its departures, separated by tabs.
    ///
    /// - Parameters:
    ///   - archive: the zip.
    ///   - stops: `stop_id`, separated by commas; the queries are for the first.
    ///   - moment: the start of the query, in seconds since 1970.
    static func report(archive: String, stops: String, moment: Int64) {
        let codes = stops.split(separator: ",").map(String.init)
        let idle = ProcessCost.memory
        do {
            let (timetable, report) = try TimetableReader.read(GTFSArchive(path: archive), stops: codes, zone: zone)
            let peak = ProcessCost.peakMemory
            let from = Timestamp(seconds: moment)
            var times: [Duration] = []
            var found = 0
            let clock = ContinuousClock()
            for _ in 0..<rounds {
                let began = clock.now
                found = timetable.departures(at: timetable.places(of: codes[0]), in: from..<from + ahead).count
                times.append(clock.now - began)
            }
            print(
                report.stopTimes, timetable.trips.count, timetable.patterns.count, timetable.calls.count, peak, idle,
                times.sorted()[rounds / 2].inMicroseconds.text(1), found, separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// Reads an archive for the stop directory and prints its stops and kB of peak memory and of memory before.
    static func stops(archive: String) {
        let idle = ProcessCost.memory
        do {
            let stops = try GTFSListing(GTFSArchive(path: archive), feed: FeedName("gtfs.measured")).stops { _ in }
                .entries
            print(stops, ProcessCost.peakMemory, idle, separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// Reads an unpacked `stop_times.txt` and prints its rows, the trips of the stops and the seconds of CPU.
    static func scan(file: String, stops: String) {
        do {
            let began = ProcessCost.cpu
            var reader = StopTimesReader(StopSelection(stops.split(separator: ",").map(String.init)))
            var report = TimetableReport()
            try reader.read(Table("stop_times.txt", FileBytes(file), StopTimesReader.columns), &report)
            print(
                report.stopTimes, reader.trips.ids.count, (ProcessCost.cpu - began).inSeconds.text(4), separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// The rule of the measured feeds, so that no zone file is read.
    static func zone(_ name: String) throws(FeedSettingError) -> Zone {
        do {
            return try Zone(posix: "EST5EDT,M3.2.0,M11.1.0")
        } catch {
            throw FeedSettingError(setting: "zone", detail: "\(error)")
        }
    }
}

/// The bytes of a file, read in chunks as from an archive.
private final class FileBytes: ByteSource {
    private let file: Int32

    init(_ path: String) {
        file = unsafe open(path, O_RDONLY)
    }

    deinit { _ = close(file) }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(file, bytes.baseAddress?.advanced(by: room.lowerBound), room.count)
        }
        return max(count, 0)
    }
}
