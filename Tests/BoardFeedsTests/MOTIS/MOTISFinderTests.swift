import BoardCore
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("MOTIS searches", .endsHangs)
struct MOTISFinderTests {
    private static let middle = Coordinates(latitude: 51, longitude: -1.5)

    private static func found(_ id: String, _ name: String, _ latitude: String, type: String = "STOP") -> String {
        #"{"type":"\#(type)","id":"\#(id)","name":"\#(name)","lat":\#(latitude),"lon":-1.5E0,"modes":["BUS"],"#
            + #""areas":[{"name":"Land","default":false},{"name":"Vale","default":true}],"score":-6.5E0}"#
    }

    private static func list(_ entries: String...) -> [UInt8] { Array("[\(entries.joined(separator: ","))]".utf8) }

    @Test("a search by name finds distinct stops, with the town if their name does not contain it")
    func byName() async throws {
        let body = Self.list(
            Self.found("xx_1", "Mill Lane", "5.1E1"), Self.found("xx_1", "Mill Lane", "5.1E1"),
            Self.found("way/7", "Mill Lane House", "51", type: "PLACE"), Self.found("xx_2", "Vale, Mill Lane", "51.2"),
            "null", #"{"type":"STOP"}"#)
        let transport = CannedTransport { _ in (200, body) }
        let finder = try #require(try MOTISFixture.feed(over: transport, ["language": .text("de")]).finder)
        let stops = try await finder.stops(matching: "mill lane", limit: 9)
        #expect(stops.map(\.id.description) == ["motis:xx_1", "motis:xx_2"])
        #expect(stops.map(\.name) == ["Mill Lane, Vale", "Vale, Mill Lane"])
        #expect(stops.first?.coordinates == Self.middle)
        #expect(stops.first?.modes == ["bus"])
        #expect(try await finder.stops(matching: "mill lane", limit: 1).count == 1)
        #expect(transport.requested.first == "/api/v1/geocode?text=mill%20lane&type=STOP&language=de")
    }

    private static func areas(_ areas: (name: String, level: Int, matched: Bool, usual: Bool)...) -> String {
        let rows = areas.map {
            #"{"name":"\#($0.name)","adminLevel":\#($0.level).0,"matched":\#($0.matched),"default":\#($0.usual)}"#
        }
        return
            #"[{"type":"STOP","id":"xx_1","name":"Vale Market","lat":51,"lon":1,"areas":[\#(rows.joined(separator: ","))]}]"#
    }

    @Test(
        "the searched town takes precedence over a parish, and is left out if the name contains one",
        arguments: [
            (areas(("Parish of Weir", 6, false, true), ("Harbour", 8, true, false)), "Vale Market, Harbour"),
            (areas(("Parish of Weir", 6, false, true), ("Harbour", 8, false, false)), "Vale Market, Parish of Weir"),
            (areas(("Parish of Weir", 6, false, true), ("Vale", 8, false, false)), "Vale Market"),
            (areas(("Land", 2, true, false), ("Vale", 6, true, true)), "Vale Market"), ("[]", nil),
        ])
    func towns(body: String, name: String?) async throws {
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (200, Array(body.utf8)) })
        #expect(try await feed.stops(matching: "x", limit: 1).first?.name == name)
    }

    @Test("modes are in the words of the stop directory, each once, and an unknown one in its own word")
    func modes() async throws {
        let body =
            #"[{"type":"STOP","id":"xx_1","name":"Weir","lat":51,"lon":1,"#
            + #""modes":["REGIONAL_RAIL","HIGHSPEED_RAIL","SUBWAY","TRAM","BUS","FERRY","HOVER_CRAFT"]}]"#
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (200, Array(body.utf8)) })
        #expect(
            try await feed.stops(matching: "weir", limit: 1).first?.modes
                == ["train", "metro", "tram", "bus", "ferry", "hover-craft"])
    }

    @Test("stops of one name that are a walk apart are two; platforms of one station are one, however long it is")
    func nameTwice() async throws {
        func row(_ id: String, _ latitude: String, parent: String = "null") -> String {
            #"{"stopId":"\#(id)","parentId":\#(parent),"name":"Church","lat":\#(latitude),"lon":-1.5}"#
        }
        let body = Self.list(
            row("xx_a", "51.001"), row("xx_b", "51.004"), row("xx_c", "51.02"),
            row("xx_d1", "51.03", parent: #""xx_d""#), row("xx_d2", "51.04", parent: #""xx_d""#))
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (200, body) })
        let stops = try await feed.stops(near: #require(Self.middle), within: Metres(5_000), limit: 9)
        #expect(stops.map(\.stop.id.code) == ["xx_a", "xx_c", "xx_d"])
    }

    @Test("at the date line both sides are searched")
    func dateLine() async throws {
        let transport = CannedTransport { path in
            let isEast = path.contains(",-180.0&")
            let place = isEast ? #""lat":-17.0,"lon":-179.999"# : #""lat":-17.0,"lon":179.998"#
            return (200, Array(#"[{"stopId":"xx_\#(isEast)","name":"Quay \#(isEast)",\#(place)}]"#.utf8))
        }
        let edge = try #require(Coordinates(latitude: -17, longitude: 179.999))
        let stops = try await MOTISFixture.feed(over: transport).stops(near: edge, within: Metres(500), limit: 9)
        #expect(stops.map(\.stop.name).sorted() == ["Quay false", "Quay true"])
        #expect(transport.requested.count == 2)
    }

    @Test("a search by place finds the stops within the radius, nearest first, with platforms of one name as one stop")
    func near() async throws {
        func row(_ id: String, _ name: String, _ latitude: String) -> String {
            #"{"stopId":"\#(id)","name":"\#(name)","lat":\#(latitude),"lon":-1.5}"#
        }
        let body = Self.list(
            row("xx_far", "Far", "51.1"), row("xx_b", "Market", "51.003"), row("xx_a2", "Mill Lane", "51.0011"),
            row("xx_a1", "Mill Lane", "51.001"), #"{"name":"Nowhere"}"#)
        let transport = CannedTransport { _ in (200, body) }
        let finder = try #require(try MOTISFixture.feed(over: transport).finder)
        let stops = try await finder.stops(near: #require(Self.middle), within: Metres(500), limit: 9)
        #expect(stops.map(\.stop.id.code) == ["xx_a1", "xx_b"])
        #expect(stops.map { Int($0.distance.count.rounded()) } == [111, 334])
        let requested = try #require(transport.requested.first)
        #expect(requested.hasPrefix("/api/v1/map/stops?min=50.99549"), "\(requested)")
    }

    @Test("every recorded search gives stops or a typed error", .needsRecordings)
    func recorded() async throws {
        var names: [String: [String]] = [:]
        for name in ["location-addresses", "location-geo-search", "location-name-search", "trip-limited-entry-exit"] {
            guard let body = Recordings.read("motis/\(name).json") else { return }
            let finder = try MOTISFixture.feed(over: CannedTransport { _ in (200, body) }).finder
            do throws(FeedError) {
                let stops = try await finder?.stops(matching: "x", limit: 99) ?? []
                names[name] = stops.map { "\($0.id) \($0.name)" }
            } catch {
                #expect(error.kind == .unreadable && name.hasPrefix("trip"))
            }
        }
        #expect(
            names == [
                "location-addresses": [],
                "location-geo-search": ["motis:ch-opentransportdataswiss_Parent8023179 Leipzig Hbf"],
                "location-name-search": ["motis:ch-opentransportdataswiss_Parent8014228 Karlsruhe Hbf"],
            ])
        guard let body = Recordings.read("motis/location-map-stops.json") else { return }
        let ulm = try #require(Coordinates(latitude: 48.39994, longitude: 9.98255))
        let finder = try MOTISFixture.feed(over: CannedTransport { _ in (200, body) }).finder
        let near = try await finder?.stops(near: ulm, within: Metres(500), limit: 99) ?? []
        #expect(near.map(\.stop.name).sorted() == ["Ulm Hauptbahnhof", "Ulm Hbf"])
    }

    // MARK: - Identifiers that change

    /// A MOTIS server with configurable stops and geocoder results.
    private final class MOTISServer: Sendable {
        struct State {
            var existing: Set<String>
            var matches: [UInt8]?
            var status = 404
        }

        let state: Mutex<State>

        init(_ existing: Set<String>, matches: [UInt8]?, status: Int = 404) {
            state = Mutex(State(existing: existing, matches: matches, status: status))
        }

        func setExisting(_ existing: Set<String>) { state.withLock { $0.existing = existing } }

        func respond(_ path: String) -> (Int, [UInt8])? {
            let state = state.withLock { $0 }
            if path.contains("/geocode?") { return state.matches.map { (200, $0) } }
            let code = path.firstRange(of: "stopId=").map { path[$0.upperBound...].prefix { $0 != "&" } } ?? ""
            guard state.existing.contains(String(code)) else {
                return (state.status, Array(#"{"error":"no such stop"}"#.utf8))
            }
            let name = code == "xx_new" ? "New Mill" : "Mill Lane"
            let row = #"{"place":{"departure":"2026-03-02T08:04:00Z"},"displayName":"\#(code)"}"#
            return (200, Array(#"{"place":{"name":"\#(name)","lat":51,"lon":-1.5},"stopTimes":[\#(row)]}"#.utf8))
        }
    }

    private static let old = "xx-Vale_mill%3A1"

    private struct PolledStop {
        let feed: MOTISFeed
        let transport: CannedTransport
        let notes = LogEntries()
        let clock = VirtualClock()

        init(_ server: MOTISServer) throws {
            let transport = CannedTransport { server.respond($0) }
            self.transport = transport
            let notes = notes
            let storage = FeedStorage(folder: "/nowhere", download: { transport }, log: notes.take)
            feed = try MOTISFixture.feed(over: transport, ["contact": .text("me")], storage: storage, clock: clock)
        }

        /// The number of requests, and the requested stops; "?" stands for the geocoder.
        func poll() async throws -> (requests: Int, codes: [String]) {
            let before = transport.requested.count
            let requests = try await feed.counted(MOTISFinderTests.request).requests
            let codes = transport.requested.dropFirst(before).map { path in
                path.firstRange(of: "stopId=").map { String(path[$0.upperBound...].prefix { $0 != "&" }) } ?? "?"
            }
            return (requests, codes)
        }
    }

    private static let request = FeedRequest(stop: MOTISFixture.stop, name: "Mill Lane", location: middle)

    private static let matches = list(
        found("xx_far", "Mill Lane", "52"), found("xx_market", "Market", "51.0001"),
        found("xx_new", "Mill  lane", "51.001"))

    @Test(
        "a stop whose identifier no longer exists is found by name and place, once, and logged once",
        arguments: [404, 400])
    func resolved(status: Int) async throws {
        let polled = try PolledStop(MOTISServer(["xx_new"], matches: Self.matches, status: status))
        let response = try await polled.feed.counted(Self.request)
        #expect(response.stop.id == MOTISFixture.stop)
        #expect(response.departures.map(\.stop) == [MOTISFixture.stop])
        #expect(response.requests == 3)
        #expect(
            polled.transport.requested.dropFirst().first == "/api/v1/geocode?text=Mill%20Lane&type=STOP&place=51.0,-1.5"
        )
        #expect(try await polled.poll() == (1, ["xx_new"]))
        #expect(polled.notes.all.count == 1 && polled.notes.all.first?.contains("motis:xx_new") ?? false)
    }

    @Test("its name and place are also cached from responses")
    func remembered() async throws {
        let server = MOTISServer([Self.old], matches: Self.matches)
        let polled = try PolledStop(server)
        let request = FeedRequest(stop: MOTISFixture.stop)
        #expect(try await polled.feed.counted(request).requests == 1)
        server.setExisting(["xx_new"])
        #expect(try await polled.feed.counted(request).departures.map(\.line.name) == ["xx_new"])
    }

    @Test("the name of a replacement is not cached as the stop's own")
    func nameStays() async throws {
        let server = MOTISServer([Self.old], matches: Self.matches)
        let polled = try PolledStop(server)
        let request = FeedRequest(stop: MOTISFixture.stop)
        _ = try await polled.feed.counted(request)
        server.setExisting(["xx_new"])
        _ = try await polled.feed.counted(request)
        server.setExisting([])
        await #expect(throws: FeedError.self) { try await polled.feed.counted(request) }
        #expect(polled.transport.requested.last { $0.contains("/geocode?") }?.contains("text=Mill%20Lane&") ?? false)
    }

    @Test("a nearby stop of another name is not a replacement")
    func neighbour() async throws {
        let market = Self.list(Self.found("xx_market", "Market", "51.0036"))
        let polled = try PolledStop(MOTISServer(["xx_market"], matches: market))
        let failure = await #expect(throws: FeedError.self) { try await polled.feed.counted(Self.request) }
        #expect(failure?.kind == .unknownStop)
        #expect(failure?.requests == 2)
        #expect(polled.notes.all.isEmpty)
    }

    @Test("a stop that the geocoder lists under its identifier still exists, whatever the other responses")
    func stillListed() async throws {
        let both = Self.list(
            Self.found(MOTISFixture.stop.code, "Mill Lane", "51.002"), Self.found("xx_new", "Mill Lane", "51.001"))
        let server = MOTISServer(["xx_new"], matches: both)
        let polled = try PolledStop(server)
        let failure = await #expect(throws: FeedError.self) { try await polled.feed.counted(Self.request) }
        #expect(failure?.kind == .unknownStop)
        server.setExisting(["xx_new", Self.old])
        #expect(try await polled.feed.counted(Self.request).departures.map(\.line.name) == [Self.old])
        #expect(polled.notes.all.isEmpty)
    }

    @Test("a failed geocoder request does not affect the stop: it is retried, and every request counts")
    func unresponsiveGeocoder() async throws {
        let server = MOTISServer(["xx_new"], matches: nil)
        let polled = try PolledStop(server)
        let failure = await #expect(throws: FeedError.self) { try await polled.feed.counted(Self.request) }
        #expect(failure?.kind == .timedOut)
        #expect(failure?.requests == 2)
        server.state.withLock { $0.matches = Self.matches }
        #expect(try await polled.feed.counted(Self.request).requests == 3)
    }

    @Test("when the replacement disappears as the own identifier returns, that is logged")
    func switchedBack() async throws {
        let server = MOTISServer(["xx_new"], matches: Self.matches)
        let polled = try PolledStop(server)
        _ = try await polled.feed.counted(Self.request)
        server.setExisting([Self.old])
        #expect(try await polled.poll() == (2, ["xx_new", Self.old]))
        #expect(polled.notes.all.count == 2 && polled.notes.all.last?.contains("available again") ?? false)
        #expect(try await polled.poll() == (1, [Self.old]))
    }

    @Test("after some hours the own identifier is tried again, and used if it exists")
    func back() async throws {
        let server = MOTISServer(["xx_new"], matches: Self.matches)
        let polled = try PolledStop(server)
        _ = try await polled.feed.counted(Self.request)
        polled.clock.go(to: .seconds(6 * 3_600))
        #expect(try await polled.poll() == (2, [Self.old, "xx_new"]))
        #expect(try await polled.poll() == (1, ["xx_new"]))
        server.setExisting(["xx_new", Self.old])
        polled.clock.go(to: .seconds(12 * 3_600))
        for _ in 0..<2 {
            #expect(try await polled.feed.counted(Self.request).departures.map(\.line.name) == [Self.old])
        }
        #expect(polled.notes.all.count == 2 && polled.notes.all.last?.contains("available again") ?? false)
    }

    @Test("a stop without a match by name and place stays unknown")
    func lost() async throws {
        for (request, requests) in [
            (FeedRequest(stop: MOTISFixture.stop), 1),
            (
                FeedRequest(
                    stop: MOTISFixture.stop, name: "Mill Lane", location: Coordinates(latitude: 10, longitude: 10)), 2
            ),
        ] {
            let polled = try PolledStop(MOTISServer(["xx_new"], matches: Self.matches))
            let failure = await #expect(throws: FeedError.self) { try await polled.feed.counted(request) }
            #expect(failure?.kind == .unknownStop)
            #expect(failure?.requests == requests)
            #expect(try await polled.feed.successor(of: request) == nil)
            #expect(polled.notes.all.isEmpty)
        }
    }

    @Test("only feeds that search stops online declare it")
    func declared() throws {
        for existing in FeedRegistry.operators {
            let settings = FeedSettings(defaultsOf: existing.declaration)
            let context = FeedContext(
                settings: settings, transport: CannedTransport { _ in nil }, clock: VirtualClock()
            ) { name throws(FeedSettingError) in try Feeds.london(name) }
            guard let feed = try? existing.feed(context) else { continue }
            #expect((feed.finder != nil) == existing.declaration.searchesStops, "\(existing.declaration.name)")
        }
        #expect(MOTISFeed.declaration.searchesStops)
    }

    @Test("the check of a configured stop reports its current identifier")
    func successor() async throws {
        let polled = try PolledStop(MOTISServer(["xx_new"], matches: Self.matches))
        #expect(try await polled.feed.successor(of: Self.request)?.id.description == "motis:xx_new")
    }

    @Test("a stop has its name and place, for the configuration")
    func described() async throws {
        let feed = try MOTISFixture.feed(over: CannedTransport { _ in (200, MOTISFixture.stopTimes([])) })
        let stop = try #require(try await feed.stop(MOTISFixture.stop))
        #expect(stop.name == "Mill Lane")
        #expect(stop.coordinates == Self.middle)
    }
}
