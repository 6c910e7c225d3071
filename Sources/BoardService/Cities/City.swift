package import BoardCore
import BoardFeeds
import BoardStore

/// A city's GTFS feed from the shipped list: facts from catalogues, not verified with the operator.
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

    /// How far the address of a timetable can be relied on, the best first.
    package enum Quality: String, CaseIterable, Hashable, Sendable, Encodable {
        /// Transitous uses it.
        case transitous
        case stable
        /// It has a date of the last year in it, or has ended at Transitous.
        case dated
        /// A copy that cannot change, or a date more than a year old.
        case frozen
    }

    package struct Realtime: Hashable, Sendable, Encodable {
        /// Joined by "+": tu trip updates, vp vehicle positions, sa alerts, rt unknown ones of these; siri is another format.
        package let kinds: String
        package let address: String
        package let key: KeyPlace?
        /// Whether the operator gives access only on request.
        package let isOnRequest: Bool
        /// Where to get a key; empty: unknown.
        package let keySource: String
    }

    /// The number in the Mobility Database; "fr-" or "jbda-" and that of a national catalogue; otherwise Transitous's name.
    package let id: String
    /// The name of its feed: `gtfs.NAME`. Unique in the list.
    package internal(set) var name = ""
    /// ISO 3166-1.
    package let country: String
    package let subdivision: String
    package let municipality: String
    package let provider: String
    /// The part of the provider's services that the feed covers; empty: all.
    package let part: String
    package let timetable: String
    /// The catalogue's copy of the timetable, which needs no key; nil: none.
    package let mirror: String?
    package let key: KeyPlace?
    package let keySource: String
    /// The address of the operator's terms, or the name of a licence; empty: unknown.
    package let terms: String
    /// The box of its stops; nil: unknown. Some are wrong.
    package let box: Box?
    package let quality: Quality
    /// Other names of its towns, in the local language and in English.
    package let names: [String]
    /// The operator's short name, for the display.
    package let title: String
    /// The feeds of a region or country that contain its town, the best first.
    let covers: [String]
    /// The feed to take at its town; empty: unknown.
    let recommended: String
    package let isWholeCountry: Bool
    /// Thousands of inhabitants of its largest town; 0: unknown.
    let people: Int
    /// The date in the address: a year, with a month and a day where they are known ("2022-04-15"); empty: none.
    let date: String
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

    /// "Massachusetts Bay Transportation Authority (MBTA)", with the part. Shortened: some providers are lists of a
    /// hundred companies.
    package var fullName: String {
        let name = part.isEmpty ? provider : "\(provider), \(part)"
        return name.count <= Self.maximumNameLength ? name : name.prefix(Self.maximumNameLength - 1) + "…"
    }

    private static let maximumNameLength = 100
    /// The size of a whole country's timetable: docs/cities.md.
    package static let countrySize = "up to 250 MB"

    /// What a user should know before choosing it: "a copy of 15 Apr 2022"; empty: nothing.
    package var caution: String {
        switch quality {
        case .transitous, .stable: ""
        case .dated where date.isEmpty: "may have ended"
        case .dated, .frozen: date.isEmpty ? "a copy that does not change" : "a copy of \(Self.written(date))"
        }
    }

    /// "15 Apr 2022", "Apr 2022" or "2022".
    private static func written(_ date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        let written = parts.enumerated().map { index, number in
            index == 1 && months.indices.contains(number - 1) ? months[number - 1] : "\(number)"
        }
        return written.reversed().joined(separator: " ")
    }

    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ").map(String.init)

    /// Whether a text is the name of its town, or of one of them.
    ///
    /// - Parameter words: folded.
    func isNamed(_ words: [String]) -> Bool {
        ([municipality] + names).contains { Self.isName($0, words) }
    }

    /// Whether the words, folded, are a name in one of its spellings.
    static func isName(_ name: String, _ words: [String]) -> Bool {
        Folding.words(name).count == words.count && words.allSatisfy(Folding.spellings(of: name).contains)
    }
}

