import BoardCore
import BoardIO
import Glibc
import SwiftProtobuf
import TestOperators
import Testing
import TransitRealtime
import Waiting

@testable import boardd

/// Small files that expand to much data: each is read in a process of its own, with an address space that this machine can
/// spare.
@Suite("The program's memory with the worst GTFS files", .serialized, .endsHangs)
struct GTFSMemoryTests {
    /// The program's largest allowed memory, in kB. A debug build takes 57 MB for itself.
    private static let most = 150_000
    /// The limit of the address space, in kB, so that a failure of this test only affects the program.
    private static let space = 3_000_000

    private static let agency = "agency_name,agency_url,agency_timezone\nTown,http://example.org,UTC\n"
    private static let calendar =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        + "all,1,1,1,1,1,1,1,20200101,20991231\n"
    private static let timesHeader = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    private static func archive(trips: String, times: String, routes: String = "R,7,3\n", frequencies: String = "")
        -> [UInt8]
    {
        var files = [
            "agency.txt": agency, "calendar.txt": calendar,
            "routes.txt": "route_id,route_short_name,route_type\n" + routes,
            "stops.txt": "stop_id,stop_name\nP,Park\nQ,Quay\n",
            "trips.txt": "route_id,service_id,trip_id,trip_short_name\n" + trips, "stop_times.txt": timesHeader + times,
        ]
        if !frequencies.isEmpty {
            files["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\n" + frequencies
        }
        return HandMadeZip(files: files).bytes
    }

    private static func clock(_ second: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }

    /// The program's output about the park, and its peak memory, in kB.
    private func measure(
        _ archive: [UInt8], realtime: [UInt8]? = nil
    ) async throws -> (status: Int32?, rows: Int, errors: String, peak: Int) {
        let folder = try TemporaryFolder()
        try RawFile.write(archive, to: folder.path + "/gtfs.zip")
        var config = "[feed.gtfs.town]\ntitle = \"Town\"\nwindow = \"24h\"\ntimetable = \"\(folder.path)/gtfs.zip\"\n"
        if let realtime {
            try RawFile.write(realtime, to: folder.path + "/now.pb")
            config += "realtime = [\"\(folder.path)/now.pb\"]\n"
        }
        try folder.write(config, to: "boardd.toml")
        let program = try Program(
            shell: "ulimit -v \(Self.space); exec \"$0\" \"$@\"",
            ["departures", "gtfs.town:P", "--config", folder.path + "/boardd.toml"], environment: folder.environment)
        var peak = 0
        // It only grows: what is read last is next to the end. A machine under load may miss a process that ends at once, which
        // proves nothing then and fails nothing.
        let status = await eventually(within: Patience.endless) { () -> Int32? in
            let line = KernelFile.read("/proc/\(program.pid)/status").split(separator: "\n").first {
                $0.hasPrefix("VmHWM:")
            }
            peak = max(peak, line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0)
            return program.poll()
        }
        let rows = program.output.split(separator: "\n").count { $0.contains("Quay") }
        return (status, rows, program.errors, peak)
    }

    @Test("a thousand rows of trips every second give a departure per minute each, up to the limit")
    func headways() async throws {
        // In ten minutes: those of the first second fill the limit, and would all have left when the program prints them.
        let start = Int(SystemClock().reading().wall.seconds % 86_400) + 600
        // Those of yesterday have ended.
        let row = "t,\(Self.clock(start)),\(Self.clock(start + 85_000)),1\n"
        let found = try await measure(
            Self.archive(
                trips: "R,all,t,\n", times: "t,00:00:00,00:00:00,P,1\nt,00:10:00,00:10:00,Q,2\n",
                frequencies: String(repeating: row, count: 1_000)))
        #expect(found.status == 0, "\(found.errors)")
        #expect((1_000...2_000).contains(found.rows), "\(found.rows)")
        #expect(found.peak < Self.most)
    }

    @Test("so do a hundred thousand trips in the window")
    func trips() async throws {
        var (trips, times) = ("", "")
        for number in 0..<100_000 {
            let second = number % 86_400
            trips += "R,all,trip number \(number) of this day,train \(number)\n"
            times += "trip number \(number) of this day,\(Self.clock(second)),\(Self.clock(second)),P,1\n"
            times += "trip number \(number) of this day,\(Self.clock(second + 600)),\(Self.clock(second + 600)),Q,2\n"
        }
        let start = ContinuousClock.now
        let found = try await measure(Self.archive(trips: trips, times: times))
        #expect(found.status == 0, "\(found.errors)")
        // At most two trips leave in each second of the run.
        let departed = 2 * Int((ContinuousClock.now - start).components.seconds + 1)
        #expect((1_000 - departed...2_000).contains(found.rows), "\(found.rows)")
        #expect(found.peak < Self.most, "\(found.peak)")
    }

    @Test("a trip with endless calls at the stop is a malformed file")
    func loop() async throws {
        let times = (1...100_000).map { "t,08:00:00,08:00:00,P,\($0)\n" }.joined()
        let found = try await measure(Self.archive(trips: "R,all,t,\n", times: times))
        #expect(found.status != 0)
        #expect(found.errors.contains("has more than 2000 calls of one trip"), "\(found.errors)")
        #expect(found.peak < Self.most, "\(found.peak)")
    }

    @Test("a message with a hundred thousand unknown trains shows as many as the limit allows")
    func realtime() async throws {
        let archive = Self.archive(trips: "R,all,t,\n", times: "t,00:00:00,00:00:00,P,1\nt,00:10:00,00:10:00,Q,2\n")
        let now = SystemClock().reading().wall.seconds
        func call(_ stop: String, _ seconds: Int64) -> TransitRealtime_TripUpdate.StopTimeUpdate {
            var call = TransitRealtime_TripUpdate.StopTimeUpdate()
            call.stopID = stop
            call.departure.time = now + seconds
            return call
        }
        let calls = [call("P", 600), call("Q", 1_200)]
        var message = TransitRealtime_FeedMessage()
        message.header.gtfsRealtimeVersion = "2.0"
        message.header.timestamp = UInt64(now)
        message.entity = (0..<100_000).map { number in
            var entity = TransitRealtime_FeedEntity()
            entity.id = String(number)
            entity.tripUpdate.trip.tripID = entity.id
            entity.tripUpdate.trip.scheduleRelationship = .added
            entity.tripUpdate.stopTimeUpdate = calls
            return entity
        }
        let found = try await measure(archive, realtime: message.serializedBytes())
        #expect(found.status == 0, "\(found.errors)")
        #expect((1_000...2_001).contains(found.rows), "\(found.rows)")
        #expect(found.peak < Self.most, "\(found.peak)")
    }
}

/// A file of raw bytes.
private enum RawFile {
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            try #require(count > 0)
            written += count
        }
    }
}
