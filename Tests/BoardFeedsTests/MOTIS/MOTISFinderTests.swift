import BoardCore
import Synchronization
import Testing

@testable import BoardFeeds

@Suite("MOTIS's searches")
struct MOTISFinderTests {
    private static let middle = Coordinates(latitude: 51, longitude: -1.5)

    private static func found(_ id: String, _ name: String, _ latitude: String, type: String = "STOP") -> String {
        #"{"type":"\#(type)","id":"\#(id)","name":"\#(name)","lat":\#(latitude),"lon":-1.5E0,"modes":["BUS"],"#
            + #""areas":[{"name":"Land","default":false},{"name":"Vale","default":true}],"score":-6.5E0}"#
    }

    private static func list(_ entries: String...) -> [UInt8] { Array("[\(entries.joined(separator: ","))]".utf8) }

    @Test("by name finds stops alone, each once, with the town that their name does not say")
    func byName() async throws {
        let body = Self.list(
            Self.found("xx_1", "Mill Lane", "5.1E1"), Self.found("xx_1", "Mill Lane", "5.1E1"),
            Self.found("way/7", "Mill Lane House", "51", type: "PLACE"), Self.found("xx_2", "Vale, Mill Lane", "51.2"),
            "null", #"{"type":"STOP"}"#)
        let transport = CannedTransport { _ in (200, body) }
        let finder = try #require(try MOTISTown.feed(over: transport, ["language": .text("de")]).finder)
        let stops = try await finder.stops(matching: "mill lane", limit: 9)
        #expect(stops.map(\.id.description) == ["motis:xx_1", "motis:xx_2"])
        #expect(stops.map(\.name) == ["Mill Lane, Vale", "Vale, Mill Lane"])
        #expect(stops.first?.coordinates == Self.middle)
        #expect(stops.first?.modes == ["bus"])
        #expect(try await finder.stops(matching: "mill lane", limit: 1).count == 1)
        #expect(transport.asked.first == "/api/v1/geocode?text=mill%20lane&type=STOP&language=de")
    }

    @Test("by place finds what is within the radius, nearest first, platforms of one name as one stop")
    func near() async throws {
        func row(_ id: String, _ name: String, _ latitude: String) -> String {
            #"{"stopId":"\#(id)","name":"\#(name)","lat":\#(latitude),"lon":-1.5}"#
        }
        let body = Self.list(
            row("xx_far", "Far", "51.1"), row("xx_b", "Market", "51.003"), row("xx_a2", "Mill Lane", "51.0011"),
            row("xx_a1", "Mill Lane", "51.001"), #"{"name":"Nowhere"}"#)
        let transport = CannedTransport { _ in (200, body) }
        let finder = try #require(try MOTISTown.feed(over: transport).finder)
        let stops = try await finder.stops(near: try #require(Self.middle), within: Metres(500), limit: 9)
        #expect(stops.map(\.stop.id.code) == ["xx_a1", "xx_b"])
        #expect(stops.map { Int($0.distance.count.rounded()) } == [111, 334])
        let asked = try #require(transport.asked.first)
        #expect(asked.hasPrefix("/api/v1/map/stops?min=50.9955"), "\(asked)")
    }

    @Test("every recorded search gives stops or a typed error")
    func recorded() async throws {
        var counts: [String: Int] = [:]
        for name in ["location-addresses", "location-geo-search", "location-name-search", "trip-limited-entry-exit"] {
            guard let body = Fixtures.recorded("motis/\(name).json") else { return }
            let finder = try MOTISTown.feed(over: CannedTransport { _ in (200, body) }).finder
            do throws(FeedFailure) {
                counts[name] = try await finder?.stops(matching: "x", limit: 99).count
            } catch {
                #expect(error.kind == .unreadable && name.hasPrefix("trip"))
            }
        }
        #expect(counts["location-name-search"] == 1)
        guard let body = Fixtures.recorded("motis/location-map-stops.json") else { return }
        let ulm = try #require(Coordinates(latitude: 48.39994, longitude: 9.98255))
        let finder = try MOTISTown.feed(over: CannedTransport { _ in (200, body) }).finder
        let near = try await finder?.stops(near: ulm, within: Metres(500), limit: 99) ?? []
        #expect(near.map(\.stop.name).sorted() == ["Ulm Hauptbahnhof", "Ulm Hbf"])
    }

    // MARK: - Identifiers that change

    /// A MOTIS that knows one stop by its new identifier alone, from the second question on where it knew the old one.
    private final class Moved: Sendable {
        private let knowsOld: Mutex<Bool>
        private let matches: [UInt8]
        let status: Int

        init(knowsOld: Bool = false, status: Int = 404, matches: [UInt8]) {
            self.knowsOld = Mutex(knowsOld)
            self.status = status
            self.matches = matches
        }

        func answer(_ path: String) -> (Int, [UInt8])? {
            if path.contains("/geocode?") { return (200, matches) }
            let isOld = path.contains("mill%3A1&")
            let isKnown = knowsOld.withLock { knows in
                defer { knows = false }
                return !isOld || knows
            }
            let row = MOTISTown.row("C6", "Harbour", MOTISTown.times([("departure", "08:04")]))
            return isKnown ? (200, MOTISTown.answer([row])) : (status, Array(#"{"error":"no such stop"}"#.utf8))
        }
    }

    private func feed(_ moved: Moved, _ notes: Notes) throws -> (MOTISFeed, CannedTransport) {
        let transport = CannedTransport { moved.answer($0) }
        let storage = FeedStorage(folder: "/nowhere", download: { transport }, note: notes.take)
        return (try MOTISTown.feed(over: transport, ["contact": .text("me")], storage: storage), transport)
    }

    private let matches = MOTISFinderTests.list(
        MOTISFinderTests.found("xx_far", "Mill Lane", "52"), MOTISFinderTests.found("xx_market", "Market", "51.0001"),
        MOTISFinderTests.found("xx_new", "Mill  lane", "51.001"))

    @Test(
        "a stop whose identifier is gone is found by name and place, once, and that is said once",
        arguments: [404, 400])
    func resolved(status: Int) async throws {
        let notes = Notes()
        let (feed, transport) = try feed(Moved(status: status, matches: matches), notes)
        let question = FeedQuestion(stop: MOTISTown.stop, name: "Mill Lane", location: Self.middle)
        let answer = try await feed.departures(question)
        #expect(answer.stop.id == MOTISTown.stop)
        #expect(answer.departures.map(\.stop) == [MOTISTown.stop])
        #expect(answer.requests == 3)
        #expect(try await feed.departures(question).requests == 1)
        #expect(transport.asked.count == 4)
        #expect(transport.asked[1] == "/api/v1/geocode?text=Mill%20Lane&type=STOP&place=51.0,-1.5")
        #expect(transport.asked[2].contains("stopId=xx_new&"))
        #expect(transport.asked[3].contains("stopId=xx_new&"))
        #expect(notes.all.count == 1 && notes.all.first?.contains("motis:xx_new") ?? false)
    }

    @Test("what it was called is also remembered from answers")
    func remembered() async throws {
        let (feed, _) = try feed(Moved(knowsOld: true, matches: matches), Notes())
        let question = FeedQuestion(stop: MOTISTown.stop)
        #expect(try await feed.departures(question).requests == 1)
        #expect(try await feed.departures(question).requests == 3)
    }

    @Test("a stop that nobody knows by name and place, or that is nowhere near, stays unknown")
    func lost() async throws {
        for question in [
            FeedQuestion(stop: MOTISTown.stop),
            FeedQuestion(stop: MOTISTown.stop, name: "Mill Lane", location: Coordinates(latitude: 10, longitude: 10)),
        ] {
            let notes = Notes()
            let (feed, _) = try feed(Moved(matches: matches), notes)
            await #expect { try await feed.departures(question) } throws: { error in
                (error as? FeedFailure)?.kind == .unknownStop
            }
            #expect(notes.all.isEmpty)
        }
    }

    @Test("a stop says what it is called and where it is, for whoever writes it down")
    func described() async throws {
        let feed = try MOTISTown.feed(over: CannedTransport { _ in (200, MOTISTown.answer([])) })
        let stop = try #require(try await feed.stop(MOTISTown.stop))
        #expect(stop.name == "Mill Lane")
        #expect(stop.coordinates == Self.middle)
    }
}
