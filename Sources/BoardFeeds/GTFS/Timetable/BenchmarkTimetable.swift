package import BoardCore
internal import BoardFormats
internal import BoardIO
internal import Glibc

/// A timetable, for `boardd-bench`.
package struct BenchmarkTimetable: Sendable {
    private let timetable: Timetable
    private let report: TimetableReport

    /// Reads an archive.
    package init(archive path: String, stops: [String], zone: @escaping FeedContext.ZoneSource) throws {
        (timetable, report) = try TimetableReader.read(GTFSArchive(path: path), stops: stops, zone: zone)
    }

    /// The size of the timetable, and the number of rows of `stop_times.txt`.
    package var size: (rows: Int, trips: Int, patterns: Int, calls: Int) {
        (report.stopTimes, timetable.trips.count, timetable.patterns.count, timetable.calls.count)
    }

    /// Whether the rows of a trip were not contiguous.
    package var isUnsorted: Bool { report.isUnsorted }
    package var badRows: Int { report.badRowCount }
    /// The last valid day.
    package var lastDay: CivilDate? { report.lastDay }

    /// The number of departures from a stop in a window.
    package func departures(of code: String, in window: Range<Timestamp>) -> Int {
        timetable.departures(at: timetable.places(of: code), in: window).count
    }

    /// The first departure from a stop at or after a time.
    package func first(of code: String, from moment: Timestamp) -> Timestamp? {
        timetable.firstDeparture(at: timetable.places(of: code), from: moment, days: 7)?.departure
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
    package static func scan(stopTimes path: String, stops: [String]) throws -> (rows: Int, trips: Int) {
        var reader = StopTimesReader(StopSelection(stops))
        var report = TimetableReport()
        try reader.read(Table(path, PlainFile(path), StopTimesReader.columns), &report)
        return (report.stopTimes, reader.trips.ids.count)
    }
}

/// A file outside of an archive.
private final class PlainFile: ByteSource {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(GTFSFailure) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[room])
            return unsafe Glibc.read(descriptor, part.baseAddress, part.count)
        }
        guard count >= 0 else {
            throw GTFSFailure(kind: .unopened, file: path, detail: "cannot be read: \(errnoText(errno))")
        }
        return count
    }
}
