import BoardCore
import FoundationEssentials
import LoopbackServer
import Synchronization
import Testing

@testable import boardd

/// A GTFS city on this machine: trams every ten minutes all day, and messages about one of them.
final class Tramway: Sendable {
    /// The operator's files.
    struct Files: Sendable {
        var archive: [UInt8]
        var tag = "\"one\""
        /// The archive comes in two halves, and the second waits until the test continues it.
        var isSlow = false
        /// Whether there are messages.
        var isLive = true
    }

    let files: Responses
    let server: LoopbackServer

    init() throws {
        let files = Responses(Files(archive: Self.archive()))
        self.files = files
        server = try LoopbackServer { head in files.withLock { Self.response(head, $0) } }
    }

    deinit { server.stop() }

    /// The operator's files, for the test and for the server's threads.
    final class Responses: Sendable {
        private let files: Mutex<Files>

        init(_ first: Files) { files = Mutex(first) }

        func withLock<Value: Sendable>(_ body: (inout Files) -> Value) -> Value { files.withLock { body(&$0) } }
    }

    /// The configuration of a board that polls it.
    func config(_ extra: String = "", stop: String = "P") -> [String: String] {
        [
            "boardd.toml": """
            [feed.gtfs.town]
            title = "Town"
            timetable = "\(server.url("/gtfs.zip"))"
            realtime = ["\(server.url("/trips"))"]
            interval = "10s"
            \(extra)
            """,
            "favourites.toml": "[[stop]]\nid = \"gtfs.town:\(stop)\"\nlabel = \"Park\"\n",
        ]
    }

    /// How often a path was requested.
    func count(_ path: String) -> Int { server.requests.count { $0.hasPrefix("GET \(path) ") } }

    private static func response(_ head: String, _ files: Files) -> [LoopbackServer.Step] {
        if head.hasPrefix("GET /trips") {
            return files.isLive ? [.reply(200, [], body: message())] : [.reply(503, text: "")]
        }
        guard head.hasPrefix("GET /gtfs.zip") else { return [.reply(404, text: "")] }
        if head.contains("If-None-Match: \(files.tag)\r\n") { return [.reply(304)] }
        let lines = ["ETag: \(files.tag)", "Content-Length: \(files.archive.count)"]
        let whole = Array(LoopbackServer.Step.head(200, lines).utf8) + files.archive
        guard files.isSlow else { return [.send(whole)] }
        return [.send(Array(whole.prefix(whole.count / 2))), .wait, .send(Array(whole.dropFirst(whole.count / 2)))]
    }

    /// A tram every ten minutes of the day in UTC, from the depot over the park to the quay.
    ///
    /// - Parameters:
    ///   - days: the first and the last day, as the file writes them.
    ///   - time: the text in the times of every tram but one, which does not call at the park; nil: times.
    static func archive(headsign: String = "Quay", days: String = "20200101,20991231", time: String? = nil) -> [UInt8] {
        func clock(_ minutes: Int) -> String {
            let (hour, minute) = (minutes / 60, minutes % 60)
            return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute):00"
        }
        var trips = "route_id,service_id,trip_id,trip_headsign\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for number in 0..<144 {
            trips += "R7,daily,t\(number),\(headsign)\n"
            for (place, stop) in ["D", "P", "Q"].enumerated() {
                let time = time ?? clock(number * 10 + place * 5)
                times += "t\(number),\(time),\(time),\(stop),\(place + 1)\n"
            }
        }
        if time != nil {
            trips += "R7,daily,express,\(headsign)\n"
            times += "express,08:00:00,08:00:00,D,1\nexpress,08:09:00,08:09:00,Q,2\n"
        }
        return StoredZip.bytes([
            ("agency.txt", "agency_name,agency_url,agency_timezone\nTown Trams,http://example.org,UTC\n"),
            (
                "calendar.txt",
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "daily,1,1,1,1,1,1,1,\(days)\n"
            ), ("routes.txt", "route_id,route_short_name,route_long_name,route_type\nR7,7,,0\n"),
            ("stop_times.txt", times),
            (
                "stops.txt",
                "stop_id,stop_name,stop_lat,stop_lon\nD,Depot,51,0\nP,Park,51.002,0.001\nQ,Quay,51.004,0.002\n"
            ),
            ("trips.txt", trips),
        ])
    }

    /// The last tram at the park and the next one are a minute late; the others have no message.
    private static func message() -> [UInt8] {
        let now = SystemClock().reading().wall
        let minutes = Int(now.seconds / 60 % 1_440)
        // It leaves the park at five past the ten: the first one that does so from a minute on.
        let next = (minutes + 1 + 4) / 10
        // gtfs-realtime.proto: FeedMessage { header, entity { id, trip_update { trip, stop_time_update } } }.
        let call = Wire.text(4, "P") + Wire.message(3, Wire.number(1, 60))
        let entities = [next + 143, next].map { number in
            let trip = "t\(number % 144)"
            let update = Wire.message(1, Wire.text(1, trip)) + Wire.message(2, call)
            return Wire.message(2, Wire.text(1, trip) + Wire.message(3, update))
        }
        return Wire.message(1, Wire.text(1, "2.0") + Wire.number(3, UInt64(now.seconds))) + entities.joined()
    }
}

/// Fields of a protobuf message.
enum Wire {
    static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }
    static func text(_ field: UInt64, _ text: String) -> [UInt8] { message(field, Array(text.utf8)) }
    static func message(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
    }
}

/// A zip whose members are stored as they are (APPNOTE.TXT 6.3.10).
enum StoredZip {
    static func bytes(_ members: [(name: String, text: String)]) -> [UInt8] {
        var (file, list): ([UInt8], [UInt8]) = ([], [])
        for member in members {
            let (name, bytes) = (Array(member.name.utf8), Array(member.text.utf8))
            let place = file.count
            let shared =
                little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(Int(crc(bytes)), 4)
                + little(bytes.count, 4) + little(bytes.count, 4) + little(name.count, 2) + little(0, 2)
            file += little(0x0403_4B50, 4) + shared + name + bytes
            list += little(0x0201_4B50, 4) + little(20, 2) + shared + [UInt8](repeating: 0, count: 10)
            list += little(place, 4) + name
        }
        let count = members.count
        return file + list + little(0x0605_4B50, 4) + little(0, 4) + little(count, 2) + little(count, 2)
            + little(list.count, 4) + little(file.count, 4) + little(0, 2)
    }

    private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The effect of each byte on the checksum.
    private static let steps: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in crc >> 8 ^ steps[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
    }
}
