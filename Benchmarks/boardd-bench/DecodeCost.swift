internal import BoardCore
internal import BoardFeeds
internal import BoardFormats

/// The CPU time of a large response from its bytes to departures, with the feed of the product.
enum DecodeCost {
    enum Kind: String {
        /// TfL's predictions.
        case tfl
        /// A station's board of the Rail Data Marketplace, in JSON.
        case rdm
        /// A station's board of OpenLDBWS.
        case soap
        /// The departures of a stop from MOTIS.
        case motis
        /// A stop's visits of SIRI, in JSON or XML.
        case siri
        /// A stop's predictions in LA Metro's old API.
        case lametro
        /// A region's trips.
        case trips
    }

    /// Prints the departures of one response and its CPU time in microseconds, separated by a tab.
    ///
    /// - Parameters:
    ///   - kind: the format of the response.
    ///   - file: the body.
    ///   - count: the number of decodings.
    static func report(_ kind: Kind, file: String, count: Int) async {
        do {
            let (feed, request) = try feed(kind, responding: Files.read(file))
            let rows = try await feed.departures(request).departures.count
            let began = ProcessCost.cpu
            for _ in 0..<count { _ = try await feed.departures(request) }
            let each = (ProcessCost.cpu - began).inMicroseconds / Double(count)
            print(rows, each.text(2), separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// A feed that gets the same body for every request, and a request for it.
    private static func feed(
        _ kind: Kind, responding body: [UInt8]
    ) throws(FeedSettingFailure) -> (feed: any DepartureFeed, request: FeedRequest) {
        func context(_ declaration: FeedDeclaration, recorded: String? = nil, url: String? = nil) -> FeedContext {
            var settings = FeedSettings(defaultsOf: declaration)
            if let url { settings.set("url", to: .text(url)) }
            let transport = MemoryTransport(body: body, recorded: recorded.flatMap(settings.url))
            return FeedContext(settings: settings, transport: transport, clock: StoppedClock(), zone: { _ in .utc })
        }
        let station = FeedRequest(stop: StopID(feed: NationalRailFeed.name, code: "AMB"))
        switch kind {
        case .tfl:
            let pole = FeedRequest(stop: StopID(feed: TfLFeed.name, code: "490008660N"))
            return (try TfLFeed(context(TfLFeed.declaration)), pole)
        case .rdm:
            return (try NationalRailFeed(context(NationalRailFeed.declaration, recorded: "board_url")), station)
        case .siri:
            let name = FeedName("siri.vale")
            guard let declaration = FeedRegistry.declarations[name] else {
                throw FeedSettingFailure(setting: "siri", detail: "no such family")
            }
            var settings = FeedSettings(defaultsOf: declaration)
            settings.set("url", to: .text("https://vale.example/sm"))
            let context = FeedContext(
                settings: settings, transport: MemoryTransport(body: body, recorded: nil), clock: StoppedClock(),
                zone: { _ in .utc })
            return (try SIRIFeed(name, context), FeedRequest(stop: StopID(feed: name, code: "VALE_S1")))
        case .soap:
            return (try NationalRailFeed(context(NationalRailFeed.declaration, recorded: "darwin_url")), station)
        case .motis:
            let stop = FeedRequest(stop: StopID(feed: MOTISFeed.name, code: "xx-Vale_mill:1"))
            return (try MOTISFeed(context(MOTISFeed.declaration)), stop)
        case .lametro:
            let pole = FeedRequest(stop: StopID(feed: LAMetroFeed.name, code: "30005"))
            return (try LAMetroFeed(context(LAMetroFeed.declaration, url: "https://example.org")), pole)
        case .trips:
            let region = FeedRequest(stop: StopID(feed: TripsFeed.name, code: "scd"))
            return (try TripsFeed(context(TripsFeed.declaration, url: "https://example.org")), region)
        }
    }
}

/// A clock that is stopped at the time of the response.
struct StoppedClock: MachineClock {
    func now() -> Instant { Instant(microseconds: 0) }
    func reading() -> CorrectedClock.Reading {
        CorrectedClock.Reading(wall: Timestamp(seconds: 1_772_453_070), isSynchronised: true)
    }
}

/// Responds to every request with the same body.
private struct MemoryTransport: HTTPTransport {
    let body: [UInt8]
    /// The URL that it replays, as a recording does, so that no key is required.
    let recorded: String?

    func hasRecorded(_ base: HTTPURL) -> Bool { base.description == recorded }

    func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        do {
            try sink(body.span)
        } catch {
            throw HTTPFailure(.bodyRejected, of: request.url, detail: "\(error)")
        }
        return HTTPResponse(
            status: 200, headers: [.init("Date", "Mon, 02 Mar 2026 12:04:30 GMT")],
            received: Timestamp(seconds: 1_772_453_070))
    }
}
