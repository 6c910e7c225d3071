import ArgumentParser
import BoardCore
import BoardService
import BoardStore

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
    let failures: [StoreError]

    /// Resolves all entries. Blocks for a few queries.
    init(_ entries: [FavouriteEntry], in directory: StopDirectory) {
        var failures: [StoreError] = []
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
                let result = directory.stops(of: nearby)
                failures += result.failures
                let stops = result.found.filter { seen.insert($0.stop.id).inserted }
                return Row(position: index + 1, nearby: NearbyEntry(nearby, stops, found: result.found.count))
            }
        }
        var reported: Set<StoreError> = []
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

/// An option for each settable key of ``FavouriteField``.
///
/// ArgumentParser finds options by reflection, so the mirror lists those of the table.
struct FavouriteOptions: ParsableArguments, CustomReflectable {
    /// The options that may be repeated.
    private var repeatable: [String: Option<[[String]]>] = [:]
    private var single: [String: Option<[String]?>] = [:]

    init() {
        for field in FavouriteField.settable {
            let (name, key) = (NameSpecification.customLong(field.name), field.name)
            let help = ArgumentHelp(field.help ?? "", valueName: field.valueName)
            if field.form == .textOrList {
                repeatable[key] = Option(
                    wrappedValue: [], name: name, parsing: .singleValue, help: help,
                    transform: { try Self.texts($0, of: key) })
            } else {
                single[key] = Option(
                    name: name, help: help, completion: field.words.isEmpty ? nil : .list(field.words),
                    transform: { try Self.texts($0, of: key) })
            }
        }
    }

    var customMirror: Mirror {
        let options = Self.names.map { key -> (String, Any) in
            ("_" + key, repeatable[key].map { $0 as Any } ?? single[key] as Any)
        }
        return Mirror(self, children: options)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        for field in FavouriteField.settable {
            let key = AnyKey(field.name)
            if field.form == .textOrList {
                repeatable[field.name] = try container.decode(Option<[[String]]>.self, forKey: key)
            } else {
                single[field.name] = try container.decode(Option<[String]?>.self, forKey: key)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {}

    /// The values of the given options, by their keys; an empty list means the default.
    var values: [String: [String]] {
        var values = single.compactMapValues(\.wrappedValue)
        for (key, option) in repeatable where !option.wrappedValue.isEmpty {
            values[key] = option.wrappedValue.flatMap { $0 }
        }
        return values
    }

    static let names = FavouriteField.settable.map(\.name)

    /// Checks the name of an option.
    static func name(_ text: String) throws -> String {
        guard !names.contains(text) else { return text }
        let near = Spelling.nearest(to: text, of: names).map { "Did you mean \($0)? " } ?? ""
        throw ValidationError("\"\(text)\" is not a setting. \(near)Write one of \(names.joined(separator: ", ")).")
    }

    /// An option's texts: one, or for a list those between commas; none for "all". Drops duplicates, ignoring case.
    static func texts(_ text: String, of key: String) throws -> [String] {
        guard let field = FavouriteField.settable.first(where: { $0.name == key }) else { return [] }
        var texts = [text]
        if field.form == .list {
            var seen: Set<String> = []
            texts = text.split(separator: ",").map { String($0.drop { $0 == " " }).withoutTrailingBlanks }
                .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
            guard !texts.isEmpty else { throw ValidationError("Name at least one of the \(key), or write all.") }
            if texts.count == 1, texts[0].lowercased() == "all" { return [] }
        }
        do {
            var scratch = Favourite(stop: StopID(feed: FeedName(""), code: ""))
            try field.set(texts, in: &scratch)
        } catch {
            throw ValidationError("\(error).")
        }
        return texts
    }
}
