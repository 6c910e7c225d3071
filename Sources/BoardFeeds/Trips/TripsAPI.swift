import BoardCore

struct TripsAPI: Sendable {
    /// A trip has 400 bytes, and a region a few hundred trips.
    private static let responseLimit = 2_000_000
    /// An airport has 200 bytes.
    private static let airportLimit = 16_384

    struct Reply: Sendable {
        var trips: [TripOffer]
        /// The name of the list; nil if unknown.
        var name: String?
        var badRows: Int
        /// The identifiers of malformed rows, where readable.
        let badIDs: Set<String>
        /// The operator's clock; nil if absent.
        let date: Timestamp?
        /// When the response was received, by the operator's clock or this machine's.
        let received: Timestamp
        var age = Duration.zero
    }

    let base: HTTPURL
    let transport: any HTTPTransport
    private let zoneSource: FeedContext.ZoneSource

    /// Nil if no URL is configured.
    init?(_ context: FeedContext) throws(FeedSettingError) {
        guard let base = try context.optionalAddress("url") else { return nil }
        self.base = base
        transport = context.transport
        zoneSource = context.zone
    }

    /// The trips to a region; nil: all trips.
    func trips(to region: String?) async throws(FeedError) -> Reply {
        try await fetch(["trips"] + (region.map { [$0] } ?? []), about: region) { content, response in
            let (trips, badRows, badIDs) = try content.trips()
            return Reply(trips: trips, badRows: badRows, badIDs: badIDs, date: response.date, received: response.madeAt)
        }
    }

    func regions() async throws(FeedError) -> [(code: String, name: String)] {
        try await fetch(["regions"]) { content, _ in try content.regions() }
    }

    func zone(of airport: String) async throws(FeedError) -> Zone {
        let name = try await fetch(["airports", airport], limit: Self.airportLimit) { content, _ in try content.zone() }
        do {
            return try zoneSource(name)
        } catch {
            throw FeedError(.unreadable, detail: "\(base): the airport \(airport): \(error.detail)")
        }
    }

    private func fetch<Value>(
        _ path: [String], about region: String? = nil, limit: Int = responseLimit,
        _ decode: (TripsResponse, HTTPResponse) throws -> Value
    ) async throws(FeedError) -> Value {
        let request = HTTPRequest(base.appending(path), limit: limit)
        let policy = policy(about: region)
        return try await policy.read(request, over: transport) { body, response in
            let content = try TripsResponse(body)
            if let status = content.errorStatus { throw policy.failure(response, body, of: request, status: status) }
            return try decode(content, response)
        }
    }

    private func policy(about region: String?) -> ResponseStatusPolicy {
        let settings = "url in boardd.toml, [feed.trips]"
        return ResponseStatusPolicy(
            settings: settings, stop: region,
            advice: [.unknownStop: "unknown region \(region ?? ""): check it in favourites.toml, and \(settings)"])
    }
}

/// The content of a response, unwrapped if a gateway has wrapped it: `{"statusCode":200,"body":"<JSON as a string>"}`,
/// which is decoded twice.
struct TripsResponse {
    let document: JSONDocument
    /// The status in the wrapper, unless it is a success; nil without one.
    let errorStatus: Int?

    init(_ body: [UInt8]) throws(FormatError) {
        let outer = try JSONDocument(body)
        guard let row = outer.root.row, let inner = row["body"], inner.isString, let status = row.integer("statusCode")
        else {
            document = outer
            errorStatus = nil
            return
        }
        errorStatus = status == HTTPResponse.okStatus ? nil : status
        // An error body need not be JSON.
        document = errorStatus == nil ? try JSONDocument(Array((inner.text ?? "").utf8)) : outer
    }

    /// The valid trips, the number of malformed ones, and the identifiers of the latter, where readable.
    ///
    /// - Throws: ``FormatError`` also if no row is valid: it is a different kind of response.
    func trips() throws(FormatError) -> (trips: [TripOffer], badRows: Int, badIDs: Set<String>) {
        var badIDs: Set<String> = []
        let (good, bad) = try document.list().validRows { row -> TripOffer? in
            let trip = TripOffer(row)
            if trip == nil, let id = row.text("id") { badIDs.insert(id.lowercased()) }
            return trip
        }
        return (good.uniqued(by: \.id), bad, badIDs)
    }

    func zone() throws(FormatError) -> String {
        guard let name = try document.row().text("tz") else { throw .unexpectedStructure }
        return name
    }

