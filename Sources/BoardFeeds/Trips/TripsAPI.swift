internal import BoardCore

/// The questions about trips.
struct TripsAPI: Sendable {
    /// A trip has 400 bytes, and a region a few hundred trips.
    private static let answerLimit = 2_000_000
    /// The page of an airport has 200 bytes.
    private static let airportLimit = 16_384
    private static let longestMessage = 200

    /// What an answer told, with the response that it came with.
    struct Reply: Sendable {
        let trips: [TripOffer]
        let badRows: Int
        /// The identifiers of rows that could not be read, as far as these could.
        let badIDs: Set<String>
        /// The operator's clock; nil when it did not say.
        let date: Timestamp?
        /// When it came, by the best clock that is known.
        let received: Timestamp
    }

    let base: HTTPURL
    let transport: any HTTPTransport
    private let zoneSource: FeedContext.ZoneSource

    /// What is configured; nil: nothing is.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked.
    init?(_ context: FeedContext) throws(FeedSettingFailure) {
        guard let text = context.settings.nonEmptyText("url") else { return nil }
        base = try context.address(
            "url", text, rule: "must be an https address, or one of http to this machine, such as http://127.0.0.1:8080"
        )
        transport = context.transport
        zoneSource = context.zone
    }

    /// Trips to a region; nil: all there are.
    func trips(to region: String?) async throws(FeedFailure) -> Reply {
        try await fetch(["trips"] + (region.map { [$0] } ?? []), about: region) { answer, response throws(JSONFault) in
            let (trips, badRows, badIDs) = try answer.trips()
            return Reply(
                trips: trips, badRows: badRows, badIDs: badIDs, date: response.date,
                received: response.date ?? response.received)
        }
    }

    /// The regions that there are.
    func regions() async throws(FeedFailure) -> [(code: String, name: String)] {
        try await fetch(["regions"]) { answer, _ throws(JSONFault) in try answer.regions() }
    }

    /// The zone of an airport.
    func zone(of airport: String) async throws(FeedFailure) -> Zone {
        let name = try await fetch(["airports", airport], limit: Self.airportLimit) { answer, _ throws(JSONFault) in
            try answer.zone()
        }
        do {
            return try zoneSource(name)
        } catch {
            throw FeedFailure(.unreadable, detail: "\(base): the airport \(airport): \(error.detail)")
        }
    }

    private func fetch<Value>(
        _ path: [String], about region: String? = nil, limit: Int = answerLimit,
        _ decode: (TripsResponse, HTTPResponse) throws(JSONFault) -> Value
    ) async throws(FeedFailure) -> Value {
        let request = HTTPRequest(base.appending(path), limit: limit)
        let (response, body) = try await transport.fetch(to: request)
        guard response.status == 200 else {
            throw refusal(response.status, of: request, response, body, region)
        }
        do {
            let answer = try TripsResponse(body)
            if answer.status == 200 { return try decode(answer, response) }
            throw refusal(answer.status, of: request, response, body, region)
        } catch let fault as JSONFault {
            throw FeedFailure(
                .unreadable,
                detail: "\(request.url): \(fault.masked(in: body, of: request)); if that stays so, check url in "
                    + "boardd.toml, [feed.trips]\(Self.operatorMessage(body, request))")
        } catch let failure as FeedFailure {
            throw failure
        } catch {
            throw FeedFailure(.unreadable, detail: "\(request.url): \(error)")
        }
    }

    private func refusal(
        _ status: Int, of request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8], _ region: String?
    ) -> FeedFailure {
        let kind: FeedFailure.Kind
        let advice: String
        switch status {
        case 404 where region != nil:
            kind = .unknownStop
            advice =
                "there is no region \(region ?? ""): check it in favourites.toml, and url in boardd.toml, [feed.trips]"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: make interval longer in boardd.toml, [feed.trips]"
        case 500...:
            kind = .status(status)
            advice = "it is out of order: boardd goes on asking"
        default:
            kind = .status(status)
            advice = "check url in boardd.toml, [feed.trips]"
        }
        return FeedFailure(
            kind, detail: "\(request.url): status \(status), \(advice)\(Self.operatorMessage(body, request))",
            retryAfter: response.retryAfter)
    }

    /// The words of a refusal as the end of a sentence, also those in a gateway's wrapping.
    private static func operatorMessage(_ body: [UInt8], _ request: HTTPRequest) -> String {
        let outer = try? JSONDocument(body).row()
        let inner = outer?.text("body").flatMap { try? JSONDocument(Array($0.utf8)).row() }
        let words = [inner, outer].lazy.compactMap { $0?.text("message") ?? $0?.text("error") }.first
        return words.map { "; it says: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }
}
