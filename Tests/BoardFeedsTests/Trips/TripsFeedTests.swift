import BoardCore
import Glibc
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Trips", .endsHangs)
struct TripsFeedTests {
    private let region = FeedRequest(stop: .trips("scd"))

    private func feed(_ transport: CannedTransport = Flights.transport()) throws -> TripsFeed {
        try TripsFeed(Flights.context(over: transport))
    }

    /// The feed response for one body of `/trips/scd`.
    private func response(_ body: String) async throws -> FeedResponse {
        try await feed(Flights.transport(["/trips/scd": (200, body)])).counted(region)
    }

    @Test("a region's trips are departures with fares, in the zone of their departure airport")
    func aRegion() async throws {
        let response = try await feed().counted(region)
        #expect(picture(response) == ["FR 4048 Malaga 360h 72EUR", "FR 4048 Oslo 20h 41EUR"])
        #expect(response.stop.name == "Scandinavia")
        let trip = try #require(response.departures.first)
        #expect(trip.status == .scheduled(Flights.now + .seconds(15 * 86_400)))
        #expect(trip.expiresAt == trip.due)
        #expect(trip.madeAt == Flights.now - .seconds(40 * 86_400) + .milliseconds(887))
        #expect(!trip.isRenewed, "an offer that stays the same does not show that the feed is frozen")
        #expect(trip.utcOffset == 3_600)
        let returnTrip = TripAttributes.ReturnTrip(at: trip.due + .seconds(90 * 3_600), utcOffset: 0)
        #expect(
            trip.attributes
                == TripAttributes(id: Flights.malaga, origins: ["Copenhagen"], via: "CPH-AGP", returnTrip: returnTrip))
        // Oslo's airport has no zone.
        #expect(response.departures.last?.attributes?.returnTrip?.utcOffset == nil)
        #expect(response.badRows == 0 && response.requests == 5 && response.partialFailure == nil)
    }

    @Test("without a return, or with one before the departure, a trip is one-way")
    func oneWay() async throws {
        let early =
            Flights.trip(without: "return_at").dropLast() + #","return_at":\#((Flights.now.seconds + 60) * 1_000)}"#
        let feed = try feed(
            Flights.transport(["/trips/scd": (200, "[\(Flights.trip(Flights.oslo, without: "return_at")),\(early)]")]))
        let response = try await feed.counted(region)
        #expect(response.departures.map(\.attributes?.returnTrip) == [nil, nil])
        #expect(response.requests == 3)
    }

    @Test("with many origins a few zones are fetched with each poll, and cached zones remain")
    func manyOrigins() async throws {
        let origins = (100..<140).map { "O\($0)" }
        let trips = origins.enumerated().map { index, code in
            Flights.trip("c4449ff0-1cb9-11e9-b9f8-b3ba95b35\(100 + index)", without: "return_at")
                .replacing(#""CPH""#, with: #""\#(code)""#)
        }
        var responses = ["/trips/scd": (200, "[\(trips.joined(separator: ","))]")]
        for code in origins { responses["/airports/\(code)"] = (200, Flights.airport(code, in: "Europe/Copenhagen")) }
        let clock = VirtualClock()
        let feed = try TripsFeed(Flights.context(over: Flights.transport(responses), clock: clock))
        func known() async throws -> (zones: Int, requests: Int) {
            let response = try await feed.counted(region)
            return (response.departures.count { $0.utcOffset != nil }, response.requests)
        }
        #expect(try await known() == (32, 34))
        clock.go(to: .seconds(900))
        #expect(try await known() == (40, 9))
        // All are a week old and fetched again, 32 with each poll.
        clock.go(to: .seconds(8 * 86_400))
        #expect(try await known().zones == 40)
    }

    @Test("with many destinations a few zones are fetched with each poll, longest waiting first")
    func manyDestinations() async throws {
        let places = (0..<20).map { index in (index < 10 ? "A0" : "A") + "\(index)" }
        let trips = places.enumerated().map { index, code in
            let id = "c4449ff0-1cb9-11e9-b9f8-b3ba95b35\(100 + index)"
            return Flights.trip(id, to: "Town \(index)", code)
        }
        let transport = Flights.transport(["/trips/scd": (200, "[\(trips.joined(separator: ","))]")])
        let clock = VirtualClock()
        let feed = try TripsFeed(Flights.context(over: transport, clock: clock))
        func requested() async throws -> [String] {
            let before = transport.requested.count
            let response = try await feed.counted(region)
            #expect(response.departures.count == 20)
            return transport.requested.dropFirst(before).filter { $0.hasPrefix("/airports/A") }.map {
                String($0.dropFirst(10))
            }.sorted()
        }
        #expect(try await requested() == Array(places[..<8]))
        clock.go(to: .seconds(900))
        #expect(try await requested() == Array(places[8..<16]))
        clock.go(to: .seconds(1_800))
        #expect(try await requested() == (places[16...] + places[..<4]).sorted())
    }

    @Test("a missing key costs its own row at most, and never the array")
    func missing() async throws {
        for (key, isLost) in [
            ("id", true), ("departure_at", true), ("destination", true), ("price", true), ("currency", true),
            ("created_at", false), ("expires_at", false), ("return_at", false), ("airlines", false),
            ("flight_number", false), ("departure", false),
        ] {
            let response = try await response("[\(Flights.trip(without: key)),\(Flights.trip(Flights.oslo)),7]")
            #expect(response.departures.count == (isLost ? 1 : 2), "\(key)")
            #expect(response.badRows == (isLost ? 2 : 1), "\(key)")
        }
    }

    @Test("a trip expires at the end of its offer, or else at its departure")
    func expiresAt() async throws {
        let rows = [
            Flights.trip(hours: 48, offerEndsAt: 24), Flights.trip(Flights.rome, hours: 48, offerEndsAt: 72),
            Flights.trip(Flights.oslo, hours: 48, offerEndsAt: nil),
        ]
        let response = try await response("[\(rows.joined(separator: ","))]")
        #expect(response.departures.map { ($0.expiresAt - Flights.now).components.seconds / 3_600 } == [24, 48, 48])
    }

    @Test("times are milliseconds, quoted or not, and nothing else; prices have hundredths")
    func numbers() async throws {
        let at = (Flights.now.seconds + 3_600) * 1_000
        let quoted = Flights.trip(price: #""19.9""#, without: "departure_at").dropLast() + #","departure_at":"\#(at)"}"#
        let first = try #require(try await response("[\(quoted)]").departures.first)
        #expect(first.due == Flights.now + .seconds(3_600))
        #expect(first.fare == Fare(hundredths: 1_990, currency: "EUR"))
        for wrong in ["\(Flights.now.seconds)", "1e30", "-5", #""soon""#, "null", "true"] {
            let row = Flights.trip(without: "departure_at").dropLast() + #","departure_at":\#(wrong)}"#
            #expect(try await response("[\(row),\(Flights.trip(Flights.oslo))]").departures.count == 1, "\(wrong)")
        }
    }

    @Test(
        "an airport without a zone costs no trip; its zone is fetched again after ten minutes, a cached one after a week"
    )
    func airports() async throws {
        let transport = Flights.transport(["/airports/CPH": (200, #"{"statusCode":404,"body":"no"}"#)])
        let clock = VirtualClock()
        let feed = try TripsFeed(Flights.context(over: transport, clock: clock))
        let response = try await feed.counted(region)
        #expect(response.departures.map(\.utcOffset) == [nil, nil])
        #expect(response.partialFailure?.kind == .status(404))
        // Without the zone 04:00 would be ambiguous: the fare is shown instead.
        #expect(display(response, of: feed.profile, at: Flights.now).contains("|3Mar  Oslo     41EUR|"))
        clock.go(to: .seconds(600))
        _ = try await feed.counted(region)
        #expect(transport.requested.filter { $0 == "/airports/CPH" }.count == 2)

        let good = Flights.transport()
        let stored = try TripsFeed(Flights.context(over: good, clock: clock))
        _ = try await stored.counted(region)
        clock.go(to: .seconds(600 + 6 * 86_400))
        #expect(try await stored.counted(region).departures.first?.utcOffset == 3_600)
        #expect(good.requested.filter { $0 == "/airports/CPH" }.count == 1)
    }

    @Test("a trip by its identifier, and all saved ones")
    func saved() async throws {
        let transport = Flights.transport()
        let clock = VirtualClock()
        let feed = try TripsFeed(
            Flights.context(
                over: transport, saved: ["scd", "saved", Flights.rome.uppercased(), Flights.malaga], clock: clock))
        let one = try await feed.counted(FeedRequest(stop: .trips(Flights.rome)))
        #expect(picture(one) == ["FR 4048 Rome 720h 19.90EUR"])
        #expect(one.stop.name == "Rome")
        let all = try await feed.counted(FeedRequest(stop: .trips("saved")))
        #expect(picture(all) == ["FR 4048 Malaga 360h 72EUR", "FR 4048 Rome 720h 19.90EUR"])
        #expect(all.stop.name == "Trips" && all.departures.allSatisfy { $0.stop == .trips("saved") })
        // Polls of one round share the response.
        #expect(transport.requested.filter { $0 == "/trips" }.count == 1)
        clock.go(to: .seconds(449))
        let later = try await feed.counted(FeedRequest(stop: .trips("saved")))
        #expect(later.age == .seconds(449))
        clock.go(to: .seconds(450))
        let new = try await feed.counted(FeedRequest(stop: .trips("saved")))
        #expect(new.age == .zero)
        #expect(transport.requested.filter { $0 == "/trips" }.count == 2)
    }

    @Test("a failure is not cached: the polling policy decides about the retry")
    func recovery() async throws {
        let transport = Flights.transport()
        transport.fail(["/": 502])
        let feed = try TripsFeed(Flights.context(over: transport, saved: [Flights.rome]))
        for count in 1...2 {
            #expect(await Flights.failure(feed, Flights.rome)?.kind == .status(502))
            #expect(transport.requested.count == count)
        }
        transport.fail([:])
        #expect(try await feed.counted(FeedRequest(stop: .trips(Flights.rome))).departures.count == 1)
    }

    @Test("a malformed row only affects a request for that trip")
    func badRows() async throws {
        let bad = Flights.trip(without: "price")
        let transport = Flights.transport(["/trips": (200, "[7,\(bad),\(Flights.trip(Flights.rome))]")])
        for (saved, code, rows, badRows) in [
            ([], "saved", 0, 0), ([Flights.rome], "saved", 1, 0), ([Flights.rome], Flights.rome, 1, 0),
            ([Flights.malaga], "saved", 0, 1), ([Flights.rome, Flights.malaga], "saved", 1, 1),
            ([], Flights.malaga, 0, 1),
        ] as [([String], String, Int, Int)] {
            let feed = try TripsFeed(Flights.context(over: transport, saved: saved))
            let response = try await feed.counted(FeedRequest(stop: .trips(code)))
            #expect(response.departures.count == rows && response.badRows == badRows, "\(saved) \(code)")
        }
    }

    @Test("a price may be as high as its currency requires, and an offer end in another unit makes the row invalid")
    func odd() async throws {
        func trip(_ change: String, without key: String) -> String {
            Flights.trip(without: key).dropLast() + ",\(change)}"
        }
        for (price, hundredths) in [
            ("95000000.5", 9_500_000_050), ("0", 0), ("1e30", nil), ("-1", nil), (#""inf""#, nil), (#""nan""#, nil),
        ] as [(String, Int?)] {
            let response = try await response(
                "[\(trip(#""price":"# + price, without: "price")),\(Flights.trip(Flights.oslo))]")
            #expect(response.badRows == (hundredths == nil ? 1 : 0), "\(price)")
            #expect(
                response.departures.count == 1 || response.departures.first?.fare?.hundredths == hundredths, "\(price)")
        }
        for (offerEndsAt, isGood) in [("null", true), ("\"\"", true), ("0", false), ("1774000000", false)] {
            let row = trip(#""expires_at":"# + offerEndsAt, without: "expires_at")
            let response = try await response("[\(row),\(Flights.trip(Flights.oslo))]")
            #expect(response.badRows == (isGood ? 0 : 1), "\(offerEndsAt)")
        }
    }

    @Test("saved trips survive a restart without a network, and the end of their offer")
    func savedTripStore() async throws {
        let folder = try Fixtures.temporaryFolder()
        let saved = [Flights.malaga, Flights.rome]
        let feedRequest = FeedRequest(stop: .trips("saved"))
        _ = try await TripsFeed(Flights.context(over: Flights.transport(), saved: saved, folder: folder))
            .counted(feedRequest)
        let unresponsive = CannedTransport { _ in nil }
        let offline = try TripsFeed(Flights.context(over: unresponsive, saved: saved, folder: folder))
        let failure = await Flights.failure(offline, "saved")
        #expect(failure?.kind == .timedOut && failure?.requests == 1 && failure?.cached?.stop.name == "Trips")
        #expect(stored(failure) == ["FR 4048 Malaga 360h 72EUR", "FR 4048 Rome 720h 19.90EUR"])
        #expect(stored(await Flights.failure(offline, Flights.rome)) == ["FR 4048 Rome 720h 19.90EUR"])
        let sold = Flights.transport(["/trips": (200, "[]")])
        let later = try await TripsFeed(Flights.context(over: sold, saved: saved, folder: folder)).counted(feedRequest)
        #expect(later.departures.count == 2 && later.partialFailure == nil)
        // A trip that is no longer saved is on no list.
        let fewer = try TripsFeed(Flights.context(over: unresponsive, saved: [Flights.rome], folder: folder))
        #expect(stored(await Flights.failure(fewer, "saved")) == ["FR 4048 Rome 720h 19.90EUR"])
        // A request for a trip that is not saved does not change the store.
        let viewer = try TripsFeed(Flights.context(over: Flights.transport(), folder: folder))
        #expect(try await viewer.counted(FeedRequest(stop: .trips(Flights.oslo))).departures.count == 1)
        let still = try TripsFeed(Flights.context(over: unresponsive, saved: [Flights.rome], folder: folder))
        #expect(stored(await Flights.failure(still, "saved")).count == 1)
        // A trip that was never received is not stored: the board's own copy remains.
        let nothing = try TripsFeed(Flights.context(over: unresponsive, saved: ["\(Flights.oslo)"], folder: folder))
        let unknown = await Flights.failure(nothing, Flights.oslo)
        #expect(unknown?.kind == .timedOut && unknown?.cached == nil)
    }

    /// The stored trips after a failed request.
    private func stored(_ failure: FeedError?) -> [String] {
        (failure?.cached).map { picture(FeedResponse(stop: $0.stop, departures: $0.departures)) } ?? []
    }

    @Test("cached zones of airports remain while requests fail")
    func zonesOffline() async throws {
        let transport = Flights.transport()
        let clock = VirtualClock()
        let feed = try TripsFeed(Flights.context(over: transport, saved: [Flights.malaga], clock: clock))
        _ = try await feed.counted(FeedRequest(stop: .trips("saved")))
        transport.fail(["/": nil])
        clock.go(to: .seconds(900))
        let before = transport.requested.count
        let failure = await Flights.failure(feed, "saved")
        #expect(failure?.cached?.departures.map(\.utcOffset) == [3_600])
        #expect(failure?.cached?.departures.first?.attributes?.returnTrip?.utcOffset == 0)
        #expect(transport.requested.count == before + 1)
    }

    @Test("when the last saved trip is removed, and when one expires, it is deleted; without the favourites nothing is")
    func forgetting() async throws {
        let folder = try Fixtures.temporaryFolder()
        func onShelf() throws -> [String] {
            try TripsResponse(RecordingFiles.read(folder + "/trips.saved.json")).trips().trips.map(\.id)
        }
        func poll(_ code: String, _ saved: [String]?, _ transport: CannedTransport) async throws {
            let feed = try TripsFeed(Flights.context(over: transport, saved: saved, folder: folder))
            _ = try await feed.counted(FeedRequest(stop: .trips(code)))
        }
        let both = [Flights.malaga, Flights.oslo]
        try await poll("saved", both, Flights.transport())
        #expect(try Set(onShelf()) == Set(both))
        try await poll("saved", nil, Flights.transport())
        #expect(try onShelf().count == 2)
        // Oslo's departs in 20 hours.
        let later = CannedTransport(date: "Tue, 03 Mar 2026 08:00:30 GMT") {
            $0 == "/trips" ? (200, Array("[]".utf8)) : nil
        }
        try await poll("saved", both, later)
        #expect(try onShelf() == [Flights.malaga])
        // Any response triggers the update.
        try await poll("scd", [], Flights.transport())
        #expect(try onShelf().isEmpty)
    }

    @Test("an unreadable file is not replaced, and is read as soon as possible; each is logged once")
    func unreadableShelf() async throws {
        let folder = try Fixtures.temporaryFolder()
        let path = folder + "/trips.saved.json"
        // A link to itself cannot be read, not even by root, and could be replaced.
        #expect(unsafe symlink(path, path) == 0)
        let notes = LogEntries()
        let saved = [Flights.malaga, Flights.rome]
        let transport = Flights.transport(["/trips": (200, "[\(Flights.trip(Flights.rome))]")])
        let feed = try TripsFeed(Flights.context(over: transport, saved: saved, folder: folder, note: notes.take))
        for _ in 0..<2 { #expect(try await feed.counted(FeedRequest(stop: .trips("saved"))).departures.count == 1) }
        #expect(RecordingFiles.isAbsent(path) == false && (try? RecordingFiles.read(path)) == nil)
        #expect(notes.all.count == 1)
        #expect(notes.all.first?.contains("cannot be read") == true)
        #expect(unsafe unlink(path) == 0)
        try RecordingFiles.write(Array("[\(Flights.trip())]".utf8), to: path)
        #expect(try await feed.counted(FeedRequest(stop: .trips("saved"))).departures.count == 2)
        #expect(try TripsResponse(RecordingFiles.read(path)).trips().trips.count == 2)
        #expect(notes.all.last == "saved trips are stored again" && notes.all.count == 2)
    }

    @Test("after a failed write the next response writes again")
    func fullDisk() async throws {
        let folder = try Fixtures.temporaryFolder() + "/later"
        let notes = LogEntries()
        let feed = try TripsFeed(
            Flights.context(over: Flights.transport(), saved: [Flights.rome], folder: folder, note: notes.take))
        for _ in 0..<2 { _ = try await feed.counted(FeedRequest(stop: .trips("saved"))) }
        #expect(notes.all.count == 1)
        try RecordingFiles.makeDirectory(folder)
        _ = try await feed.counted(FeedRequest(stop: .trips("saved")))
        let stored = try TripsResponse(RecordingFiles.read(folder + "/trips.saved.json")).trips().trips
        #expect(stored.map(\.id) == [Flights.rome])
        #expect(notes.all.last == "saved trips are stored again")
    }

    @Test("trips saved or removed while the feed runs take effect with the next request")
    func savedMeanwhile() async throws {
        let favourites = Mutex<[String]>([])
        let folder = try Fixtures.temporaryFolder()
        let context = Flights.context(over: Flights.transport(), folder: folder) { favourites.withLock { $0 } }
        let feed = try TripsFeed(context)
        let feedRequest = FeedRequest(stop: .trips("saved"))
        #expect(try await feed.counted(feedRequest).departures.isEmpty)
        favourites.withLock { $0 = ["saved", Flights.rome] }
        #expect(picture(try await feed.counted(feedRequest)) == ["FR 4048 Rome 720h 19.90EUR"])
        favourites.withLock { $0 = ["saved", Flights.malaga] }
        #expect(picture(try await feed.counted(feedRequest)) == ["FR 4048 Malaga 360h 72EUR"])
        let stored = try TripsResponse(RecordingFiles.read(folder + "/trips.saved.json")).trips().trips
        #expect(stored.map(\.id) == [Flights.malaga])
    }

    @Test("a file with other content counts as empty, and is replaced")
    func otherContent() async throws {
        let folder = try Fixtures.temporaryFolder()
        let path = folder + "/trips.saved.json"
        for text in ["", "{", "[1]", "\u{0}"] {
            try RecordingFiles.write(Array(text.utf8), to: path)
            let feed = try TripsFeed(Flights.context(over: Flights.transport(), saved: [Flights.rome], folder: folder))
            #expect(try await feed.counted(FeedRequest(stop: .trips("saved"))).departures.count == 1)
            #expect(try TripsResponse(RecordingFiles.read(path)).trips().trips.map(\.id) == [Flights.rome])
        }
    }

    @Test(
        "a code is a region, a trip or the saved ones",
        arguments: [
            ("scd", .region("scd")), ("saved", .saved), (Flights.malaga, .trip(Flights.malaga)),
            (Flights.malaga.uppercased(), .trip(Flights.malaga)), ("a_b-1", .region("a_b-1")), ("", nil),
            ("..", nil),
            ("a/b", nil), ("a b", nil), ("é", nil), (String(repeating: "a", count: 33), nil),
        ] as [(String, TripsCode?)])
    func codes(_ text: String, _ code: TripsCode?) {
        #expect(TripsCode(text) == code)
        #expect((TripsFeed.declaration.problem(aboutStop: text) == nil) == (code != nil))
    }

    @Test("errors name the remedy, also those in a gateway's wrapper")
    func errors() async throws {
        for (status, body, kind, message) in [
            (404, "", .unknownStop, "unknown region scd"),
            (403, "", .status(403), "check url in boardd.toml"),
            (200, #"[{"a":1}]"#, .unreadable, "found JSON with an unexpected structure"),
            (200, #"{"statusCode":200,"body":"<p>"}"#, .unreadable, "found HTML"),
            (200, #"{"statusCode":500,"body":"Oops"}"#, .status(500), "status 500"),
            (
                200, #"{"statusCode":403,"body":"{\"message\":\"No such stage\"}"}"#, .status(403),
                "server message: No such stage"
            ),
        ] as [(Int, String, FeedError.Kind, String)] {
            let failure = await Flights.failure(try feed(Flights.transport(["/trips/scd": (status, body)])), "scd")
            #expect(failure?.kind == kind, "\(body)")
            #expect(failure?.detail.contains(message) == true, "\(failure?.detail ?? "")")
        }
    }

    @Test("without a URL there is no request, and a disallowed URL is rejected")
    func address() async throws {
        let transport = Flights.transport()
        let feed = try TripsFeed(Flights.context(over: transport, url: ""))
        #expect(await Flights.failure(feed, "scd")?.detail.contains("set url in boardd.toml, [feed.trips]") == true)
        #expect(try TripsCatalogue(Flights.context(over: transport, url: "")) == nil)
        #expect(transport.requested.isEmpty)
        #expect(throws: FeedSettingError.self) {
            try TripsFeed(Flights.context(over: transport, url: "http://a.example"))
        }
    }

    @Test("the lines of a list are its flights; an unknown region or trip is an unknown stop")
    func lines() async throws {
        let feed = try feed()
        #expect(try await feed.check(.trips("scd")).lines == [Line(id: "FR 4048", name: "FR 4048")])
        #expect(try await feed.check(.trips("saved")).lines == [])
        for code in ["nowhere", "00000000-1cb9-11e9-b9f8-b3ba95b35000"] {
            let failure = await #expect(throws: FeedError.self) { try await feed.check(.trips(code)) }
            #expect(failure?.kind == .unknownStop)
        }
    }

    @Test("regions are listed as stops, except those with an invalid code")
    func regions() async throws {
        let collector = StopCollector()
        let catalogue = try #require(try TripsCatalogue(Flights.context(over: Flights.transport())))
        #expect(try await catalogue.stops(page: 1, take: collector.take).entries == 1)
        #expect(collector.stops.map(\.id) == [.trips("scd")] && collector.stops.first?.name == "Scandinavia")
        #expect(try await catalogue.stops(page: 2, take: collector.take).entries == 0)
        #expect(try await catalogue.route(of: "FR 4048") == nil)
    }

    @Test("recordings: regions are read, and an airport is decoded twice", .needsRecordings)
    func recorded() throws {
        guard let regions = Recordings.read("flights/RegionMock.json"),
            let airport = Recordings.read("flights/AirportMock.json")
        else { return }
        #expect(try TripsResponse(regions).regions().map(\.name) == ["Baltics", "Scandinavia"])
        #expect(try TripsResponse(airport).zone() == "Europe/Vilnius")
        #expect(throws: FormatError.self) { try TripsResponse(regions).zone() }
        #expect(throws: FormatError.self) { try TripsResponse(airport).trips() }
        #expect(throws: FormatError.self) { try TripsResponse(airport).regions() }
        #expect(throws: FormatError.self) { try TripsResponse(regions).trips() }
    }
}
