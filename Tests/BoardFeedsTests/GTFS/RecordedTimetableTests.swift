import BoardCore
import FoundationEssentials
import Glibc
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("Recorded GTFS archives", .needsRecordings)
struct RecordedTimetableTests {
    /// A feed, and some days: a weekday, a Sunday, a day with exceptions, and days of a clock change.
    struct Recording: Sendable, CustomTestStringConvertible {
        let name: String
        let days: [String]
        var testDescription: String { name }
    }

    static let recordings = [
        Recording(name: "transitland_caltrain", days: ["20180516", "20180520", "20180704", "20180311", "20181104"]),
        Recording(name: "transitland_bart", days: ["20180613", "20180617", "20180704", "20190310", "20181104"]),
        Recording(name: "transitland_trimet-2routes", days: ["20211117", "20211121", "20211125", "20211107"]),
        Recording(name: "bullrunner-gtfs", days: ["20180516", "20180520", "20180311", "20181104"]),
        Recording(
            name: "bullrunner-gtfs-timepoints-only-legacy-exact-times-1", days: ["20180516", "20180520", "20180311"]),
        Recording(name: "transitland_example-nested-dir", days: ["20070604", "20070605", "20070610"]),
    ]

    /// A zone of this machine.
    private static func zone(_ name: String) throws(FeedSettingError) -> Zone {
        do {
            let bytes = try RecordingFiles.read("/usr/share/zoneinfo/" + name)
            return try Zone(tzif: bytes.span)
        } catch {
            throw FeedSettingError(setting: "zone", detail: "no time zone \"\(name)\": apt install tzdata")
        }
    }

    private func path(_ name: String) -> String { Recordings.folder + "/gtfs/" + name + ".zip" }

    /// Whether the recording and the zones exist; an issue if not.
    private func exists(_ name: String) -> Bool {
        for path in [path(name), "/usr/share/zoneinfo/Europe/London"] where unsafe access(path, R_OK) != 0 {
            Issue.record("no \(path)")
            return false
        }
        return true
    }

    /// `stop_id` of all stops of an archive.
    private func stops(_ archive: GTFSArchive) throws(TableError) -> [String] {
        var table = try Table("stops.txt", archive.open(.stops), ["stop_id"])
        var stops: [String] = []
        while try table.next() { stops.append(table.text(0)) }
        return stops
    }

    /// The departures of one stop on a day, in the format of the independent reader.
    private func lines(_ timetable: Timetable, _ stop: String, _ day: CivilDate) -> [String] {
        func midnight(_ day: CivilDate) -> Timestamp {
            let local = LocalTime(secondsSince1970: day.daysSince1970 * 86_400)
            return timetable.zone.timestamp(of: local, nearest: Timestamp(seconds: .min))
        }
        let window = midnight(day)..<midnight(day.adding(days: 1))
        return timetable.departures(at: timetable.places(of: stop).prefix(1).map(\.self), in: window).map { call in
            let trip = timetable.trips[call.instance.trip]
            let planned = timetable.calls(of: call.instance.trip)
            let own = planned[planned.startIndex + call.position]
            let service = call.instance.day
            let date =
                "\(service.year)-\(service.month < 10 ? "0" : "")\(service.month)-\(service.day < 10 ? "0" : "")\(service.day)"
            let headsign = own.headsign >= 0 ? timetable.headsigns[Int(own.headsign)] : trip.headsign
            let line = timetable.routes[trip.route].name
            return [stop, "\(call.departure.seconds)", trip.id, date, line, headsign].joined(separator: "\t")
        }
    }

    private func days(_ recording: Recording) -> [CivilDate] {
        recording.days.compactMap { text in
            Int(text).flatMap { CivilDate(year: $0 / 10_000, month: $0 / 100 % 100, day: $0 % 100) }
        }
    }

    @Test("every stop has the departures of an independent reader, in order", arguments: recordings)
    func everyStop(_ recording: Recording) throws {
        guard exists(recording.name), let expected = try PlainTimetable.lines(path(recording.name), recording.days)
        else { return }
        let archive = try GTFSArchive(path: path(recording.name))
        let stops = try stops(archive)
        let (timetable, _) = try TimetableReader.read(archive, stops: stops, zone: Self.zone)
        var found: [String] = []
        for day in days(recording) {
            for stop in stops {
                let lines = lines(timetable, stop, day)
                let times = lines.map { $0.split(separator: "\t")[1] }
                #expect(times == times.sorted(), "\(stop) on \(day)")
                found += lines
            }
        }
        #expect(expected.count > 10)
        let missing = Set(expected).subtracting(found).sorted()
        let excess = Set(found).subtracting(expected).sorted()
        #expect(missing.isEmpty && excess.isEmpty, "missing \(missing.prefix(3)), in excess \(excess.prefix(3))")
        #expect(found.count == expected.count)
        print(
            "Compared \(recording.name): \(found.count) departures of \(stops.count) stops on \(recording.days.count) days."
        )
    }

    @Test(
        "a stop has the same departures alone and among all",
        arguments: ["transitland_caltrain", "bullrunner-gtfs", "google_sample-feed-1"])
    func oneByOne(_ name: String) throws {
        guard exists(name) else { return }
        let archive = try GTFSArchive(path: path(name))
        let stops = try stops(archive)
        let all = try TimetableReader.read(archive, stops: stops, zone: Self.zone).timetable
        let days = days(Recording(name: name, days: ["20180704", "20180311", "20070604"]))
        for stop in stops {
            let (alone, report) = try TimetableReader.read(archive, stops: [stop], zone: Self.zone)
            #expect(alone.trips.count <= all.trips.count)
            #expect(report.unknownStops.isEmpty)
            for day in days { #expect(lines(alone, stop, day) == lines(all, stop, day), "\(stop) on \(day)") }
        }
    }

    @Test("every recorded archive gives a timetable, or a failure with a file name")
    func everyArchive() throws {
        let folder = Recordings.folder + "/gtfs"
        guard exists("badgtfs") else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count > 20)
        var failed: [String: String] = [:]
        for name in names where name.hasSuffix(".zip") {
            switch reading(folder + "/" + name) {
            case .success(let (timetable, report)):
                #expect(report.unknownStops.isEmpty, "\(name)")
                #expect(report.stopTimes > 0, "\(name)")
                #expect(timetable.trips.allSatisfy { timetable.routes.indices.contains($0.route) }, "\(name)")
            case .failure(let failure): failed[name] = failure.description.replacing(folder + "/", with: "")
            }
        }
        #expect(
            failed == [
                "badgtfs.zip": "agency.txt: is not in badgtfs.zip, which has bad_agency.txt, bad_stops.txt, readme.txt",
                "tidytransit_locations_feed.zip":
                    "stop_times.txt, departure_time: none of 2 rows has a stop and a time",
                "tidytransit_sample-feed-invalid.zip":
                    "stops.txt, line 1, stop_id: the file has no such column; its first line is "
                    + "\"stop_name,stop_desc,stop_lat,stop_lon,zone_id,stop_url\"",
                "transitland_invalid.zip": "transitland_invalid.zip: is not a zip, or is truncated (14 bytes)",
            ])
    }

    /// Reads an archive for its first three stops.
    private func reading(_ path: String) -> Result<(Timetable, TimetableReport), TableError> {
        do throws(TableError) {
            let archive = try GTFSArchive(path: path)
            let codes = archive.contains(.stops) ? try Array(stops(archive).prefix(3)) : ["A"]
            let (timetable, report) = try TimetableReader.read(archive, stops: codes, zone: Self.zone)
            return .success((timetable, report))
        } catch {
            return .failure(error)
        }
    }
}