    func regions() throws(FormatError) -> [(code: String, name: String)] {
        try document.list().validRows { row in
            guard let code = row.text("id"), case .region? = TripsCode(code) else { return nil }
            return (code, row.text("name") ?? code)
        }.good
    }
}

/// A flight on offer, usually with a return flight.
struct TripOffer: Hashable, Sendable {
    /// Milliseconds from 2000 to 2200: values outside have a different unit or epoch.
    private static let plausible = 946_684_800_000...7_258_118_400_000

    struct Airport: Hashable, Sendable {
        let city: String
        /// "AGP"; nil if absent.
        let code: String?
    }

    let id: String
    let fare: Fare
    /// Nil if absent.
    let createdAt: Timestamp?
    let departs: Timestamp
    /// When the return flight departs; nil: none, or absent.
    let returns: Timestamp?
    /// Nil if absent: the offer ends at the departure.
    let offerEndsAt: Timestamp?
    let origin: Airport?
    let destination: Airport
    /// "FR 4048".
    let flight: String
    /// The row as received.
    let rawJSON: [UInt8]

    /// Decodes a row; nil if a required member is missing.
    init?(_ row: JSONRow) {
        guard let id = row.text("id"), let departs = Self.moment(row, "departure_at"),
            let destination = row.row("destination").flatMap(Airport.init), let currency = row.text("currency"),
            let price = row.text("price").flatMap(Double.init), price >= 0,
            // Large enough for đồng, rupiah and rials.
            let hundredths = Int(exactly: (price * 100).rounded())
        else { return nil }
        let offerEndsAt = Self.moment(row, "expires_at")
        // An offer end in another unit makes the row invalid.
        guard offerEndsAt != nil || row.text("expires_at") == nil else { return nil }
        self.id = id.lowercased()
        self.departs = departs
        self.destination = destination
        fare = Fare(hundredths: hundredths, currency: currency)
        // A return before the departure is an error in the data.
        returns = Self.moment(row, "return_at").flatMap { $0 > departs ? $0 : nil }
        createdAt = Self.moment(row, "created_at")
        self.offerEndsAt = offerEndsAt
        origin = row.row("departure").flatMap(Airport.init)
        let number = [row.text("airlines"), row.text("flight_number")].compactMap(\.self)
        flight = number.isEmpty ? destination.code ?? destination.city : number.joined(separator: " ")
        rawJSON = row.bytes
    }

    /// When the trip leaves the list: at its departure or the end of the offer.
    var expiresAt: Timestamp { min(offerEndsAt ?? departs, departs) }

    /// - Parameters:
    ///   - zones: the cached zones of airports, by their codes.
    ///   - received: when a trip without a timestamp was made.
    func departure(at stop: StopID, in zones: [String: Zone], received: Timestamp) -> Departure {
        let airports = [origin?.code, destination.code].compactMap(\.self)
        func utcOffset(of airport: Airport?, at moment: Timestamp) -> Int? {
            guard let zone = airport?.code.flatMap({ zones[$0] }) else { return nil }
            return Int(zone.localTime(at: moment).secondsSince1970 - moment.seconds)
        }
        return Departure(
            stop: stop, line: Line(id: flight, name: flight), destination: destination.city,
            status: .scheduled(departs),
            attributes: TripAttributes(
                id: id, origins: origin.map { [$0.city] } ?? [],
                via: airports.count == 2 ? airports.joined(separator: "-") : nil,
                returnTrip: returns.map {
                    TripAttributes.ReturnTrip(at: $0, utcOffset: utcOffset(of: destination, at: $0))
                }),
            fare: fare, utcOffset: utcOffset(of: origin, at: departs), madeAt: createdAt ?? received,
            isRenewed: false, expiresAt: expiresAt)
    }

    /// The timestamp of a member: milliseconds since 1970, quoted or not.
    private static func moment(_ row: JSONRow, _ key: String) -> Timestamp? {
        guard let milliseconds = row.integer(key), plausible.contains(milliseconds) else { return nil }
        return Timestamp(microseconds: Int64(milliseconds) * 1_000)
    }
}

extension TripOffer.Airport {
    /// The longest code, which is part of a URL.
    private static let maximumCodeLength = 4

    fileprivate init?(_ row: JSONRow) {
        let code = row.text("airport_code").flatMap { code in
            (1...Self.maximumCodeLength).contains(code.utf8.count) && code.utf8.allSatisfy(\.isAlphanumeric)
                ? code.uppercased() : nil
        }
        guard let city = row.text("city") ?? code else { return nil }
        self.init(city: city, code: code)
    }
}
