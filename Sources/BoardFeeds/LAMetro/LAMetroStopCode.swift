internal import BoardCore

/// The agency of a stop or line: buses and rail are separate, with numbers that may be equal.
enum LAMetroAgency: String, CaseIterable, Sendable {
    case bus = "lametro"
    case rail = "lametro-rail"

    fileprivate var prefix: String { self == .rail ? "rail/" : "" }

    /// The mode in riders' words.
    var mode: String { self == .rail ? "rail" : "bus" }
}

/// A configured stop: `30005` for buses, `rail/80122` for rail.
struct LAMetroStopCode: Hashable, Sendable {
    /// Real ones have at most 8 characters.
    private static let longestNumber = 16

    let agency: LAMetroAgency
    /// The operator's identifier, with its leading zeros.
    let number: String

    init(_ agency: LAMetroAgency, _ number: String) {
        self.agency = agency
        self.number = number
    }

    /// Parses a code; nil if it is invalid.
    init?(_ code: String) {
        let agency: LAMetroAgency = code.hasPrefix(LAMetroAgency.rail.prefix) ? .rail : .bus
        let number = String(code.dropFirst(agency.prefix.count))
        guard (1...Self.longestNumber).contains(number.utf8.count),
            number.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) })
        else { return nil }
        self.init(agency, number)
    }

    /// The code in the configuration.
    var code: String { agency.prefix + number }

    /// The identifier in the configuration; nil if the number is not valid in a request.
    var id: StopID? {
        Self(code) == self ? StopID(feed: LAMetroFeed.name, code: code) : nil
    }
}
