internal import BoardCore

/// A city's GTFS feed of the shipped list: facts of the Mobility Database, which were not verified with the operator.
package struct City: Hashable, Sendable, Encodable {
    /// Where a request carries the operator's key.
    package enum KeyPlace: Hashable, Sendable, Encodable {
        case parameter(String)
        case header(String)

        private enum CodingKeys: String, CodingKey {
            case place = "in"
            case name
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .parameter(let name):
                try container.encode("query", forKey: .place)
                try container.encode(name, forKey: .name)
            case .header(let name):
                try container.encode("header", forKey: .place)
                try container.encode(name, forKey: .name)
            }
        }
    }

    package struct Realtime: Hashable, Sendable, Encodable {
        /// Joined by "+": tu trip updates, vp vehicle positions, sa alerts.
        package let kinds: String
        package let address: String
        package let key: KeyPlace?
        /// Where to get a key; empty: unknown.
        package let keySource: String
    }

    /// The number in the catalogue.
    package let id: String
    /// The name of its feed: `gtfs.NAME`. Unique in the list.
    package internal(set) var name = ""
    /// ISO 3166-1.
    package let country: String
    package let subdivision: String
    package let municipality: String
    package let provider: String
    /// The part of the provider's services that the feed has; empty: all.
    package let part: String
    package let timetable: String
    /// The catalogue's copy of the timetable, which needs no key.
    package let mirror: String
    package let key: KeyPlace?
    package let keySource: String
    /// The address of the operator's terms; empty: unknown.
    package let terms: String
    /// The box of its stops; nil: unknown. Some are wrong.
    package let box: Box?
    package internal(set) var realtime: [Realtime] = []

    /// Degrees of WGS 84.
    package struct Box: Hashable, Sendable, Encodable {
        let south: Double
        let west: Double
        let north: Double
        let east: Double

        func contains(_ place: Coordinates) -> Bool {
            (south...north).contains(place.latitude) && (west...east).contains(place.longitude)
        }

        /// In square degrees, which suffices to compare boxes around one place.
        var area: Double { (north - south) * (east - west) }
    }

    /// "Boston, Massachusetts, US".
    package var place: String {
        [municipality, subdivision, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// "Massachusetts Bay Transportation Authority (MBTA)", with the part. Some providers are lists of a hundred companies: their
    /// beginning.
    package var fullName: String {
        let name = part.isEmpty ? provider : "\(provider), \(part)"
        return name.count <= Self.longestName ? name : name.prefix(Self.longestName - 1) + "…"
    }

    private static let longestName = 100

    /// The operator's short name, for the display: the abbreviation in parentheses, if there is one.
    var title: String {
        let short = abbreviation ?? provider
        return String((part.isEmpty ? short : "\(short) \(part)").prefix(Self.longestTitle))
    }

    /// "MBTA" of "Massachusetts Bay Transportation Authority (MBTA)".
    var abbreviation: String? {
        guard provider.last == ")", let start = provider.lastIndex(of: "(") else { return nil }
        let text = provider[provider.index(after: start)...].dropLast()
        let isShort =
            text.count <= Self.longestAbbreviation && text.first.map { $0.isUppercase || $0.isNumber } ?? false
        return isShort && !text.contains(",") ? String(text) : nil
    }

    private static let longestAbbreviation = 12
    /// The most columns of a display.
    private static let longestTitle = 40
}
