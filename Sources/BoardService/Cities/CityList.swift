package import BoardCore
import BoardIO
package import BoardStore

/// The shipped list of the world's GTFS feeds (etc/cities.tsv, which names its source and columns).
package struct CityList: Sendable {
    /// A multiple of the file's size.
    private static let maximumSize = 4_000_000
    private static let columns = 20
    private static let realtimeColumns = 6
    private static let mirror = "https://storage.googleapis.com/storage/v1/b/mdb-latest/o/"
    /// Leaves room for a number within the longest feed name.
    private static let maximumNameLength = 24
    private static let maximumNumberLength = 24
    private static let longestFeedName = 32

    package let cities: [City]

    /// Reads the file. Blocks.
    package init(path: String) throws(ServiceError) {
        let text: String
        do throws(FileError) {
            text = try SmallFile.read(path, limit: Self.maximumSize).text
        } catch {
            throw ServiceError(
                .failed, "\(path) (the list of cities) cannot be read: \(error). Install boardd's package again")
        }
        try self.init(text, file: path)
    }

    package init(_ text: String, file: String) throws(ServiceError) {
        var cities: [City] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if fields.count == Self.realtimeColumns, fields[0].isEmpty, !cities.isEmpty {
                cities[cities.count - 1].realtime.append(
                    City.Realtime(
                        kinds: fields[1], address: fields[2], key: Self.key(fields[3], fields[4]),
                        isOnRequest: fields[3] == "3", keySource: fields[5]))
            } else if fields.count == Self.columns, let quality = City.Quality(rawValue: fields[13]) {
                cities.append(Self.city(fields, quality))
            } else {
                throw ServiceError(
                    .failed, "\(file):\(index + 1): \(fields.count) columns; install boardd's package again")
            }
        }
        for (index, name) in Self.names(cities).enumerated() { cities[index].name = name }
        self.cities = cities
    }

    /// The city with this name or catalogue number ("mbta", "437"); otherwise the only one that a search finds.
    ///
    /// - Throws: ``ServiceError`` with candidates.
    package func city(_ text: String) throws(ServiceError) -> City {
        let wanted = text.lowercased()
        if let city = cities.first(where: { $0.name == wanted || $0.id == wanted }) { return city }
        let found = matching(text)
        if found.count == 1, let only = found.first { return only }
        throw ServiceError(
            .notFound,
            found.isEmpty
                ? "there is no city \"\(text)\" in the list; run boardd cities search PLACE, or LAT,LON"
                : "\"\(text)\" matches \(found.count) feeds; write the name of one, from boardd cities search \(text)",
            candidates: found.prefix(Candidate.maximumCount).map { Candidate(id: $0.name, name: $0.fullName) })
    }

    /// The city with this number, which no search replaces.
    package func city(numbered id: String) -> City? { cities.first { $0.id == id } }

    /// The feeds of a place: first, in each country, the one that most feeds of a town with this name recommend, the
    /// largest town first; then the others there; last those with all words in place, provider or name, each at the
    /// beginning of a word.
    package func matching(_ text: String) -> [City] {
        let words = Folding.words(text)
        guard !words.isEmpty else { return [] }
        let there = cities.filter { $0.name == text.lowercased() || $0.isNamed(words) }
        let countries = Dictionary(grouping: there, by: \.country).values.sorted { first, second in
            first.lazy.map(\.people).max() ?? 0 > second.lazy.map(\.people).max() ?? 0
        }
        let best = countries.compactMap { recommended(among: $0, words) }
        let wider = Set(there.flatMap(\.covers))
        let others = cities.filter { city in
            let own = Folding.spellings(of: "\(city.place) \(city.fullName) \(city.names.joined(separator: " "))")
            return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
        }
        var seen: Set<String> = []
        return (best + Self.ranked(there) + Self.ranked(cities.filter { wider.contains($0.id) }) + Self.ranked(others))
            .filter { seen.insert($0.id).inserted }
    }

    /// The feed to take at a town: that which most of its feeds recommend, where those of this municipality count
    /// three times; otherwise the best one of the whole country.
    private func recommended(among feeds: [City], _ words: [String]) -> City? {
        var votes: [String: Int] = [:]
        for feed in feeds where !feed.recommended.isEmpty {
            votes[feed.recommended, default: 0] += City.isName(feed.municipality, words) ? 3 : 1
        }
        let most = votes.values.max()
        return Self.ranked(cities.filter { votes[$0.id] == most && most != nil }).first
            ?? Self.ranked(feeds.filter(\.isWholeCountry)).first
    }

    /// The most reliable address first, then those with realtime, then as in the list.
    private static func ranked(_ cities: [City]) -> [City] {
        City.Quality.allCases.flatMap { quality in
            let own = cities.filter { $0.quality == quality }
            return own.filter { !$0.realtime.isEmpty } + own.filter(\.realtime.isEmpty)
        }
    }

    /// The feeds of a place, given by name, by position, or by the link of a map.
    package func search(_ text: String) throws(ServiceError) -> [City] {
        try Coordinates.position(text).map { around($0) } ?? matching(text)
    }

    /// The feeds whose box contains a place, the smallest box first; copies last.
    package func around(_ place: Coordinates) -> [City] {
        let found = cities.compactMap { city in
            city.box.flatMap { $0.contains(place) ? (area: $0.area, city: city) : nil }
        }.sorted { ($0.area, $0.city.name) < ($1.area, $1.city.name) }.map(\.city)
        return found.filter(\.caution.isEmpty) + found.filter { !$0.caution.isEmpty }
    }

    // MARK: - Reading

    private static func city(_ fields: [String], _ quality: City.Quality) -> City {
        // Its name at the mirror ends with the number, unless it is marked as complete.
        let copy = fields[7].hasPrefix("=") ? String(fields[7].dropFirst()) : "\(fields[7])-gtfs-\(fields[0])"
        let edges = fields[12].split(separator: ",").compactMap { Double($0) }
        return City(
            id: fields[0], country: fields[1], subdivision: fields[2], municipality: fields[3], provider: fields[4],
            part: fields[5], timetable: fields[6], mirror: fields[7].isEmpty ? nil : "\(mirror)\(copy).zip?alt=media",
            key: key(fields[8], fields[9]), keySource: fields[10], terms: fields[11],
            box: edges.count == 4 && edges[0] <= edges[2] && edges[1] <= edges[3]
                ? City.Box(south: edges[0], west: edges[1], north: edges[2], east: edges[3]) : nil,
            quality: quality, names: fields[14].split(separator: "|").map(String.init),
            title: fields[15].isEmpty ? fields[4] : fields[15],
            covers: fields[16].split(separator: " ").map(String.init),
            recommended: fields[17] == "=" ? fields[0] : fields[17] == "*" ? "" : fields[17],
            isWholeCountry: fields[17] == "*", people: Int(fields[18]) ?? 0, date: fields[19])
    }

    private static func key(_ kind: String, _ name: String) -> City.KeyPlace? {
        switch kind {
        case "1": .parameter(name)
        case "2": .header(name)
        default: nil
        }
    }

    // MARK: - Names

    /// A name for each feed: the operator's short name, with as much added as makes it unique.
    private static func names(_ cities: [City]) -> [String] {
        let options = cities.map { city in
            let base = name([city.title])
            let longer = [city.municipality, city.part].filter { !$0.isEmpty }.map { name([base, $0]) }
            return (base.isEmpty ? [] : [base] + longer) + [numbered(base, city.id)]
        }
        var uses: [String: Int] = [:]
        for own in options {
            for option in Set(own) { uses[option, default: 0] += 1 }
        }
        return options.map { own in own.first { uses[$0] == 1 } ?? own.last ?? "" }
    }

    /// Texts as a feed name: words of ASCII letters and digits with hyphens between them, as many as fit.
    private static func name(_ texts: [String], limit: Int = maximumNameLength) -> String {
        var name = ""
        for word in texts.flatMap({ Folding.words($0) }) where word.utf8.allSatisfy({ $0 < 0x80 }) {
            guard name.utf8.count + word.utf8.count < limit else { break }
            name += name.isEmpty ? word : "-\(word)"
        }
        return name
    }

    /// A name with the end of a catalogue number, which may be a long text; without a name the number alone.
    private static func numbered(_ base: String, _ id: String) -> String {
        var words = Folding.words(id)[...]
        guard !base.isEmpty else {
            return String(words.joined(separator: "-").suffix(longestFeedName).drop { $0 == "-" })
        }
        while words.count > 1, words.joined(separator: "-").utf8.count > maximumNumberLength { words.removeFirst() }
        let number = words.joined(separator: "-").prefix(maximumNumberLength)
        let short = name([base], limit: longestFeedName - number.utf8.count - 1)
        return short.isEmpty ? String(number) : "\(short)-\(number)"
    }
}

