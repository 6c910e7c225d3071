import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("MOTIS departures", .endsHangs)
struct MOTISDepartureTests {
    private func departures(_ rows: String...) async throws -> [Departure] {
        try await MOTISFixture.feedResponse(MOTISFixture.stopTimes(rows)).departures
    }

    private func times(_ pairs: (String, String)...) -> String { MOTISFixture.times(pairs) }

    @Test("a realtime departure is expected, and expires half a minute after its time")
    func live() async throws {
        let row = MOTISFixture.row(
            "C6", "Harbour", times(("departure", "08:04"), ("scheduledDeparture", "08:02")) + #","track":"3""#,
            #","realTime":true,"agencyName":"Vale Transit","tripFrom":{"name":"Weir"}"#)
        let departure = try #require(try await departures(row).first)
        #expect(
            departure
                == Departure(
                    stop: MOTISFixture.stop, line: Line(id: "C6", name: "C6"), mode: .bus, destination: "Harbour",
                    platform: "3", booked: MOTISFixture.at("08:02:00"), status: .expected(MOTISFixture.at("08:04:00")),
                    attributes: TripAttributes(id: "t C6", company: "Vale Transit", origins: ["Weir"]),
                    madeAt: MOTISFixture.madeAt, expiresAt: MOTISFixture.at("08:04:30")))
    }

