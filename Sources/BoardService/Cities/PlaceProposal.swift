package import BoardCore
import BoardFeeds
import BoardStore

/// A feed that has the departures of a place.
public struct PlaceProposal: Hashable, Sendable, Codable {
    /// Its name: "tfl", "motis", "gtfs.mbta".
    public var feed: String
    /// The number of a city in the list of cities, for `[feed.gtfs.NAME] city`; nil: the feed needs no table.
    public var city: String?
    /// The operator: "Massachusetts Bay Transportation Authority (MBTA)".
    public var title: String
    /// "Boston, Massachusetts, US"; nil: the feed is not of one place.
    public var place: String?
    /// Whether it reports delays, or the timetable alone.
    public var isLive: Bool
    /// The name of the key that the operator requires; nil: none.
    public var key: String?
    /// Where to get the key.
    public var keySource: String?
    /// Whether its terms require an address at which the user can be reached, which is not set yet.
    public var needsContact: Bool
    /// How far the address of its timetable can be relied on: "dated" and "frozen" are copies.
    public var quality: String?
    /// Of a copy: "2022", "2022-04", "2022-04-15".
    public var copied: String?
    /// Whether it is a whole country, up to 250 MB to download.
    public var isWholeCountry: Bool
}

extension PlaceProposal {
    /// An operator with a fixed place.
    private struct Area {
        var names: Set<String> = []
        var country: String?
        let box: City.Box
        /// Where to get the key that the operator requires.
        var keySource: String?
    }

    private static let areas: [FeedName: Area] = [
        TfLFeed.name: Area(names: ["london"], box: City.Box(south: 51.25, west: -0.55, north: 51.72, east: 0.35)),
        NationalRailFeed.name: Area(
            country: "GB", box: City.Box(south: 49.9, west: -6.0, north: 58.7, east: 1.8),
            keySource: "https://raildata.org.uk"),
        LAMetroFeed.name: Area(
            names: ["los angeles"], box: City.Box(south: 33.6, west: -118.7, north: 34.4, east: -117.6)),
    ]

    /// The feeds of a place or of an operator, the best first: its cities that somebody has configured, the operators
    /// that need no download, Transitous, then the cities of the list, those of whole countries after them; last what is
    /// configured for other places.
    ///
    /// - Parameters:
    ///   - text: a town, an operator, or latitude and longitude.
    ///   - list: the list of cities; nil: it is not installed.
    ///   - settings: those of the configuration.
    /// - Throws: ``ServiceError`` for coordinates that are none.
    package static func of(
        _ text: String, in list: CityList?, _ settings: [FeedName: FeedSettings]
    ) throws(ServiceError) -> [PlaceProposal] {
        let place = try Coordinates.position(text)
        let words = Folding.words(text)
        let found = try list?.search(text) ?? []
        let named = found.filter { $0.isNamed(words) }
        let here = { (area: Area) -> Bool in
            if let place { return area.box.contains(place) }
            return area.names.contains { City.isName($0, words) }
                || named.prefix(maximumCount).contains { $0.country == area.country }
        }
        let feeds = FeedRegistry.declarations.feeds.filter { declaration in
            // A feed that needs an address of the user's has no default for it.
            let settings = settings[declaration.name] ?? FeedSettings(defaultsOf: declaration)
            guard settings.text("url") != "" else { return false }
            return declaration.searchesStops || City.isName(declaration.title, words)
                || areas[declaration.name].map(here) ?? false
        }
        let added = settings.keys.filter { name in !FeedRegistry.declarations.feeds.contains { $0.name == name } }
        let members = added.sorted { $0.description < $1.description }.compactMap { FeedRegistry.declarations[$0] }
        let names = Set(found.map { FeedName("gtfs.\($0.name)") })
        let operators =
            members.filter { names.contains($0.name) } + feeds.filter { !$0.searchesStops }
            + feeds.filter(\.searchesStops)
        let others = found.filter { city in !added.contains(FeedName("gtfs.\(city.name)")) }
        let cities = others.filter { !$0.isWholeCountry } + others.filter(\.isWholeCountry)
        let elsewhere = members.filter { !names.contains($0.name) }
        return operators.map { PlaceProposal($0, settings[$0.name]) }
            + cities.prefix(maximumCount).map { PlaceProposal($0) }
            + elsewhere.map { PlaceProposal($0, settings[$0.name]) }
    }

    /// More than fit on a screen of a phone nobody reads.
    private static let maximumCount = 9

    private init(_ declaration: FeedDeclaration, _ settings: FeedSettings?) {
        feed = declaration.name.description
        title = settings?.text("title").flatMap { $0.isEmpty ? nil : $0 } ?? declaration.title
        isLive = settings?.texts("realtime").isEmpty != true || settings?.text("timetable") == nil
        keySource = Self.areas[declaration.name]?.keySource
        key = keySource == nil ? nil : declaration.secrets.first
        needsContact = (settings ?? FeedSettings(defaultsOf: declaration)).text("contact") == ""
        isWholeCountry = false
    }

    private init(_ city: City) {
        let table = CityTable(city, named: city.name, isMirrored: false)
        feed = table.feed.description
        self.city = city.id
        title = city.fullName
        place = city.place
        isLive = table.text.contains("\nrealtime = [")
        key = table.keyName
        keySource = table.keySource.isEmpty ? nil : table.keySource
        needsContact = false
        quality = city.quality.rawValue
        copied = city.caution.isEmpty || city.date.isEmpty ? nil : city.date
        isWholeCountry = city.isWholeCountry
    }
}
