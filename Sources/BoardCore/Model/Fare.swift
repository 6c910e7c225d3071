/// What a seat costs, of departures that are offered rather than awaited: flights, coaches.
///
/// A row with a fare shows it in the time's place until the last day, since until then nobody waits for it.
public struct Fare: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The price in hundredths of the currency, whatever parts that has.
    public let hundredths: Int
    /// The currency as people write it in a table: "EUR".
    public let currency: String

    /// ISO 4217's have three letters, and nobody's sign has more.
    private static let longestCurrency = 4

    /// A fare.
    public init(hundredths: Int, currency: String) {
        self.hundredths = hundredths
        self.currency = String(currency.prefix(Self.longestCurrency))
    }

    /// In whole units, for where there is little room: 19.90 EUR are "20EUR", since nothing may look cheaper than it is.
    var rounded: String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        return "\(whole + (part > 0 ? 1 : 0))\(currency)"
    }

    /// As the glass writes it: "72EUR", "19.90EUR".
    public var description: String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard part != 0 else { return "\(whole)\(currency)" }
        let digits = "\(part.magnitude)"
        return "\(hundredths < 0 && whole == 0 ? "-" : "")\(whole).\(digits.count < 2 ? "0" : "")\(digits)\(currency)"
    }
}