/// A city's table for a file in feeds.d, and what a user must know about it.
package struct CityTable: Hashable, Sendable {
    /// Begins every file that this program writes: only such a file is removed with its city.
    static let mark = "# Written by `boardd cities add "

    package let feed: FeedName
    /// Its first line: the feed's name and the number in the catalogue.
    var firstLine: String { String(text.prefix { !$0.isNewline }) }
    /// The whole file.
    package let text: String
    /// The name in keys.env of the key that the operator requires; nil: none.
    package let keyName: String?
    /// Where to get the key; empty: unknown.
    package let keySource: String
    /// What differs from the catalogue, one sentence each.
    package let remarks: [String]

    /// - Parameters:
    ///   - name: the last part of the feed's name.
    ///   - isMirrored: whether to use the catalogue's copy of the timetable in any case.
    package init(_ city: City, named name: String, isMirrored: Bool) {
        var remarks: [String] = []
        let usable = city.realtime.filter { entry in
            let reason: String? =
                entry.isOnRequest
                ? "the operator gives access only on request"
                : entry.kinds == "siri" ? "boardd reads SIRI of a stop only (docs/siri.md)" : nil
            if let reason { remarks.append("realtime \(entry.kinds) is left out: \(reason)") }
            return reason == nil
        }
        // boardd sends one key, in one place: that of the trip updates, if they need one.
        let leading = usable.first { $0.kinds.contains("tu") } ?? usable.first
        let keyed = usable.filter { $0.key == leading?.key }
        let origins = Set(keyed.compactMap { SourceAddress($0.address)?.origin })
        var realtime = usable.filter { entry in
            guard let address = SourceAddress(entry.address), !address.hasKey else {
                remarks.append("realtime \(entry.kinds) is left out: its address is malformed, or has a key in it")
                return false
            }
            // A key is sent to every host in `realtime`.
            guard entry.key == leading?.key || entry.key == nil && origins.contains(address.origin) else {
                remarks.append("realtime \(entry.kinds) of \(address.origin) is left out: its key goes elsewhere")
                return false
            }
            guard !address.isSecure else { return true }
            remarks.append(
                leading?.key == nil
                    ? "realtime \(entry.kinds) is not encrypted (http): others on the network can read and change it"
                    : "realtime \(entry.kinds) is left out: a key must not be sent over http")
            return leading?.key == nil
        }
        let realtimeKey = realtime.contains { $0.key != nil } ? leading?.key : nil
        let own = SourceAddress(city.timetable)
        let isSent =
            city.key == nil || realtime.isEmpty
            || city.key == realtimeKey && own.isSomeAnd { origins.contains($0.origin) }
        let reason: String? =
            switch own {
            case _ where isMirrored: "as requested"
            case nil: "the operator's address is malformed"
            case .some(let own) where own.hasKey: "the operator's address has a key in it"
            case .some(let own) where !own.isSecure: "the operator's address is not encrypted (http)"
            case _ where !isSent: "the operator's timetable requires a key that is sent to realtime alone"
            default: nil
            }
        let copy = reason == nil ? nil : city.mirror
        if let reason, copy != nil {
            remarks.append("the timetable is the catalogue's copy: \(reason)")
        } else if isMirrored {
            remarks.append("the timetable is the operator's: the catalogue has no copy")
        }
        if copy == nil, !isSent {
            remarks.append("realtime is left out: the timetable requires another key")
            realtime = []
        }
        if !city.caution.isEmpty { remarks.append("the timetable: \(city.caution)") }
        if city.isWholeCountry {
            remarks.append("this is a whole country: \(City.countrySize). Transitous has it without a download")
        }
        let key = realtime.isEmpty ? (copy == nil ? city.key : nil) : realtimeKey

        feed = FeedName("gtfs.\(name)")
        keyName = key == nil ? nil : FeedRegistry.declarations[feed]?.secrets.first
        keySource = realtime.isEmpty ? city.keySource : leading?.keySource ?? ""
        self.remarks = remarks
        var lines = ["\(Self.mark)\(name)`, from boardd's list (CC0), number \(city.id)."]
        lines += ["# \(city.fullName); \(city.place)"]
        if !city.terms.isEmpty { lines.append("# Terms: \(city.terms)") }
        if let keyName {
            lines.append("# Key: \(keyName) in keys.env" + (keySource.isEmpty ? "" : ", from \(keySource)"))
        }
        lines += remarks.map { "# Remark: \($0)." }
        lines += ["[feed.\(feed)]", "title = \(TOMLText.quoted(city.title))"]
        lines.append("timetable = \(TOMLText.quoted(copy ?? city.timetable))")
        if !realtime.isEmpty {
            lines += ["realtime = ["] + realtime.map { "    \(TOMLText.quoted($0.address)),   # \($0.kinds)" } + ["]"]
        }
        switch key {
        case .header(let header): lines.append("key_header = \(TOMLText.quoted(header))")
        case .parameter(let parameter): lines.append("key_parameter = \(TOMLText.quoted(parameter))")
        case nil: break
        }
        text = lines.map { $0.asPrintedLine + "\n" }.joined()
    }
}
