import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("boardd departures, and the zone of a feed", .endsHangs)
struct DepartureListingTests {
    private let stop = StopID(feed: FeedName("tfl"), code: "490099901X")

    /// A folder with one recorded response of a summer day: a bus in five minutes, another in two hours.
    private func recording() throws -> String {
        let folder = "/tmp/boardd-zone-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let rows = ["12:05:00", "14:00:00"].map { time in
            #"{"vehicleId":"ZZ\#(time.prefix(2))","lineId":"73","destinationName":"Old Bridge","modeName":"bus","#
                + #""timestamp":"2026-07-01T12:00:00Z","expectedArrival":"2026-07-01T\#(time)Z"}"#
        }
        let file = """
            GET https://api.tfl.gov.uk/StopPoint/490099901X/Arrivals
            at: 2026-07-01T12:00:00Z
            status: 200

            [\(rows.joined(separator: ","))]
            """
        try Data(file.utf8).write(to: URL(filePath: folder + "/00001.http"))
        return folder
    }

    @Test("a value that JSON cannot represent is an error, not null")
    func infinity() {
        let failure = #expect(throws: ServiceError.self) { try PrettyJSON.text([Double.infinity]) }
        #expect(failure?.kind == .failed)
    }

    @Test("a departure is shown in London's time in summer although the machine is in New York")
    func zone() async throws {
        let noon = try #require(Timestamp(rfc3339: "2026-07-01T12:00:00Z"))
        let clock = VirtualClock(wall: noon)
        let folder = try recording()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let newYork = try ZoneDirectory().zone(named: "America/New_York")
        let feeds = try FeedFactory(source: .replay(folder), clock: clock).feeds(Configuration())
        let feed = try #require(feeds[stop.feed])
        let response = try await feed.departures(FeedRequest(stop: stop))
        let table = DepartureListing(response: response, sort: .time, feed: feed.profile, clock: clock, zone: newYork)
            .table
        let lines = table.split(separator: "\n").map(String.init)
        // The header has the stop's time, 13:00, not the machine's, 08:00; 14:00 UTC is 15:00 in London.
        #expect(lines.first?.hasSuffix("13:00") == true, "\(table)")
        #expect(lines.contains { $0.hasSuffix("15:00") }, "\(table)")
        #expect(!table.contains("10:00"))
    }

    @Test("a departure has its direction, unless that is a number")
    func directions() throws {
        let clock = VirtualClock(wall: Timestamp(seconds: 1_780_315_470))
        let feed = try #require(
            try FeedFactory(source: .live(record: nil), clock: clock).feeds(Configuration())[stop.feed])
        let departures = [("Westbound", "Ealing"), ("1", "Epping"), (nil, "Loughton")].map { direction, destination in
            let due = clock.reading().wall + .seconds(300)
            return Departure(
                stop: stop, line: Line(id: "central", name: "Central"), destination: destination, direction: direction,
                status: .expected(due), madeAt: clock.reading().wall, expiresAt: due)
        }
        let response = FeedResponse(stop: Stop(id: stop), departures: departures)
        let table = DepartureListing(response: response, sort: .time, feed: feed.profile, clock: clock, zone: .utc)
            .table
        let rows = table.split(separator: "\n").dropFirst().prefix(3).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(rows == ["Central Ealing, Westbound 5 min", "Central Epping 5 min", "Central Loughton 5 min"])
    }

    @Test("JSON has all data: the attributes of a trip, alerts, and that the list is withheld")
    func everything() throws {
        let clock = VirtualClock(wall: Timestamp(seconds: 1_750_000_000))
        let train = Departure(
            stop: stop, line: Line(id: "GW", name: "Great Western"), destination: "Oxford", platform: "4",
            status: .cancelled,
            attributes: TripAttributes(
                id: "run/1", company: "Great Western", coaches: 8, origins: ["Paddington"], via: "via Slough",
                reason: "a signal failure", isReplacement: true, startsAt: "Reading", endsAt: "Didcot",
                arrangement: TripAttributes.Arrangement(by: .phone, phone: "01234 567")),
            madeAt: clock.wall, expiresAt: clock.wall + .seconds(60))
        let bus = Departure(
            stop: stop, line: Line(id: "73", name: "73"), destination: "Bow", status: .expected(clock.wall),
            madeAt: clock.wall, expiresAt: clock.wall + .seconds(330))
        let response = FeedResponse(
            stop: Stop(id: stop), departures: [bus, train],
            alerts: [
                Alert("No trains.", lines: ["GW"], severity: .severe, until: clock.wall + .seconds(60)),
                Alert("Lifts", severity: .information, from: clock.wall),
            ], isWithheld: true)
        let profile = FeedProfile(
            name: stop.feed, title: "Demo", attribution: "Demo", suffixes: [],
            interval: .seconds(30), quota: FeedProfile.Quota(requests: 500, per: .seconds(60)))
        let listing = DepartureListing(
            response: response, sort: .time, feed: profile, clock: clock, zone: .utc,
            known: [stop: Stop(id: stop, name: "Mill Lane", letter: "X")])
        let json = try listing.json
        #expect(
            json == """
                {
                  "alerts" : [
                    {
                      "lines" : [
                        "GW"
                      ],
                      "severity" : "severe",
                      "text" : "No trains.",
                      "until" : "2025-06-15T15:07:40Z"
                    },
                    {
                      "from" : "2025-06-15T15:06:40Z",
                      "severity" : "information",
                      "text" : "Lifts"
                    }
                  ],
                  "attribution" : "Demo",
                  "badRows" : 0,
                  "departures" : [
                    {
                      "destination" : "Bow",
                      "expected" : "2025-06-15T15:06:40Z",
                      "expiresAt" : "2025-06-15T15:12:10Z",
                      "facts" : [

                      ],
                      "goneAt" : "2025-06-15T15:12:10Z",
                      "line" : "73",
                      "lineID" : "73",
                      "madeAt" : "2025-06-15T15:06:40Z",
                      "minutes" : 0,
                      "passesFilters" : true,
                      "staleAt" : "2025-06-15T15:09:40Z",
                      "status" : "expected",
                      "stop" : "tfl:490099901X"
                    },
                    {
                      "destination" : "Oxford",
                      "expiresAt" : "2025-06-15T15:07:40Z",
                      "facts" : [

                      ],
                      "goneAt" : "2025-06-15T15:07:40Z",
                      "line" : "Great Western",
                      "lineID" : "GW",
                      "madeAt" : "2025-06-15T15:06:40Z",
                      "passesFilters" : true,
                      "platform" : "4",
                      "staleAt" : "2025-06-15T15:09:40Z",
                      "status" : "cancelled",
                      "stop" : "tfl:490099901X",
                      "trip" : {
                        "arrangement" : {
                          "by" : "phone",
                          "phone" : "01234 567"
                        },
                        "coaches" : 8,
                        "id" : "run/1",
                        "isReplacement" : true,
                        "operator" : "Great Western",
                        "origins" : [
                          "Paddington"
                        ],
                        "reason" : "a signal failure",
                        "startsFrom" : "Reading",
                        "terminatesAt" : "Didcot",
                        "via" : "via Slough"
                      }
                    }
                  ],
                  "lastResponseAt" : "2025-06-15T15:06:40Z",
                  "letter" : "X",
                  "lines" : [

                  ],
                  "name" : "Mill Lane",
                  "notice" : "Demo shows no departures here at the moment",
                  "status" : "live",
                  "stop" : "tfl:490099901X",
                  "time" : "2025-06-15T15:06:40Z",
                  "withheld" : true
                }

                """)
    }

    @Test("rows are those of the display, and so wide that every name and fact stands still")
    func wide() throws {
        let clock = VirtualClock(wall: Timestamp(seconds: 1_750_000_000))
        func train(_ destination: String, _ status: Departure.Status, endsAt: String? = nil) -> Departure {
            Departure(
                stop: stop, line: Line(id: "GW", name: "GWR"), destination: destination, platform: "12",
                booked: clock.wall + .seconds(320), status: status, attributes: TripAttributes(endsAt: endsAt),
                madeAt: clock.wall, expiresAt: clock.wall + .seconds(1_000))
        }
        let profile = FeedProfile(
            name: stop.feed, title: "Demo", attribution: "Demo", suffixes: [], leadingColumn: .booked,
            interval: .seconds(30), quota: FeedProfile.Quota(requests: 500, per: .seconds(60)))
        let response = FeedResponse(
            stop: Stop(id: stop, name: "Reading"),
            departures: [
                train("London Paddington", .expected(clock.wall + .seconds(500))),
                train(
                    "Llanfairpwllgwyngyllgogerychwyrndrobwll", .scheduled(clock.wall + .seconds(320)),
                    endsAt: "Shrewsbury and its surroundings"),
                train("Oxford", .cancelled),
            ])
        func table(_ response: FeedResponse) -> String {
            DepartureListing(response: response, sort: .time, feed: profile, clock: clock, zone: .utc).table
        }
        #expect(
            table(response) == """
                Reading                                                                                                   15:06
                15:12 Oxford                                                                                          cancelled
                15:12 Shrewsbury and its surroundings, not to Llanfairpwllgwyngyllgogerychwyrndrobwll, platform 12  about 5 min
                15:12+3 London Paddington, platform 12                                                                    8 min
                Demo

                """)
        let short = FeedResponse(stop: response.stop, departures: [train("Oxford", .cancelled)])
        #expect(table(short).split(separator: "\n").prefix(2).map(\.count) == [60, 60])
    }

    @Test("a notice is in the language of the display")
    func notice() throws {
        let profile = FeedProfile(
            name: stop.feed, title: "Demo", attribution: "Demo", suffixes: [],
            interval: .seconds(30), quota: FeedProfile.Quota(requests: 500, per: .seconds(60)))
        let listing = DepartureListing(
            response: FeedResponse(stop: Stop(id: stop), departures: [], isWithheld: true), sort: .time, feed: profile,
            clock: VirtualClock(wall: Timestamp(seconds: 1_750_000_000)), zone: .utc, language: .german)
        #expect(try listing.report.notice == "Demo zeigt hier zurzeit keine Abfahrten")
    }

    @Test("a name from an operator moves no terminal's cursor")
    func escapes() throws {
        let clock = VirtualClock(wall: Timestamp(seconds: 1_750_000_000))
        let departure = Departure(
            stop: stop, line: Line(id: "73", name: "73\u{1B}[2J"), destination: "Old\u{9B}1A Bridge\u{07}",
            status: .expected(clock.wall + .seconds(300)), madeAt: clock.wall, expiresAt: clock.wall + .seconds(330))
        let response = FeedResponse(stop: Stop(id: stop, name: "Larch\u{1B}]0;x\u{07} St"), departures: [departure])
        let profile = FeedProfile(
            name: stop.feed, title: "Demo", attribution: "Powered\r\nby \u{1B}[31mDemo",
            suffixes: [], interval: .seconds(30), quota: FeedProfile.Quota(requests: 500, per: .seconds(60)))
        let table = DepartureListing(response: response, sort: .time, feed: profile, clock: clock, zone: .utc).table
        #expect(table.contains("73") && table.contains("Bridge") && table.hasSuffix("Powered  by  [31mDemo\n"))
        let controls = table.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
        #expect(controls.isEmpty, "\(table.debugDescription)")
    }

    @Test("without zone files the feeds fail with what to install")
    func noZones() throws {
        let folder = try recording()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = VirtualClock(wall: Timestamp(seconds: 0))
        let factory = try FeedFactory(source: .replay(folder), clock: clock, zones: ZoneDirectory(path: "/nowhere"))
        do throws(FeedSettingError) {
            _ = try factory.feeds(Configuration())
            Issue.record("made")
        } catch {
            #expect(error.description.hasPrefix("[feed.tfl] zone: no time zone \"Europe/London\""))
            #expect(error.description.hasSuffix("apt install tzdata"))
        }
    }
}
