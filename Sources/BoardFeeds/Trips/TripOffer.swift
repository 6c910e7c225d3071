internal import BoardCore

/// A flight there, and most often back, as it is offered.
struct TripOffer: Hashable, Sendable {
    /// Milliseconds from 2000 to 2200: what is outside of them is in another unit, or counted from another year.
    private static let plausible = 946_684_800_000...7_258_118_400_000

    /// An airport.
    struct Airport: Hashable, Sendable {
        let city: String
        /// "AGP"; nil when not told.
        let code: String?
    }

    let id: String
    let fare: Fare
    /// Nil when not told.
    let createdAt: Timestamp?
    let departs: Timestamp
    /// When the flight back departs; nil: there is none, or it is not told.
    let returns: Timestamp?
    /// Nil when not told: it is offered until it departs.
    let offerEndsAt: Timestamp?
    let origin: Airport?
    let destination: Airport
    /// "FR 4048".
    let flight: String
    /// The row as it was told.
    let rawJSON: [UInt8]

    /// Reads a row; nil where something is missing without which there is nothing to show.
    init?(_ row: JSONRow) {
        guard let id = row.text("id"), let departs = Self.moment(row, "departure_at"),
            let destination = row.row("destination").flatMap(Airport.init), let currency = row.text("currency"),
            let price = row.text("price").flatMap(Double.init), price >= 0,
            // As many đồng, rupiah or rials as it may be.
            let hundredths = Int(exactly: (price * 100).rounded())
        else { return nil }
        let offerEndsAt = Self.moment(row, "expires_at")
        // One in another unit is no trip that is offered until it departs.
        guard offerEndsAt != nil || row.text("expires_at") == nil else { return nil }
        self.id = id.lowercased()
        self.departs = departs
        self.destination = destination
        fare = Fare(hundredths: hundredths, currency: currency)
        // Nobody goes back before they went.
        returns = Self.moment(row, "return_at").flatMap { $0 > departs ? $0 : nil }
        createdAt = Self.moment(row, "created_at")
        self.offerEndsAt = offerEndsAt
        origin = row.row("departure").flatMap(Airport.init)
        let number = [row.text("airlines"), row.text("flight_number")].compactMap(\.self)
        flight = number.isEmpty ? destination.code ?? destination.city : number.joined(separator: " ")
        rawJSON = row.bytes
    }

    /// When it is gone: it departs, or is offered no more.
    var expiresAt: Timestamp { min(offerEndsAt ?? departs, departs) }

    /// The trip as a row of a board.
    ///
    /// - Parameters:
    ///   - zones: the zones of airports, by their codes, as far as they are known.
    ///   - received: when a trip that does not say so was made.
    func departure(at stop: StopID, in zones: [String: Zone], received: Timestamp) -> Departure {
        let way = [origin?.code, destination.code].compactMap(\.self)
        func utcOffset(of airport: Airport?, at moment: Timestamp) -> Int? {
            guard let zone = airport?.code.flatMap({ zones[$0] }) else { return nil }
            return Int(zone.localTime(at: moment).secondsSince1970 - moment.seconds)
        }
        return Departure(
            stop: stop, line: Line(id: flight, name: flight), destination: destination.city,
            status: .scheduled(departs),
            attributes: TripAttributes(
                id: id, origins: origin.map { [$0.city] } ?? [], via: way.count == 2 ? way.joined(separator: "-") : nil,
                returnTrip: returns.map {
                    TripAttributes.ReturnTrip(at: $0, utcOffset: utcOffset(of: destination, at: $0))
                }),
            fare: fare, utcOffset: utcOffset(of: origin, at: departs), madeAt: createdAt ?? received,
            expiresAt: expiresAt)
    }

    /// The moment of a member: milliseconds since 1970, quoted or not.
    private static func moment(_ row: JSONRow, _ key: String) -> Timestamp? {
        guard let milliseconds = row.integer(key), plausible.contains(milliseconds) else { return nil }
        return Timestamp(microseconds: Int64(milliseconds) * 1_000)
    }
}

extension TripOffer.Airport {
    /// Codes are part of an address.
    private static let longestCode = 4

    fileprivate init?(_ row: JSONRow) {
        let code = row.text("airport_code").flatMap { code in
            (1...Self.longestCode).contains(code.utf8.count)
                && code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? code.uppercased() : nil
        }
        guard let city = row.text("city") ?? code else { return nil }
        self.init(city: city, code: code)
    }
}

extension JSONRow {
    /// The object as it is written.
    fileprivate var bytes: [UInt8] {
        let node = value.document.nodes[value.index]
        return Array(value.document.bytes[Int(node.start)..<Int(node.end)])
    }
}
