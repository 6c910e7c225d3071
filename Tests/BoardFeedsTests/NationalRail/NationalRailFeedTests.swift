import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("National Rail's feed", .endsHangs)
struct NationalRailFeedTests {
    private static let board = "/1010-live-departure-board-dep1_2/LDBWS/api/20220120"
    private static let details = "/1010-service-details1_2/LDBWS/api/20220120"

    private func departure(_ id: String?, inMinutes minutes: Int64 = 30) -> Departure {
        let madeAt = Timestamp(seconds: 1_772_495_410)
        return Departure(
            stop: .rail("AMB"), line: Line(id: "VR", name: "Vale Railways"), destination: "Ashcombe",
            booked: madeAt + .seconds(60 * minutes), status: .expected(madeAt + .seconds(60 * minutes)),
            attributes: TripAttributes(id: id), madeAt: madeAt, expiresAt: madeAt)
    }

    @Test("the marketplace receives the station, the direction, and the time window")
    func marketplace() async throws {
        let body = try Fixtures.own("rail_board.json")
        let transport = CannedTransport { _ in (200, body) }
        let feed = try Rail.feed(Rail.marketplace, over: transport)
        let response = try await feed.counted(FeedRequest(stop: .rail("AMB"), towards: ["shm"]))
        #expect(response.departures.count == 7)
        #expect(response.requests == 1)
        #expect(
            transport.requested == [
                "\(Self.board)/GetDepartureBoard/AMB?numRows=60&filterCrs=SHM&filterType=to&timeOffset=0&timeWindow=120"
            ])
    }

    @Test(
        "with several stations there is a request for each; a train to both is one row, cancelled only if it calls at neither"
    )
    func stations() async throws {
        let body = try Fixtures.own("rail_board.json")
        let calling = String(decoding: body, as: UTF8.self)
            .replacing(#""filterLocationCancelled": true"#, with: #""filterLocationCancelled": false"#)
        let transport = CannedTransport { path in (200, path.contains("filterCrs=SHM") ? body : Array(calling.utf8)) }
        let feed = try Rail.feed(Rail.marketplace, over: transport)
        func status(_ stations: [String]) async throws -> Departure.Status? {
            let response = try await feed.counted(FeedRequest(stop: .rail("AMB"), towards: stations))
            #expect(response.departures.count == 7 && response.requests == stations.count)
            return response.departures.first { $0.attributes?.id == "1006ASHFRD__" }?.status
        }
        #expect(try await status(["SHM"]) == .cancelled)
        #expect(try await status(["SHM", "HFD"]) != .cancelled)
        #expect(transport.requested.last?.contains("filterCrs=HFD") == true)
    }

    @Test("offset and window come from the settings, and the marketplace takes precedence over Darwin")
    func settings() async throws {
        let body = try Fixtures.own("rail_board.json")
        let transport = CannedTransport { _ in (200, body) }
        var settings = Rail.settings(Rail.marketplace.merging(Rail.darwin) { $1 })
        settings.set("offset", to: .duration(.seconds(600)))
        settings.set("window", to: .duration(.seconds(3_600)))
        settings.set("board_url", to: .text("https://example.org/mine"))
        let feed = try NationalRailFeed(Feeds.context(settings, over: transport))
        _ = try await feed.counted(FeedRequest(stop: .rail("AMB")))
        #expect(transport.requested == ["/mine/GetDepartureBoard/AMB?numRows=60&timeOffset=10&timeWindow=60"])
    }

    @Test("a train that is no longer available has no trip details, without a failure")
    func gone() async throws {
        for (status, body) in [
            (404, #"{"message":"not found"}"#), (400, ""), (204, ""), (200, "null"), (200, ""), (200, "{}"),
        ] {
            let transport = CannedTransport { _ in (status, Array(body.utf8)) }
            let feed = try Rail.feed(Rail.withDetails, over: transport)
            #expect(try await feed.tripDetails(of: departure("1")) == nil, "\(status) \(body)")
        }
        let nothing = "<soap:Envelope><soap:Body><GetServiceDetailsResponse/></soap:Body></soap:Envelope>"
        let transport = CannedTransport { _ in (200, Array(nothing.utf8)) }
        #expect(try await Rail.feed(Rail.darwin, over: transport).tripDetails(of: departure("1")) == nil)
    }

    @Test("the details key is reported for a check only if the marketplace is used with it")
    func detailsKeyName() throws {
        let transport = CannedTransport { _ in nil }
        let details = ["RDM_DETAILS_KEY": "x"]
        for (keys, name) in [
            (Rail.withDetails, "RDM_DETAILS_KEY"), (Rail.marketplace, nil), (details, nil),
            (Rail.darwin.merging(details) { $1 }, nil),
        ] {
            #expect(try Rail.feed(keys, over: transport).detailsKeyName == name)
        }
    }

    @Test("without a details key the later calling points come from the board at that time")
    func withoutDetails() async throws {
        let body = try Fixtures.own("rail_board_with_details.json")
        let transport = CannedTransport { _ in (200, body) }
        let feed = try Rail.feed(Rail.marketplace, over: transport)
        let service = try await feed.tripDetails(of: departure("1001ASHFRD__"))
        #expect(service?.calls.map(\.name).first == "Ambridge")
        #expect(service?.calls.count == 5)
        #expect(service?.portions.map(\.at) == ["Harefield"])
        #expect(try await feed.tripDetails(of: departure("another")) == nil)
        #expect(
            transport.requested.first
                == "\(Self.board)/GetDepBoardWithDetails/AMB?numRows=10&timeOffset=29&timeWindow=120")
    }

    @Test("the request to Darwin is an envelope with its elements in the order of the schema")
    func darwin() async throws {
        let board = try Fixtures.own("rail_board.xml")
        let details = try Fixtures.own("rail_details.xml")
        let transport = CannedTransport { $0.contains("GetServiceDetails") ? (200, details) : (200, board) }
        let feed = try Rail.feed(Rail.darwin, over: transport)
        #expect(try await feed.counted(FeedRequest(stop: .rail("AMB"), towards: ["SHM"])).departures.count == 7)
        #expect(try await feed.tripDetails(of: departure("a<b&/c=="))?.calls.count == 9)
        #expect(
            transport.requested[0].hasSuffix(
                "<typ:TokenValue>***</typ:TokenValue></typ:AccessToken></soap:Header><soap:Body>"
                    + "<ldb:GetDepartureBoardRequest><ldb:numRows>60</ldb:numRows><ldb:crs>AMB</ldb:crs>"
                    + "<ldb:filterCrs>SHM</ldb:filterCrs><ldb:filterType>to</ldb:filterType>"
                    + "<ldb:timeOffset>0</ldb:timeOffset><ldb:timeWindow>120</ldb:timeWindow>"
                    + "</ldb:GetDepartureBoardRequest></soap:Body></soap:Envelope>"))
        #expect(transport.requested[1].contains("<ldb:serviceID>a&lt;b&amp;/c==</ldb:serviceID>"))
    }

    @Test("no response of more than two megabytes is read", arguments: [Rail.withDetails, Rail.darwin])
    func limits(keys: [String: String]) async throws {
        let transport = CannedTransport { _ in nil }
        let feed = try Rail.feed(keys, over: transport)
        _ = await Rail.failure(feed)
        _ = try? await feed.tripDetails(of: departure("1"))
        #expect(transport.requests.map(\.limit) == [2_000_000, 2_000_000])
    }

    @Test("without a list a station is found by its code, with the name that its board has, and by nothing else")
    func finder() async throws {
        let body = try Fixtures.own("rail_board.json")
        let transport = CannedTransport { $0.contains("/AMB?") ? (200, body) : (400, []) }
        let finder = try #require(try Rail.feed(Rail.marketplace, over: transport).finder)
        let found = try await finder.stops(matching: "amb", limit: 5)
        #expect(found.map(\.id) == [.rail("AMB")] && found.map(\.name) == ["Ambridge"])
        #expect(try await finder.stop(.rail("AMB"))?.name == "Ambridge")
        #expect(try await finder.stops(matching: "XYZ", limit: 5).isEmpty)
        let requests = transport.requests.count
        #expect(try await finder.stops(matching: "Ambridge", limit: 5).isEmpty)
        #expect(transport.requests.count == requests)
        #expect(try Rail.feed([:], over: transport).finder == nil)
        #expect(try Rail.feed(Rail.marketplace, over: transport, ["stations": "/a/file"]).finder == nil)
    }

    @Test("without a key there is no request, and the failure names its source")
    func noKey() async throws {
        let transport = CannedTransport { _ in (200, []) }
        let failure = await Rail.failure(try Rail.feed([:], over: transport))
        #expect(failure?.kind == .keyMissing)
        #expect(failure?.requests == 0)
        #expect(failure?.detail.contains("put RDM_BOARD_KEY into keys.env and restart boardd") == true)
        #expect(failure?.detail.contains("raildata.org.uk") == true)
        let alone = await Rail.failure(try Rail.feed(["RDM_DETAILS_KEY": "x"], over: transport))
        #expect(alone?.detail.contains("beside RDM_DETAILS_KEY, which is for calling points only") == true)
        #expect(transport.requested.isEmpty)
    }

    @Test("a code is three capitals, and the failure suggests the capitals")
    func codes() {
        let declaration = NationalRailFeed.declaration
        #expect(declaration.problem(aboutStop: "PAD") == nil)
        #expect(declaration.problem(aboutStop: "pad") == "must be in capitals: PAD")
        for code in ["", "PADD", "PA", "P4D", "PÄD", "PA "] {
            #expect(
                declaration.problem(aboutStop: code) == "must be the three letters of a station, such as PAD",
                "\(code)")
        }
    }

    @Test("a board of arrivals is a failure, not an empty board")
    func arrivals() async throws {
        let body =
            #"{"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","trainServices":[{"sta":"12:05","eta":"On time"}]}"#
        let transport = CannedTransport { _ in (200, Array(body.utf8)) }
        let failure = await Rail.failure(try Rail.feed(Rail.marketplace, over: transport))
        #expect(failure?.kind == .unreadable)
        #expect(failure?.detail.contains("found 1 rows and no departure (std)") == true)
    }

    @Test("a disallowed URL is rejected with its setting, and a query, which may be a key, is not repeated")
    func addresses() {
        for name in ["board_url", "details_url", "darwin_url", "stations"] {
            for url in ["http://example.org", "https://example.org/a?key=k3y", "https://k3y@example.org", "https://"] {
                let wrong = #expect(throws: FeedSettingError.self, "\(name) \(url)") {
                    try Rail.feed(Rail.darwin, over: CannedTransport { _ in nil }, [name: url])
                }
                #expect(wrong?.setting == name)
                #expect(wrong?.detail.contains("such as https://") == true)
                #expect(wrong?.detail.contains("k3y") == false)
            }
        }
    }

    @Test("the registry makes the feed, and a catalogue only with a configured list")
    func registry() throws {
        let known = try #require(FeedRegistry.feedOperator(FeedName("rail")))
        let transport = CannedTransport { _ in nil }
        #expect(try known.feed(Feeds.context(Rail.settings([:]), over: transport)).profile.title == "National Rail")
        #expect(try known.catalogue(Feeds.context(Rail.settings([:]), over: transport)) == nil)
        let settings = Rail.settings([:], ["stations": "/a/list.csv"])
        #expect(try known.catalogue(Feeds.context(settings, over: transport)) is RailCatalogue)
        let wrong = #expect(throws: FeedSettingError.self) {
            try known.catalogue(Feeds.context(Rail.settings([:], ["stations": "list.csv"]), over: transport))
        }
        #expect(wrong?.description.hasPrefix("[feed.rail] stations: ") == true)
    }
}
