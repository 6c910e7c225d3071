import BoardCore
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The demo recording", .endsHangs)
struct DemoRecordingTests {
    private static let now = Timestamp(seconds: 1_900_000_000)
    private static let codes = ["490008660N", "490098765S", "940GZZLUOXC", "910GTOTCTRD"]
    private let folder = Checkout.path + "/etc/demo/recording"

    @Test("every stop has departures at every moment, and no row is bad")
    func wholeLap() async throws {
        let clock = VirtualClock(wall: Self.now)
        let feed = try Feeds.replayed(folder, clock)
        for seconds in stride(from: 0, to: 800, by: 30) {
            clock.go(to: .seconds(seconds))
            let present = Self.now + .seconds(seconds)
            for code in Self.codes {
                let response = try await feed.departures(FeedRequest(stop: StopID(feed: TfLFeed.name, code: code)))
                let valid = response.departures.filter { $0.expiresAt > present }
                #expect(response.badRows == 0)
                #expect(valid.count >= 4, "\(code) after \(seconds) s")
                #expect(response.departures.allSatisfy { $0.madeAt <= present && present - $0.madeAt < .seconds(900) })
                if code == "490008660N" { #expect(valid.count > 8, "several screens") }
            }
        }
    }

    @Test("it shows: a stale estimate, a due one, a delay, a cancellation, scheduled times, long names")
    func variety() async throws {
        let feed = try Feeds.replayed(folder, VirtualClock(wall: Self.now))
        var all: [Departure] = []
        var names: [String?] = []
        for code in Self.codes {
            let response = try await feed.departures(FeedRequest(stop: StopID(feed: TfLFeed.name, code: code)))
            all += response.departures
            names.append(response.stop.name)
        }
        #expect(
            names == [
                "Oxford Street / Oxford Circus", "Great Portland Street / Margaret Street",
                "Oxford Circus Underground Station",
                "Tottenham Court Road Rail Station",
            ])
        #expect(all.contains { Self.now - $0.madeAt > feed.profile.expiry.staleAfter })
        #expect(all.contains { $0.due - Self.now < .seconds(30) })
        #expect(all.contains { $0.status == .delayed })
        #expect(all.contains { $0.status == .cancelled })
        #expect(all.contains { if case .scheduled = $0.status { true } else { false } })
        #expect(all.contains { $0.destination.count > 20 })
        #expect(all.allSatisfy { !$0.vehicle.isEmpty || $0.line.id == "elizabeth" })
    }

    @Test("one stop has alerts, of its own and of a line, once its lines are cached; the others have none")
    func alerts() async throws {
        let clock = VirtualClock(wall: Self.now)
        let feed = try Feeds.replayed(folder, clock)
        var alerts: [String: [Alert]] = [:]
        for seconds in [0, 30, 60] {
            clock.go(to: .seconds(seconds))
            for (code, lines) in [("490008660N", ["73", "390"]), ("490098765S", []), ("940GZZLUOXC", [])] {
                let request = FeedRequest(stop: StopID(feed: TfLFeed.name, code: code), lines: lines)
                alerts[code] = try await feed.departures(request).alerts
            }
        }
        #expect(alerts["490008660N"]?.map(\.lines).contains(["73"]) == true)
        #expect(alerts["490008660N"]?.map(\.lines).contains(nil) == true)
        #expect(alerts["490098765S"] == [] && alerts["940GZZLUOXC"] == [])
    }

    @Test("its trains are on time, late, delayed without an estimate, and cancelled; each has trip details")
    func trains() async throws {
        let clock = VirtualClock(wall: Self.now)
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let feed = try FeedRegistry.feedOperator(NationalRailFeed.name)?.feed(
            FeedContext(
                settings: FeedSettings(defaultsOf: NationalRailFeed.declaration), transport: replay, clock: clock,
                zone: { _ in .utc }), replaying: replay)
        let trains = try #require(feed)
        for seconds in stride(from: 0, to: 800, by: 60) {
            clock.go(to: .seconds(seconds))
            let request = FeedRequest(stop: StopID(feed: NationalRailFeed.name, code: "CLJ"))
            let response = try await trains.departures(request)
            #expect(response.badRows == 0)
            #expect(response.departures.count >= 6, "after \(seconds) s")
            #expect(response.departures.contains { $0.status == .cancelled && $0.attributes?.reason != nil })
            #expect(response.departures.contains { $0.status == .delayed })
            #expect(response.departures.contains { if case .expected($0.booked) = $0.status { true } else { false } })
            #expect(response.departures.contains { $0.status != .cancelled && $0.due != $0.booked })
            #expect(response.departures.contains { $0.platform == "13" })
            for departure in response.departures {
                let service = try await trains.tripDetails(of: departure)
                #expect(service.map { $0.calls.count > 3 } == true, "\(departure.destination)")
            }
        }
    }

    @Test("it has a list of the stops around its favourites, and the stops of each bus line in sequence")
    func places() async throws {
        let clock = VirtualClock(wall: Self.now)
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let catalogue = try TfLCatalogue(
            FeedContext(
                settings: FeedSettings(defaultsOf: TfLFeed.declaration), transport: replay, clock: clock,
                zone: { _ in .utc }))
        let listed = Mutex<[ListedStop]>([])
        let page = try await catalogue.stops(page: 1) { stop in listed.withLock { $0.append(stop) } }
        #expect(page.badRows == 0)
        #expect(try await catalogue.stops(page: 2, take: { _ in }).entries == 0)
        let stops = listed.withLock { $0 }
        #expect(stops.count >= 40 && stops.allSatisfy { $0.coordinates != nil && !$0.lines.isEmpty })
        let codes = Set(stops.map(\.id.code))
        #expect(codes.count == stops.count && codes.isSuperset(of: Self.codes))
        let buses = Set(stops.filter { $0.kind == .pole }.flatMap(\.lines).map(\.line.id))
        #expect(buses.isSuperset(of: ["73", "390", "88"]))
        for line in buses {
            let route = try #require(try await catalogue.route(of: line))
            #expect(route.directions.map(\.name) == ["outbound", "inbound"])
            for stop in route.directions.flatMap(\.branches).flatMap(\.stops) {
                #expect(codes.contains(stop.id.code), "\(stop.name) of \(line)")
            }
        }
    }

    @Test("it is small")
    func size() throws {
        let bytes = try RecordingFiles.names(in: folder).reduce(0) {
            try $0 + RecordingFiles.read(folder + "/" + $1).count
        }
        #expect(bytes < 520_000)
    }
}
