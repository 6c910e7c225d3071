internal import BoardCore
internal import BoardFormats

/// The requests of the trips API.
struct TripsAPI: Sendable {
    /// A trip has 400 bytes, and a region a few hundred trips.
    private static let responseLimit = 2_000_000
    /// An airport has 200 bytes.
    private static let airportLimit = 16_384

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
        guard let base = try context.optionalAddress("url") else { return nil }
        self.base = base
        transport = context.transport
        zoneSource = context.zone
    }

    /// The trips to a region; nil: all trips.
    func trips(to region: String?) async throws(FeedFailure) -> Reply {
        try await fetch(["trips"] + (region.map { [$0] } ?? []), about: region) { content, response throws(JSONFault) in
            let (trips, badRows, badIDs) = try content.trips()
            return Reply(
                trips: trips, badRows: badRows, badIDs: badIDs, date: response.date,
                received: response.madeAt)
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
        let policy = policy(about: region)
        let result = try await policy.read(request, over: transport) {
            body, response throws(JSONFault) -> Result<Value, FeedFailure> in
            let content = try TripsResponse(body)
            if let status = content.errorStatus {
                return .failure(policy.failure(response, body, of: request, status: status))
            }
            return .success(try decode(content, response))
        }
        return try result.get()
    }

    private func policy(about region: String?) -> ResponseStatusPolicy {
        let settings = "url in boardd.toml, [feed.trips]"
        return ResponseStatusPolicy(
            settings: settings, stop: region,
            advice: [.unknownStop: "unknown region \(region ?? ""): check it in favourites.toml, and \(settings)"])
    }
}

/// The content of a response, unwrapped if a gateway has wrapped it: `{"statusCode":200,"body":"<JSON as a string>"}`, which
/// is decoded twice.
struct TripsResponse {
    let document: JSONDocument
    /// The status in the wrapper, unless it is a success; nil without one.
    let errorStatus: Int?

    init(_ body: [UInt8]) throws(JSONFault) {
        let outer = try JSONDocument(body)
        guard let row = outer.root.row, let inner = row["body"], inner.isString, let status = row.integer("statusCode")
        else {
            (document, errorStatus) = (outer, nil)
            return
        }
        errorStatus = status == HTTPResponse.okStatus ? nil : status
        // An error body need not be JSON.
        document = errorStatus == nil ? try JSONDocument(Array((inner.text ?? "").utf8)) : outer
    }

    /// The valid trips, with the number of malformed ones.
    ///
    /// - Returns: also the identifiers of the malformed ones, as far as readable.
    /// - Throws: ``JSONFault`` also if no row is valid: it is another kind of response.
    func trips() throws(JSONFault) -> (trips: [TripOffer], badRows: Int, badIDs: Set<String>) {
        var badIDs: Set<String> = []
        let (good, bad) = try document.list().validRows { row -> TripOffer? in
            let trip = TripOffer(row)
            if trip == nil, let id = row.text("id") { badIDs.insert(id.lowercased()) }
            return trip
        }
        return (good.uniqued(by: \.id), bad, badIDs)
    }

    func zone() throws(JSONFault) -> String {
        guard let name = try document.row().text("tz") else { throw .unexpectedStructure }
        return name
    }

    func regions() throws(JSONFault) -> [(code: String, name: String)] {
        try document.list().validRows { row in
            guard let code = row.text("id"), case .region? = TripsCode(code) else { return nil }
            return (code, row.text("name") ?? code)
        }.good
    }
}
