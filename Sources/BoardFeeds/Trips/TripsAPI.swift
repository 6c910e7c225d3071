internal import BoardCore
internal import BoardFormats

/// The requests of the trips API.
struct TripsAPI: Sendable {
    /// A trip has 400 bytes, and a region a few hundred trips.
    private static let responseLimit = 2_000_000
    /// An airport has 200 bytes.
    private static let airportLimit = 16_384
    private static let longestMessage = 200

    /// The trips in a response.
    struct Reply: Sendable {
        let trips: [TripOffer]
        let badRows: Int
        /// The identifiers of malformed rows, as far as readable.
        let badIDs: Set<String>
        /// The operator's clock; nil if absent.
        let date: Timestamp?
        /// When the response was received, by the operator's clock or this machine's.
        let received: Timestamp
    }

    let base: HTTPURL
    let transport: any HTTPTransport
    private let zoneSource: FeedContext.ZoneSource

    /// Nil if no URL is configured.
    ///
    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`.
    init?(_ context: FeedContext) throws(FeedSettingFailure) {
        guard let text = context.settings.nonEmptyText("url") else { return nil }
        base = try context.address(
            "url", text, rule: "must be an https address, or one of http to this machine, such as http://127.0.0.1:8080"
        )
        transport = context.transport
        zoneSource = context.zone
    }

    /// The trips to a region; nil: all trips.
    func trips(to region: String?) async throws(FeedFailure) -> Reply {
        try await fetch(["trips"] + (region.map { [$0] } ?? []), about: region) { content, response throws(JSONFault) in
            let (trips, badRows, badIDs) = try content.trips()
            return Reply(
                trips: trips, badRows: badRows, badIDs: badIDs, date: response.date,
                received: response.date ?? response.received)
        }
    }

    func regions() async throws(FeedFailure) -> [(code: String, name: String)] {
        try await fetch(["regions"]) { content, _ throws(JSONFault) in try content.regions() }
    }

    func zone(of airport: String) async throws(FeedFailure) -> Zone {
        let name = try await fetch(["airports", airport], limit: Self.airportLimit) { content, _ throws(JSONFault) in
            try content.zone()
        }
        do {
            return try zoneSource(name)
        } catch {
            throw FeedFailure(.unreadable, detail: "\(base): the airport \(airport): \(error.detail)")
        }
    }

    private func fetch<Value>(
        _ path: [String], about region: String? = nil, limit: Int = responseLimit,
        _ decode: (TripsResponse, HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        let request = HTTPRequest(base.appending(path), limit: limit)
        let (response, body) = try await transport.fetch(request)
        guard response.status == 200 else {
            throw statusFailure(response.status, of: request, response, body, region)
        }
        do {
            let content = try TripsResponse(body)
            if content.status == 200 { return try decode(content, response) }
            throw statusFailure(content.status, of: request, response, body, region)
        } catch let fault as JSONFault {
            throw FeedFailure(
                .unreadable,
                detail: "\(request.url): \(fault.masked(in: body, of: request)); if this persists, check url in "
                    + "boardd.toml, [feed.trips]\(Self.operatorMessage(body, request))")
        } catch let failure as FeedFailure {
            throw failure
        } catch {
            throw FeedFailure(.unreadable, detail: "\(request.url): \(error)")
        }
    }

    private func statusFailure(
        _ status: Int, of request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8], _ region: String?
    ) -> FeedFailure {
        let kind: FeedFailure.Kind
        let advice: String
        switch status {
        case 404 where region != nil:
            kind = .unknownStop
            advice =
                "unknown region \(region ?? ""): check it in favourites.toml, and url in boardd.toml, [feed.trips]"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: make interval longer in boardd.toml, [feed.trips]"
        case 500...:
            kind = .status(status)
            advice = "server error. Retrying"
        default:
            kind = .status(status)
            advice = "check url in boardd.toml, [feed.trips]"
        }
        return FeedFailure(
            kind, detail: "\(request.url): status \(status), \(advice)\(Self.operatorMessage(body, request))",
            retryAfter: response.retryAfter)
    }

    /// The message of an error response as the end of a sentence, including one in a gateway's wrapper.
    private static func operatorMessage(_ body: [UInt8], _ request: HTTPRequest) -> String {
        let outer = try? JSONDocument(body).row()
        let inner = outer?.text("body").flatMap { try? JSONDocument(Array($0.utf8)).row() }
        let message = [inner, outer].lazy.compactMap { $0?.text("message") ?? $0?.text("error") }.first
        return message.map { "; server message: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }
}
