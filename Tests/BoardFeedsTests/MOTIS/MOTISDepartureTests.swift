import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("MOTIS's departures", .endsHangs)
struct MOTISDepartureTests {
    private func departures(_ rows: String...) async throws -> [Departure] {
        try await MOTISTown.answered(MOTISTown.answer(rows)).departures
    }

    private func times(_ pairs: (String, String)...) -> String { MOTISTown.times(pairs) }

    @Test("a live time is expected, and void half a minute after it")
    func live() async throws {
        let row = MOTISTown.row(
            "C6", "Harbour", times(("departure", "08:04"), ("scheduledDeparture", "08:02")) + #","track":"3""#,
            #","realTime":true,"agencyName":"Vale Transit","tripFrom":{"name":"Weir"}"#)
        let departure = try #require(try await departures(row).first)
        #expect(
            departure
                == Departure(
                    stop: MOTISTown.stop, line: Line(id: "C6", name: "C6"), destination: "Harbour", platform: "3",
                    booked: MOTISTown.at("08:02:00"), status: .expected(MOTISTown.at("08:04:00")),
                    journey: Journey(id: "t C6", company: "Vale Transit", origins: ["Weir"]), made: MOTISTown.told,
                    void: MOTISTown.at("08:04:30")))
    }

    @Test("without live data it is the timetable's, never an estimate")
    func timetabled() async throws {
        let row = MOTISTown.row(
            "12", "Park", times(("departure", "08:09"), ("scheduledDeparture", "08:09")), #","realTime":false"#)
        let departure = try #require(try await departures(row).first)
        #expect(departure.status == .timetabled(MOTISTown.at("08:09:00")))
        #expect(departure.void == MOTISTown.at("08:10:00"))
    }

    @Test(
        "a call or a whole trip that is cancelled has its booked time, and needs no other",
        arguments: [#","cancelled":true"#, #","tripCancelled":true"#])
    func cancelled(mark: String) async throws {
        let row = MOTISTown.row("12", "Park", times(("scheduledDeparture", "08:09")), #","realTime":true"# + mark)
        let departure = try #require(try await departures(row).first)
        #expect(departure.status == .cancelled)
        #expect(departure.booked == MOTISTown.at("08:09:00"))
        #expect(departure.due == MOTISTown.at("08:09:00"))
    }

    @Test("without a sign it goes to the end of its trip")
    func headsign() async throws {
        let row = MOTISTown.row("a", "", times(("departure", "08:09")), #","tripTo":{"name":"J.F. Kennedy"}"#)
        #expect(try await departures(row).map(\.destination) == ["J.F. Kennedy"])
    }

    @Test("a train has its own name, and the line's is what people ask for")
    func trainName() async throws {
        let row = MOTISTown.row("ICE 1021", "Harbour", times(("departure", "08:09")))
            .replacingOnce(#""routeShortName":"ICE 1021""#, with: #""routeShortName":"ICE""#)
        let line = try #require(try await departures(row).first).line
        #expect(line == Line(id: "ICE", name: "ICE 1021"))
        #expect(line.isCalled("ice") && line.isCalled("ICE 1021"))
    }

    @Test("a mode that nobody knows costs no row, and names what has no name", arguments: ["HOVER_CRAFT", ""])
    func mode(_ mode: String) async throws {
        let time = times(("departure", "08:09"))
        let row = #"{"place":{"name":"Mill Lane"\#(time)},"mode":"\#(mode)","headsign":"Isle"}"#
        let departure = try #require(try await departures(row).first)
        #expect(departure.line.name == (mode.isEmpty ? "?" : "Hover craft"))
    }

    @Test("rows without any time, and what is no row, cost themselves alone")
    func badRows() async throws {
        let good = MOTISTown.row("C6", "Harbour", times(("departure", "08:04")))
        let body = MOTISTown.answer([
            MOTISTown.row("C6", "Sans heure", ""), "7", #"{"mode":"BUS"}"#, good, #"{"place":{"departure":"soon"}}"#,
        ])
        let answer = try await MOTISTown.answered(body)
        #expect(answer.departures.map(\.destination) == ["Harbour"])
        #expect(answer.badRows == 4)
    }

    @Test("a row at which people only get off is no departure and no bad row, whether its call or the row says so")
    func settingDown() async throws {
        let time = times(("departure", "08:04"))
        for (place, row) in [
            (#","pickupType":"NOT_ALLOWED""#, ""), ("", #","pickupDropoffType":"NOT_ALLOWED""#),
            (#","pickupType":"NOT_ALLOWED","dropoffType":"NORMAL""#, #","realTime":true"#),
        ] {
            let answer = try await MOTISTown.answered(
                MOTISTown.answer([
                    MOTISTown.row("C6", "Harbour", time + place, row),
                    MOTISTown.row("C7", "Weir", time + #","pickupType":"NORMAL""#, #","pickupDropoffType":"NORMAL""#),
                ]))
            #expect(answer.departures.map(\.line.name) == ["C7"] && answer.badRows == 0, "\(place) \(row)")
        }
    }

    @Test("a cancelled departure is shown though nobody may get on", arguments: ["pickupType", "pickupDropoffType"])
    func cancelledSettingDown(_ name: String) async throws {
        let mark = #","\#(name)":"NOT_ALLOWED""#
        let row = MOTISTown.row(
            "12", "Park", times(("scheduledDeparture", "08:09")) + mark, #","cancelled":true"# + mark)
        #expect(try await departures(row).map(\.status) == [.cancelled])
    }

    @Test("what arrives and goes no farther is no departure, and no bad row", arguments: ["", #","cancelled":true"#])
    func arrivals(mark: String) async throws {
        let row = MOTISTown.row(
            "C6", "Mill Lane", times(("arrival", "08:04"), ("scheduledArrival", "08:03")), #","realTime":true"# + mark)
        let answer = try await MOTISTown.answered(MOTISTown.answer([row]))
        #expect(answer.departures.isEmpty && answer.badRows == 0)
    }

    @Test("answers with rows of which none can be read are no night without departures")
    func unreadable() async throws {
        await #expect { try await MOTISTown.answered(MOTISTown.answer([#"{"when":"08:04"}"#])) } throws: { error in
            (error as? FeedFailure)?.kind == .unreadable
        }
    }

    @Test("the stop has its name, and the zone in which its clocks go")
    func stop() async throws {
        let answer = try await MOTISTown.answered(MOTISTown.answer([]))
        #expect(answer.stop.name == "Mill Lane")
        #expect(answer.stop.zone == (try Feeds.london("Europe/London")))
    }

    @Test("where the stop does not say its zone, its rows do")
    func zoneOfRows() async throws {
        let row = MOTISTown.row("C6", "Harbour", times(("departure", "08:04")) + #","tz":"Europe/London""#)
        let body = String(decoding: MOTISTown.answer([row]), as: UTF8.self)
            .replacingOnce(#","tz":"Europe/London"},"previous"#, with: #"},"previous"#)
        #expect(try await MOTISTown.answered(Array(body.utf8)).stop.zone == (try Feeds.london("Europe/London")))
    }

    @Test("a zone is searched by a name of up to 200 bytes", arguments: [200, 201])
    func longZone(_ length: Int) async throws {
        let body = String(decoding: MOTISTown.answer([]), as: UTF8.self)
            .replacingOnce("Europe/London", with: String(repeating: "z", count: length))
        let transport = CannedTransport { _ in (200, Array(body.utf8)) }
        let settings = FeedSettings(defaultsOf: MOTISFeed.declaration)
        let context = FeedContext(settings: settings, transport: transport, clock: ManualClock()) {
            _ throws(FeedSettingFailure) in .utc
        }
        let answer = try await MOTISFeed(context).departures(FeedQuestion(stop: MOTISTown.stop))
        #expect(answer.stop.zone == (length == 200 ? .utc : nil))
    }

    @Test("the zones and names of at most 200 stops are cached")
    func remembered() async throws {
        let transport = CannedTransport { path in
            let zone = String(path.filter(\.isNumber))
            return (
                200, Array(String(decoding: MOTISTown.answer([]), as: UTF8.self).replacing("London", with: zone).utf8)
            )
        }
        let settings = FeedSettings(defaultsOf: MOTISFeed.declaration)
        let context = FeedContext(settings: settings, transport: transport, clock: ManualClock()) {
            _ throws(FeedSettingFailure) in .utc
        }
        let feed = try MOTISFeed(context)
        for number in 1...250 {
            let stop = StopID(feed: MOTISFeed.name, code: "\(number)")
            _ = try await feed.departures(FeedQuestion(stop: stop))
            if number == 200 { #expect(feed.known.withLock { [$0.zones.count, $0.places.count] } == [200, 200]) }
        }
        #expect(feed.known.withLock { max($0.zones.count, $0.places.count) } <= 200)
    }

    @Test("the first departure after the small hours is of another day, in the zone of the stop")
    func nextDay() async throws {
        // London is an hour before UTC in April; the night's last leaves before half past three.
        func next(_ time: String) async throws -> NextDeparture? {
            let row = MOTISTown.row("C6", "Harbour", #","departure":"\#(time)""#)
            let transport = CannedTransport(date: "Wed, 01 Apr 2026 08:00:30 GMT") { _ in
                (200, MOTISTown.answer([row]))
            }
            return try await MOTISTown.feed(over: transport).departures(FeedQuestion(stop: MOTISTown.stop)).next
        }
        let night = try #require(Timestamp(rfc3339: "2026-04-02T02:29:00Z"))
        #expect(try await next("2026-04-02T02:29:00Z") == .laterToday(night))
        let morning = try #require(Timestamp(rfc3339: "2026-04-02T02:30:00Z"))
        #expect(try await next("2026-04-02T02:30:00Z") == .nextDay(morning))
    }

    @Test("what leaves after the board's two hours says when the next one of interest goes")
    func later() async throws {
        let body = MOTISTown.answer([
            MOTISTown.row("C6", "Harbour", times(("departure", "08:04"))),
            MOTISTown.row("12", "Park", times(("departure", "11:09"))),
            MOTISTown.row("C6", "Harbour", times(("departure", "12:04"))),
        ])
        let all = try await MOTISTown.answered(body)
        #expect(all.departures.map(\.line.name) == ["C6"])
        #expect(all.next == nil)
        let one = try await MOTISTown.answered(body, lines: ["12"])
        #expect(one.next == .laterToday(MOTISTown.at("11:09:00")))
    }

    @Test("alerts are of the stop, or of the lines at whose departures they are written, each once")
    func alerts() async throws {
        let closed = #","alerts":[{"headerText":"Lift closed","descriptionText":"","severityLevel":"INFO"}]"#
        let strike =
            #","alerts":[{"headerText":"Strike","descriptionText":"No service &amp; no <b>buses</b>","effect":"NO_SERVICE","#
            + #""impactPeriod":[{"start":"2026-03-01T08:00:00Z","end":"2026-03-03T08:00:00Z"}]}]"#
        let over =
            #","alerts":[{"headerText":"Market","impactPeriod":[{"end":"2026-03-01T08:00:00Z"}],"effect":"GHOSTS"}]"#
        let body = MOTISTown.answer(
            [
                MOTISTown.row("C6", "Harbour", times(("departure", "08:04")) + strike),
                MOTISTown.row("N9", "Harbour", times(("departure", "08:05")) + strike),
                MOTISTown.row("12", "Park", times(("departure", "08:09")) + over),
            ], place: closed)
        let answer = try await MOTISTown.answered(body)
        #expect(
            answer.alerts == [
                Alert("Lift closed", scope: .stop, severity: .information),
                Alert(
                    "Strike. No service & no buses", scope: .lines(["C6", "N9"]), severity: .severe,
                    until: Timestamp(rfc3339: "2026-03-03T08:00:00Z")),
            ])
        #expect(try await MOTISTown.answered(body, lines: ["12"]).alerts.map(\.text) == ["Lift closed"])
    }
}

extension String {
    func replacingOnce(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
