import BoardCore

struct MOTISAPI: Sendable {
    /// In bytes. Forty departures have 25 kB, with alerts in several languages up to 300 kB.
    private static let responseLimit = 2_000_000
    /// How many departures are requested: several screens, and enough to contain those of one line.
    static let departures = 40

    /// The API version of searches, which have not changed since.
    private static let searchVersion = "v1"
    /// Short, since a user waits for it.
    private static let searchTimeout: Duration = .seconds(4)

    let base: HTTPURL
    /// The API version, "v5".
    private let version: String
    /// The user's contact address; nil: only the program's own page is sent.
    let contact: String?
    private let language: String?
    private let transport: any HTTPTransport

    init(_ context: FeedContext) throws(FeedSettingError) {
        let settings = context.settings
        base = try context.address("url", default: MOTISFeed.defaultURL)
        version = settings[text: "version"]
        let number = version.dropFirst()
        guard version.first == "v", (1...2).contains(number.utf8.count),
            number.allSatisfy({ ("0"..."9").contains($0) }), number.contains(where: { $0 != "0" })
        else {
            throw FeedSettingError(
                setting: "version", detail: "\"\(version)\" must be v and a number, such as \(MOTISFeed.defaultVersion)"
            )
        }
        contact = settings.nonEmptyText("contact")
        guard
            contact?.unicodeScalars.allSatisfy({
                (0x20..<0x7F).contains($0.value) && !"()\\".unicodeScalars.contains($0)
            }) ?? true
        else {
            throw FeedSettingError(
                setting: "contact", detail: "must be a mail or web address in ASCII, such as me@example.org")
        }
        language = settings.nonEmptyText("language")
        transport = context.transport
    }

    /// `/stoptimes`: the next departures of a stop, including those of nearby stops with the same name.
    ///
    /// - Parameters:
    ///   - code: the code of `stop`, or of its replacement.
    ///   - page: the page before; nil: the first departures.
    func stopTimes(
        of code: String, for stop: StopID, count: Int = departures, after before: MOTISStopTimes? = nil
    ) async throws(FeedError) -> MOTISStopTimes {
        let page = before?.cursor.map { [(name: "pageCursor", value: $0)] } ?? []
        let request = request(
            [version, "stoptimes"],
            query: [("stopId", code), ("n", "\(count)"), ("withAlerts", "true")] + page + languageItem)
        return try await policy(about: code).read(request, over: transport) { body, response in
            try MOTISStopTimes(body, of: stop, madeAt: before?.madeAt ?? response.madeAt)
        }
    }

    /// `/trip`: a trip with all its calls; nil if it is no longer available.
    func trip(_ id: String) async throws(FeedError) -> TripDetails? {
        let request = request([version, "trip"], query: [("tripId", id)] + languageItem)
        return try await FeedError.nilIfUnknown { () throws(FeedError) in
            try await policy(about: id).read(request, over: transport) { body, response in
                try TripDetails(motis: body, madeAt: response.madeAt)
            }
        }
    }

    /// `/geocode`: stops by name, those near a place first.
    func matches(_ text: String, near place: Coordinates? = nil) async throws(FeedError) -> [MOTISMatch] {
        let bias = place.map { [(name: "place", value: $0.description)] } ?? []
        let request = request(
            [Self.searchVersion, "geocode"], query: [("text", text), ("type", "STOP")] + bias + languageItem,
            timeout: Self.searchTimeout)
        return try await policy().read(request, over: transport) { body, _ in
            try JSONDocument(body).list().rows(MOTISMatch.init(geocoded:)).good
        }
    }

    /// `/map/stops`: the stops in a box, a row for each platform.
    func mapped(from low: Coordinates, to high: Coordinates) async throws(FeedError) -> [MOTISMatch] {
        let request = request(
            [Self.searchVersion, "map", "stops"], query: [("min", low.description), ("max", high.description)],
            timeout: Self.searchTimeout)
        return try await policy().read(request, over: transport) { body, _ in
            try JSONDocument(body).list().rows(MOTISMatch.init(mapped:)).good
        }
    }

    private var languageItem: [(name: String, value: String)] { language.map { [("language", $0)] } ?? [] }

    private func request(
        _ path: [String], query: [(name: String, value: String)], timeout: Duration = .seconds(20)
    ) -> HTTPRequest {
        HTTPRequest(
            base.appending(["api"] + path, query: query), contact: contact, limit: Self.responseLimit,
            connectTimeout: min(timeout, .seconds(10)), timeout: timeout)
    }

    /// For an unknown stop or trip MOTIS responds with 404 or, depending on the version, 400 or 422, and with
    /// `{"error":…}`. A 403 comes from the gateway, if the User-Agent lacks a contact.
    ///
    /// - Parameter subject: the stop or trip of the request; nil: none.
    private func policy(about subject: String? = nil) -> ResponseStatusPolicy {
        ResponseStatusPolicy(
            settings: "url and version in boardd.toml, [feed.motis]", stop: subject,
            unknownStop: [.notFound, .badRequest], unknownStopMember: "error",
            advice: contact == nil ? [.forbidden: "set contact in boardd.toml, [feed.motis]"] : [:])
    }
}
