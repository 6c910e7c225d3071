/// The price of a seat on a departure that is booked in advance: flights, coaches.
///
/// Until the last day a row shows the fare instead of the time, because passengers do not wait for the departure yet.
public struct Fare: Hashable, Sendable, CustomStringConvertible {
    /// The price in hundredths of the currency, whatever its subunit.
    public let hundredths: Int
    /// The currency as written in a table: "EUR".
    public let currency: String

    /// ISO 4217 codes have three letters; no currency sign is longer than four.
    private static let maximumCurrencyLength = 4

    public init(hundredths: Int, currency: String) {
        self.hundredths = hundredths
        self.currency = String(currency.prefix(Self.maximumCurrencyLength))
    }

    /// Whole units for narrow places, rounded up: 19.90 EUR is "20EUR", so that nothing looks cheaper than it is.
    var rounded: String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        return "\(whole + (part > 0 ? 1 : 0))\(currency)"
    }

    /// "72EUR", "19.90EUR".
    public var description: String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard part != 0 else { return "\(whole)\(currency)" }
        return "\(hundredths < 0 && whole == 0 ? "-" : "")\(whole).\(part.magnitude.padded(to: 2))\(currency)"
    }
}

/// As `amount` in whole units of the currency, and `currency`.
extension Fare: Codable {
    private enum CodingKeys: CodingKey {
        /// In whole units of the currency.
        case amount
        case currency
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let amount = try values.decode(Double.self, forKey: .amount)
        guard let hundredths = Int(exactly: (amount * 100).rounded()) else {
            throw DecodingError.dataCorruptedError(
                forKey: .amount, in: values, debugDescription: "\(amount) is too large for a price")
        }
        self.init(hundredths: hundredths, currency: try values.decode(String.self, forKey: .currency))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Double(hundredths) / 100, forKey: .amount)
        try values.encode(currency, forKey: .currency)
    }
}
