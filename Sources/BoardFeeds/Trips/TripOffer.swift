internal import BoardCore
internal import BoardFormats

/// A flight on offer, usually with a return flight.
struct TripOffer: Hashable, Sendable {
    /// Milliseconds from 2000 to 2200: values outside have another unit or epoch.
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
