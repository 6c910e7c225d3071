internal import BoardControl
internal import BoardCore
internal import BoardStore

/// The favourites for a person or a program: each with its position, and what wishes for near stops come to.
struct FavouriteListing: Sendable {
    /// One table of favourites.toml.
    struct Row: Hashable, Sendable, Encodable {
        /// Its position, from 1.
        let position: Int
        /// A stop that a person named; nil: a wish.
        var favourite: FavouriteItem?
        /// A wish for near stops; nil: a stop.
        var nearby: NearbyEntry?
        /// The letter on the stop's pole.
        var letter: String?
    }

    /// A wish for near stops, and what it comes to now.
    struct NearbyEntry: Hashable, Sendable, Encodable {
        let latitude: Double
        let longitude: Double
        let radiusMetres: Double
        /// How many stops at most.
        let limit: Int
        /// What must call there; none: anything.
        let modes: [String]
        /// The stops that it puts on the board, nearest first: without those that are there by themselves.
        let stops: [StopEntry]
        /// How many stops it finds, with those that are there by themselves.
        let found: Int
    }

    let rows: [Row]
    /// Why near stops or names are missing.
    let failures: [DirectoryFailure]

    /// Looks everything up. Blocks for as long as a few queries take.
    init(_ entries: [FavouriteEntry], in directory: StopDirectory) {
        var failures: [DirectoryFailure] = []
        var seen = Set(entries.named.map(\.stop))
        rows = entries.enumerated().map { index, entry in
            switch entry {
            case .stop(let favourite):
                // A name is a courtesy: without a directory the list is whole.
                let listed = try? directory.stop(favourite.stop)
                return Row(
                    position: index + 1, favourite: FavouriteItem(favourite, name: listed?.name),
                    letter: listed?.letter)
            case .nearby(let nearby):
                var found: [NearStop] = []
                do throws(DirectoryFailure) {
                    let answer = try directory.near(
                        nearby.location, within: nearby.radius, modes: nearby.modes, limit: nearby.stops)
                    found = answer.found
                    failures += answer.failures
                } catch {
                    failures.append(error)
                }
                let stops = found.filter { seen.insert($0.stop.id).inserted }
                return Row(position: index + 1, nearby: NearbyEntry(nearby, stops, found: found.count))
            }
        }
        var said: Set<DirectoryFailure> = []
        self.failures = failures.filter { said.insert($0).inserted }
    }

    /// For programs: a stable shape.
    var json: String { PrettyJSON.text(rows) }

    /// For people.
    var table: String {
        var table = TextTable()
        for row in rows {
            if let favourite = row.favourite {
                let name = favourite.name.map { name in row.letter.map { "\(name) \($0)" } ?? name }
                table.add(
                    "\(row.position)", favourite.stop, name ?? "", favourite.label.map { "\"\($0)\"" } ?? "",
                    favourite.lines.joined(separator: ", "), favourite.preferences)
            } else if let nearby = row.nearby {
                table.add(whole: "\(row.position)", nearby.sentence)
                for stop in nearby.stops {
                    table.add(
                        "", stop.stop, stop.letter.map { "\(stop.name) \($0)" } ?? stop.name,
                        stop.distanceMetres.map { Metres($0).description } ?? "")
                }
            }
        }
        return table.text
    }
}

extension FavouriteItem {
    /// What a person wants of it beside its lines, by the keys of favourites.toml: "walk 7m; towards PAD; platforms 3, 4".
    fileprivate var preferences: String {
        let texts: [(key: String, text: String?)] = [
            ("sort", sort == .time ? nil : sort.rawValue), ("walk", walk),
            ("uncatchable", uncatchable == .hide ? nil : uncatchable.rawValue), ("towards", towards),
        ]
        let lists = [("platforms", platforms), ("directions", directions), ("when", when)]
        let all = texts + lists.map { ($0, $1.isEmpty ? nil : $1.joined(separator: ", ")) }
        return all.compactMap { key, text in text.map { "\(key) \($0)" } }.joined(separator: "; ")
    }
}

extension FavouriteListing.NearbyEntry {
    init(_ nearby: Nearby, _ stops: [NearStop], found: Int) {
        latitude = nearby.location.latitude
        longitude = nearby.location.longitude
        radiusMetres = nearby.radius.count
        limit = nearby.stops
        modes = nearby.modes
        self.stops = stops.map { StopEntry($0.stop, distance: $0.distance, isFavourite: false) }
        self.found = found
    }

    /// "near 51.5154,-0.1419: up to 3 stops within 400 m, bus".
    fileprivate var sentence: String {
        let kinds = modes.isEmpty ? "" : ", \(modes.joined(separator: ", "))"
        let remark =
            switch (found, stops.isEmpty) {
            case (_, false): ""
            case (0, true): "; none is known"
            case (1, true): "; it is a favourite already"
            case (_, true): "; all of them are favourites already"
            }
        return "near \(latitude),\(longitude): \(limit == 1 ? "the nearest stop" : "up to \(limit) stops")"
            + " within \(Metres(radiusMetres))\(kinds)\(remark)"
    }
}
