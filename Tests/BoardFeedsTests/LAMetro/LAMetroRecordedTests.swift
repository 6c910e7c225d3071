import BoardCore
import FoundationEssentials
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("LA Metro's recordings", .endsHangs, .needsRecordings)
struct LAMetroRecordedTests {
    @Test("predictions are departures")
    func predictions() async throws {
        for (name, rows) in [
            ("predictions_for_a_given_stop.json", ["704: 186s", "16: 686s", "316: 3294s"]),
            ("predictions_bus_20.json", ["20: 1358s", "20: 3179s", "20: 4861s"]),
        ] {
            guard let body = Recordings.read("lametro/" + name) else { return }
            let response = try await LAMetroFixture.feed(responding: body).departures(
                FeedRequest(stop: .lametro("002")))
            #expect(response.departures.map { "\($0.line.name): \(($0.due - $0.madeAt).components.seconds)s" } == rows)
            #expect(response.badRows == 0)
        }
    }

    @Test("lists are agencies, routes, runs and stops")
    func lists() throws {
        func items<Row: Sendable>(_ name: String, _ read: (JSONRow) -> Row?) throws -> [Row] {
            guard let body = Recordings.read("lametro/" + name) else { return [] }
            return try JSONDocument(body).items("items").validRows(read).good
        }
        guard Recordings.read("lametro/agencies.json") != nil else { return }
        #expect(try items("agencies.json") { $0.text("id") } == ["lametro", "lametro-rail"])
        #expect(
            try items("routes_for_a_given_agency.json", Line.init(lametro:)) == [
                Line(id: "2", name: "2"), Line(id: "4", name: "4"), Line(id: "10", name: "10"),
                Line(id: "14", name: "14"),
            ])
        #expect(
            try items("runs_for_a_given_route.json", LAMetroRun.init).map { "\($0.id) \($0.destination)" } == [
                "4_276_0 Downtown LA - Broadway-Venice", "4_260_1 West LA - Sepulveda Bl",
            ])
        #expect(
            try items("stops_for_a_given_route.json", LAMetroStopInfo.init).map { "\($0.number ?? "-") \($0.name)" }
                == ["04098 Ocean / Arizona", "14360 Santa Monica / 4th", "- Division 13 Layover"])
    }

    @Test("every file is a board or a failure with advice, for whatever request it was recorded")
    func everyFile() async throws {
        let folder = Recordings.folder + "/lametro"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() {
            guard let body = Recordings.read("lametro/" + name) else { continue }
            let failure = await LAMetroFixture.failure(try LAMetroFixture.feed(responding: body))
            if name.hasPrefix("predictions") {
                #expect(failure == nil, "\(name)")
            } else {
                #expect(failure?.kind == .unreadable, "\(name)")
                #expect(failure?.detail.contains("[feed.lametro]") == true, "\(name)")
            }
            #expect(
                await LAMetroFixture.failure(try LAMetroFixture.feed(responding: body, status: 500))?.kind
                    == .status(500))
            try await requestAll(name, responding: body)
        }
    }

    /// Makes all other requests, each with this file as the response.
    private func requestAll(_ name: String, responding body: [UInt8]) async throws {
        let predictions = LAMetroFixture.responses["/agencies/lametro/stops/002/predictions/"] ?? ""
        let transport = CannedTransport { path in
            (200, path.hasSuffix("/predictions/") ? Array(predictions.utf8) : body)
        }
        let context = LAMetroFixture.context(over: transport, cancelled: LAMetroFixture.base + "/cancelled")
        let feed = try LAMetroFeed(context)
        // Whatever the responses for names, messages and cancelled trips, no departure is lost.
        let response = try await feed.departures(FeedRequest(stop: .lametro("002")))
        #expect(response.departures.count == 4, "\(name)")
        #expect(name == "CancelledTripsRT.json" || response.partialFailure?.kind == .unreadable, "\(name)")
        let catalogue = try #require(try LAMetroCatalogue(context))
        do throws(FeedError) {
            _ = try await feed.check(.lametro("002"))
        } catch {
            #expect(error.kind == .unreadable, "\(name)")
        }
        do throws(FeedError) {
            _ = try await catalogue.stops(page: 1) { _ in }
        } catch {
            #expect(error.kind == .unreadable && error.detail.contains("[feed.lametro]"), "\(name)")
        }
        do throws(FeedError) {
            _ = try await catalogue.route(of: "4")
        } catch {
            #expect(error.kind == .unreadable, "\(name)")
        }
    }
}
