internal import BoardCore

/// Whose a stop or a line is: buses and rail are two agencies, whose numbers may be the same.
enum LAMetroAgency: String, CaseIterable, Sendable {
    case bus = "lametro"
    case rail = "lametro-rail"

    /// What stands before the number in a stop's code.
    fileprivate var prefix: String {
        switch self {
        case .bus: ""
        case .rail: "rail/"
        }
    }

    /// What runs, in riders' words.
    var mode: String {
        switch self {
        case .bus: "bus"
        case .rail: "rail"
        }
    }
}

/// A stop as a person writes it: `30005` of buses, `rail/80122` of rail.
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

    /// Reads a code; nil where it is none.
    init?(_ code: String) {
        let agency: LAMetroAgency = code.hasPrefix(LAMetroAgency.rail.prefix) ? .rail : .bus
        let number = String(code.dropFirst(agency.prefix.count))
        guard (1...Self.longestNumber).contains(number.utf8.count),
            number.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) })
        else { return nil }
        self.init(agency, number)
    }

    /// The code as configuration has it.
    var code: String { agency.prefix + number }

    /// The identifier as configuration has it; nil where the number is none that could be asked for.
    var id: StopID? {
        Self(code) == self ? StopID(feed: LAMetroFeed.name, code: code) : nil
    }
}
