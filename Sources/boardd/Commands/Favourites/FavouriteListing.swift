internal import BoardCore
internal import BoardService
internal import BoardStore

/// The favourites as text or JSON: each with its position, and the stops of `[[nearby]]` entries.
struct FavouriteListing: Sendable {
    /// One entry of favourites.toml.
    struct Row: Hashable, Sendable, Encodable {
        /// From 1.
        let position: Int
        /// A stop; nil: a nearby entry.
        var favourite: FavouriteItem?
        /// A nearby entry; nil: a stop.
        var nearby: NearbyEntry?
        /// The letter on the stop's pole.
        var letter: String?
    }

    /// A `[[nearby]]` entry and its current stops.
    struct NearbyEntry: Hashable, Sendable, Encodable {
        let latitude: Double
        let longitude: Double
        let radiusMetres: Double
        /// The maximum number of stops.
        let limit: Int
        /// The required modes; empty: any.
        let modes: [String]
        /// The stops it adds to the board, nearest first, without those that are favourites already.
        let stops: [StopEntry]
        /// How many stops it finds, including those that are favourites already.
        let found: Int
    }

    let rows: [Row]
    /// Why nearby stops or names are missing.
    let failures: [DirectoryFailure]

    /// Resolves all entries. Blocks for a few queries.
    init(_ entries: [FavouriteEntry], in directory: StopDirectory) {
        var failures: [DirectoryFailure] = []
        var seen = Set(entries.named.map(\.stop))
        rows = entries.enumerated().map { index, entry in
            switch entry {
            case .stop(let favourite):
                // A name is optional: without a directory the list is still complete.
                let listed = try? directory.stop(favourite.stop)
                return Row(
                    position: index + 1, favourite: FavouriteItem(favourite, name: listed?.name),
                    letter: listed?.letter)
            case .nearby(let nearby):
                var found: [NearStop] = []
                do throws(DirectoryFailure) {
                    let result = try directory.near(
                        nearby.location, within: nearby.radius, modes: nearby.modes, limit: nearby.stops)
                    found = result.found
                    failures += result.failures
                } catch {
                    failures.append(error)
                }
                let stops = found.filter { seen.insert($0.stop.id).inserted }
                return Row(position: index + 1, nearby: NearbyEntry(nearby, stops, found: found.count))
            }
        }
        var reported: Set<DirectoryFailure> = []
        self.failures = failures.filter { reported.insert($0).inserted }
    }

    /// A stable format for programs.
    var json: String {
        get throws(ServiceError) { try PrettyJSON.text(rows) }
    }

    var table: String {
        var table = TextTable()
        for row in rows {
            if let item = row.favourite {
                let favourite = item.favourite
                let name = item.name.map { name in row.letter.map { "\(name) \($0)" } ?? name }
                table.add(
                    "\(row.position)", favourite.stop.description, name ?? "",
                    favourite.label.map { "\"\($0)\"" } ?? "",
                    favourite.lines.joined(separator: ", "), favourite.settings(except: ["label", "lines"]))
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

extension Favourite {
    /// The settings that are not the defaults, by the keys of favourites.toml: "walk 7m; towards PAD; platforms 3, 4".
    func settings(except left: [String] = []) -> String {
        FavouriteField.settable.filter { !left.contains($0.name) }.compactMap { field in
            let texts = field.textsUnlessDefault(self)
            return texts.isEmpty ? nil : "\(field.name) \(texts.joined(separator: ", "))"
        }.joined(separator: "; ")
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
            case (0, true): "; none found"
            case (1, true): "; it is a favourite already"
            case (_, true): "; all of them are favourites already"
            }
        return "near \(latitude),\(longitude): \(limit == 1 ? "the nearest stop" : "up to \(limit) stops")"
            + " within \(Metres(radiusMetres))\(kinds)\(remark)"
    }
}