    @Test(
        "it has the colour and the mode of its route",
        arguments: [
            ("TRAM", "e2001a", .tram, "E2001A"), ("SUBWAY", "", .metro, nil),
            ("REGIONAL_FAST_RAIL", "ffffff", .train, nil),
            ("LONG_DISTANCE", "red;color:", .train, nil), ("COACH", "000000", .bus, "000000"),
            ("FERRY", "00f", .ferry, nil), ("AIRPLANE", "123456", nil, "123456"),
        ] as [(String, String, TransitMode?, String?)])
    func look(_ mode: String, _ colour: String, _ expected: TransitMode?, _ shown: String?) async throws {
        let row = MOTISFixture.row("12", "Park", times(("departure", "08:09")), #","routeColor":"\#(colour)""#)
            .replacing(#""mode":"BUS""#, with: #""mode":"\#(mode)""#)
        let departure = try #require(try await departures(row).first)
        #expect(departure.mode == expected)
        #expect(departure.lineColour == shown)
    }

    @Test("without realtime data it is scheduled, never an estimate")
    func scheduled() async throws {
        let row = MOTISFixture.row(
            "12", "Park", times(("departure", "08:09"), ("scheduledDeparture", "08:09")), #","realTime":false"#)
        let departure = try #require(try await departures(row).first)
        #expect(departure.status == .scheduled(MOTISFixture.at("08:09:00")))
        #expect(departure.expiresAt == MOTISFixture.at("08:10:00"))
    }

    @Test("a departure that two feeds, agencies or routes list has one row, the live one; two of one route have two")
    func copies() async throws {
        func row(_ trip: String, _ agency: String, _ route: String, live: String? = nil) -> String {
            MOTISFixture.row(
                "12", "Park", times(("departure", live ?? "08:09"), ("scheduledDeparture", "08:09")),
                #","realTime":\#(live != nil),"agencyId":"\#(agency)","routeId":"\#(route)""#
            ).replacing("t 12", with: "20260302_08:00_" + trip, maxReplacements: 1)
        }
        let first = row("xx-Vale_1", "A", "R1"), live = "08:11"
        for other in [
            row("yy-Hill_1", "A", "R1", live: live), row("xx-Vale_2", "B", "R1", live: live),
            row("xx-Vale_2", "A", "R2", live: live),
        ] {
            #expect(try await departures(first, other).map(\.status) == [.expected(MOTISFixture.at("08:11:00"))])
            #expect(try await departures(other, first).map(\.status) == [.expected(MOTISFixture.at("08:11:00"))])
        }
        #expect(try await departures(first, row("xx-Vale_2", "A", "R1", live: live)).count == 2)
    }

    @Test(
        "a cancelled call or trip has its booked time, and needs no other",
        arguments: [#","cancelled":true"#, #","tripCancelled":true"#])
    func cancelled(mark: String) async throws {
        let row = MOTISFixture.row("12", "Park", times(("scheduledDeparture", "08:09")), #","realTime":true"# + mark)
        let departure = try #require(try await departures(row).first)
        #expect(departure.status == .cancelled)
        #expect(departure.booked == MOTISFixture.at("08:09:00"))
        #expect(departure.due == MOTISFixture.at("08:09:00"))
    }

    @Test("without a headsign the destination is the trip's last stop")
    func headsign() async throws {
        let row = MOTISFixture.row("a", "", times(("departure", "08:09")), #","tripTo":{"name":"J.F. Kennedy"}"#)
        #expect(try await departures(row).map(\.destination) == ["J.F. Kennedy"])
    }

    @Test("a train has its own name, and its line's for filters")
    func trainName() async throws {
        let row = MOTISFixture.row("ICE 1021", "Harbour", times(("departure", "08:09")))
            .replacing(#""routeShortName":"ICE 1021""#, with: #""routeShortName":"ICE""#, maxReplacements: 1)
        let line = try #require(try await departures(row).first).line
        #expect(line == Line(id: "ICE", name: "ICE 1021"))
        #expect(line.isCalled("ice") && line.isCalled("ICE 1021"))
    }

    @Test("an unknown mode costs no row, and serves as the name if there is no other", arguments: ["HOVER_CRAFT", ""])
    func mode(_ mode: String) async throws {
        let time = times(("departure", "08:09"))
        let row = #"{"place":{"name":"Mill Lane"\#(time)},"mode":"\#(mode)","headsign":"Isle"}"#
        let departure = try #require(try await departures(row).first)
        #expect(departure.line.name == (mode.isEmpty ? "?" : "Hover craft"))
    }

    @Test("rows without any time, and malformed rows, cost only themselves")
    func badRows() async throws {
        let good = MOTISFixture.row("C6", "Harbour", times(("departure", "08:04")))
        let body = MOTISFixture.stopTimes([
            MOTISFixture.row("C6", "Sans heure", ""), "7", #"{"mode":"BUS"}"#, good, #"{"place":{"departure":"soon"}}"#,
        ])
        let response = try await MOTISFixture.feedResponse(body)
        #expect(response.departures.map(\.destination) == ["Harbour"])
        #expect(response.badRows == 4)
    }

    @Test("a row without boarding is neither a departure nor a bad row, whether its call or the row states it")
    func settingDown() async throws {
        let time = times(("departure", "08:04"))
        for (place, row) in [
            (#","pickupType":"NOT_ALLOWED""#, ""), ("", #","pickupDropoffType":"NOT_ALLOWED""#),
            (#","pickupType":"NOT_ALLOWED","dropoffType":"NORMAL""#, #","realTime":true"#),
        ] {
            let response = try await MOTISFixture.feedResponse(
                MOTISFixture.stopTimes([
                    MOTISFixture.row("C6", "Harbour", time + place, row),
                    MOTISFixture.row(
                        "C7", "Weir", time + #","pickupType":"NORMAL""#, #","pickupDropoffType":"NORMAL""#),
                ]))
            #expect(response.departures.map(\.line.name) == ["C7"] && response.badRows == 0, "\(place) \(row)")
        }
    }

    @Test("a cancelled departure is shown, though it has no boarding", arguments: ["pickupType", "pickupDropoffType"])
    func cancelledSettingDown(_ name: String) async throws {
        let mark = #","\#(name)":"NOT_ALLOWED""#
        let row = MOTISFixture.row(
            "12", "Park", times(("scheduledDeparture", "08:09")) + mark, #","cancelled":true"# + mark)
        #expect(try await departures(row).map(\.status) == [.cancelled])
    }

    @Test("an arrival at the terminus is neither a departure nor a bad row", arguments: ["", #","cancelled":true"#])
    func arrivals(mark: String) async throws {
        let row = MOTISFixture.row(
            "C6", "Mill Lane", times(("arrival", "08:04"), ("scheduledArrival", "08:03")), #","realTime":true"# + mark)
        let response = try await MOTISFixture.feedResponse(MOTISFixture.stopTimes([row]))
        #expect(response.departures.isEmpty && response.badRows == 0)
    }

    @Test("a response without any readable row is a failure, not a night without departures")
    func unreadable() async throws {
        await #expect { try await MOTISFixture.feedResponse(MOTISFixture.stopTimes([#"{"when":"08:04"}"#])) } throws: {
            error in (error as? FeedError)?.kind == .unreadable
        }
    }

    @Test("the stop has its name and its zone")
    func stop() async throws {
        let response = try await MOTISFixture.feedResponse(MOTISFixture.stopTimes([]))
        #expect(response.stop.name == "Mill Lane")
        #expect(response.stop.zone == (try Feeds.london("Europe/London")))
    }

    @Test("if the stop has no zone, its rows' zone is used")
    func zoneOfRows() async throws {
        let row = MOTISFixture.row("C6", "Harbour", times(("departure", "08:04")) + #","tz":"Europe/London""#)
        let body = String(decoding: MOTISFixture.stopTimes([row]), as: UTF8.self)
            .replacing(#","tz":"Europe/London"},"previous"#, with: #"},"previous"#, maxReplacements: 1)
        #expect(try await MOTISFixture.feedResponse(Array(body.utf8)).stop.zone == (Feeds.london("Europe/London")))
    }

    @Test("a zone is searched by a name of up to 200 bytes", arguments: [200, 201])
    func longZone(_ length: Int) async throws {
        let body = String(decoding: MOTISFixture.stopTimes([]), as: UTF8.self)
            .replacing("Europe/London", with: String(repeating: "z", count: length), maxReplacements: 1)
        let transport = CannedTransport { _ in (200, Array(body.utf8)) }
        let settings = FeedSettings(defaultsOf: MOTISFeed.declaration)
        let context = FeedContext(settings: settings, transport: transport, clock: VirtualClock()) {
            _ throws(FeedSettingError) in .utc
        }
        let response = try await MOTISFeed(context).departures(FeedRequest(stop: MOTISFixture.stop))
        #expect(response.stop.zone == (length == 200 ? .utc : nil))
    }

    @Test("the zones and names of at most 200 stops are cached")
    func cacheSize() async throws {
        let transport = CannedTransport { path in
            let zone = String(path.filter(\.isNumber))
            let body = String(decoding: MOTISFixture.stopTimes([]), as: UTF8.self).replacing("London", with: zone)
            return (200, Array(body.utf8))
        }
        let settings = FeedSettings(defaultsOf: MOTISFeed.declaration)
        let context = FeedContext(settings: settings, transport: transport, clock: VirtualClock()) {
            _ throws(FeedSettingError) in .utc
        }
        let feed = try MOTISFeed(context)
        for number in 1...250 {
            let stop = StopID(feed: MOTISFeed.name, code: "\(number)")
            _ = try await feed.departures(FeedRequest(stop: stop))
            if number == 200 { #expect(feed.learned.withLock { [$0.zones.count, $0.places.count] } == [200, 200]) }
        }
        #expect(feed.learned.withLock { max($0.zones.count, $0.places.count) } <= 200)
    }

    @Test("the first departure after the end of the service day belongs to the next day, in the zone of the stop")
    func nextDay() async throws {
        // London is an hour ahead of UTC in April; the night's last leaves before half past three.
        func next(_ time: String) async throws -> NextDeparture? {
            let row = MOTISFixture.row("C6", "Harbour", #","departure":"\#(time)""#)
            let transport = CannedTransport(date: "Wed, 01 Apr 2026 08:00:30 GMT") { _ in
                (200, MOTISFixture.stopTimes([row]))
            }
            return try await MOTISFixture.feed(over: transport).departures(FeedRequest(stop: MOTISFixture.stop)).next
        }
        let night = try #require(Timestamp(rfc3339: "2026-04-02T02:29:00Z"))
        #expect(try await next("2026-04-02T02:29:00Z") == .laterToday(night))
        let morning = try #require(Timestamp(rfc3339: "2026-04-02T02:30:00Z"))
        #expect(try await next("2026-04-02T02:30:00Z") == .nextDay(morning))
    }

    @Test("a departure after the board's window is reported as the next one of interest")
    func later() async throws {
        let body = MOTISFixture.stopTimes([
            MOTISFixture.row("C6", "Harbour", times(("departure", "08:04"))),
            MOTISFixture.row("12", "Park", times(("departure", "11:09"))),
            MOTISFixture.row("C6", "Harbour", times(("departure", "12:04"))),
        ])
        let all = try await MOTISFixture.feedResponse(body)
        #expect(all.departures.map(\.line.name) == ["C6"])
        #expect(all.next == nil)
        let one = try await MOTISFixture.feedResponse(body, lines: ["12"])
        #expect(one.next == .laterToday(MOTISFixture.at("11:09:00")))
    }

    @Test("alerts concern the stop, or the lines of the departures that have them, each once")
    func alerts() async throws {
        let closed = #","alerts":[{"headerText":"Lift closed","descriptionText":"","severityLevel":"INFO"}]"#
        let strike =
            #","alerts":[{"headerText":"Strike","descriptionText":"No service &amp; no <b>buses</b>","effect":"NO_SERVICE","#
            + #""impactPeriod":[{"start":"2026-03-01T08:00:00Z","end":"2026-03-03T08:00:00Z"}]}]"#
        let over =
            #","alerts":[{"headerText":"Market","impactPeriod":[{"end":"2026-03-01T08:00:00Z"}],"effect":"GHOSTS"}]"#
        let body = MOTISFixture.stopTimes(
            [
                MOTISFixture.row("C6", "Harbour", times(("departure", "08:04")) + strike),
                MOTISFixture.row("N9", "Harbour", times(("departure", "08:05")) + strike),
                MOTISFixture.row("12", "Park", times(("departure", "08:09")) + over),
            ], place: closed)
        let response = try await MOTISFixture.feedResponse(body)
        #expect(
            response.alerts == [
                Alert("Lift closed", severity: .information),
                Alert(
                    "Strike. No service & no buses", lines: ["C6", "N9"], severity: .severe,
                    until: Timestamp(rfc3339: "2026-03-03T08:00:00Z")),
            ])
        #expect(try await MOTISFixture.feedResponse(body, lines: ["12"]).alerts.map(\.text) == ["Lift closed"])
    }
}