extension Coordinates {
    /// The position that a text is; nil: it is a name.
    package static func position(_ text: String) throws(ServiceError) -> Coordinates? {
        do throws(PlainError) {
            return try Coordinates(written: text)
        } catch {
            guard error == notCoordinates else { throw ServiceError(.malformed, "\(text): \(error)") }
            return nil
        }
    }
}

/// Adds cities of the shipped list to a configuration, and removes them: each is a file in feeds.d.
package struct CityEditor: Sendable {
    private let configuration: Configuration
    private let source: ConfigurationSource

    /// - Parameter configuration: that of `source`, as far as it is readable.
    package init(_ configuration: Configuration, of source: ConfigurationSource) {
        self.configuration = configuration
        self.source = source
    }

    /// Writes the table of a city.
    ///
    /// - Parameters:
    ///   - name: the last part of its feed's name; nil: the list's.
    ///   - isMirrored: whether to use the catalogue's copy of the timetable in any case.
    /// - Throws: ``ServiceError`` if the feed is already configured, or the file cannot be written.
    package func add(_ city: City, as name: String?, isMirrored: Bool) throws(ServiceError) -> (CityTable, path: String)
    {
        let name = name ?? city.name
        guard FeedFamily.isName(name) else {
            throw ServiceError(
                .malformed, "\"\(name)\" must be small letters, digits and hyphens, such as \(city.name)")
        }
        let table = CityTable(city, named: name, isMirrored: isMirrored)
        let path = path(of: name)
        // The same city may be added again, from a newer list or from the mirror.
        let isUpdate = firstLine(path) == table.firstLine
        guard isUpdate || configuration.feeds[table.feed] == nil && !exists(path) else {
            throw ServiceError(
                .conflict,
                "\(exists(path) ? path : "\(table.feed)") already exists: use another name (--as NAME) or remove it"
            )
        }
        try ServiceError.attempt { try WrittenFile.write(Array(table.text.utf8), to: path) }
        return (table, path)
    }

    /// Removes a city that ``add(_:as:isMirrored:)`` wrote; returns its feed.
    ///
    /// - Throws: ``ServiceError`` if favourites use it, or another program wrote its table.
    package func remove(_ text: String) throws(ServiceError) -> FeedName {
        let name = text.hasPrefix("gtfs.") ? String(text.dropFirst("gtfs.".count)) : text
        let feed = FeedName("gtfs.\(name)")
        let path = path(of: name)
        guard FeedFamily.isName(name), isOwn(path) else {
            throw ServiceError(
                .notFound,
                configuration.feeds[feed] == nil
                    ? "there is no city \"\(name)\" in \(source.path(of: "feeds.d"))"
                    : "\(feed) was not added by `boardd cities add`: remove its table by hand")
        }
        let used = configuration.favourites.filter { $0.stop.feed == feed }.map(\.stop.description)
        guard used.isEmpty else {
            throw ServiceError(
                .conflict,
                "\(feed) has favourites: remove them first, with boardd favourites remove \(used.joined(separator: " "))"
            )
        }
        try ServiceError.attempt { try WrittenFile.remove(path) }
        return feed
    }

    private func path(of name: String) -> String { source.path(of: "feeds.d/\(name).toml") }

    private func isOwn(_ path: String) -> Bool { firstLine(path).hasPrefix(CityTable.mark) }

    private func exists(_ path: String) -> Bool { (try? SmallFile.read(path, limit: 1)) != nil }

    /// The first line of a file; empty if it cannot be read.
    private func firstLine(_ path: String) -> String {
        let text = (try? SmallFile.read(path, limit: 1_000).text) ?? ""
        return String(text.prefix { !$0.isNewline })
    }
}
