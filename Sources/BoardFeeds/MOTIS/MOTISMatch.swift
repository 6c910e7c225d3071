import BoardCore
import Synchronization

struct MOTISMatch: Hashable {
    let code: String
    let name: String
    let coordinates: Coordinates
    /// The town, if the stop's name does not contain it.
    let area: String?
    let modes: [String]
}

extension MOTISMatch {
    /// Decodes an entry of `/geocode`; nil if it is not a stop.
    init?(geocoded row: JSONRow) {
        guard row.text("type") == "STOP", let code = row.text("id"), let name = row.text("name"),
            let coordinates = row.coordinates()
        else { return nil }
        self.init(code: code, name: name, coordinates: coordinates, area: Self.area(row), modes: Self.modes(row))
    }

    /// Decodes an entry of `/map/stops`; nil if incomplete. A platform counts as its station.
    init?(mapped row: JSONRow) {
        guard let code = row.text("parentId") ?? row.text("stopId"), let name = row.text("name"),
            let coordinates = row.coordinates()
        else { return nil }
        self.init(code: code, name: name, coordinates: coordinates, area: nil, modes: Self.modes(row))
    }

    /// The town: the area that the search text matched, else the geocoder's default. Nil if the stop's name already
    /// contains a town, since the default may be a confusing parish.
    private static func area(_ row: JSONRow) -> String? {
        let areas = row.rows("areas") { row in
            row.text("name").map { name in
                let isTown = row.integer("adminLevel").isNilOr(townLevels.contains)
                return (
                    name: name, isMatched: row.truth("matched") ?? false, isDefault: row.truth("default") ?? false,
                    isTown: isTown
                )
            }
        }
        let matched = areas.filter { $0.isMatched }
        guard let area = matched.first(where: { $0.isTown }) ?? matched.first ?? areas.first(where: { $0.isDefault })
        else {
            return nil
        }
        let name = folded(row.text("name") ?? "")
        let isNamed = (areas.filter { $0.isTown } + [area]).contains { name.contains(folded($0.name)) }
        return isNamed ? nil : area.name
    }

    /// OpenStreetMap's administrative levels for towns: below regions, above their districts.
    private static let townLevels = 6...8

    /// The distinct modes, in the words of the stop directory.
    private static func modes(_ row: JSONRow) -> [String] { row.texts("modes").map(\.riderMode).uniqued() }

    func listed(as feed: FeedName) -> ListedStop {
        ListedStop(
            id: StopID(feed: feed, code: code), kind: .station, name: area.map { "\(name), \($0)" } ?? name,
            modes: modes, coordinates: coordinates)
    }

    /// Whether the stop has this name, ignoring case and punctuation.
    func isCalled(_ text: String) -> Bool { Self.folded(name) == Self.folded(text) }

    /// Whether this is a part of another stop, such as the one across the road.
    func isSameStop(as other: MOTISMatch) -> Bool {
        code == other.code
            || isCalled(other.name) && coordinates.distance(to: other.coordinates) <= MOTISFeed.walkingDistance
    }

    private static func folded(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension String {
    /// MOTIS's modes in riders' words, as for GTFS; others are their own in lower case.
    private static let riderModes = [
        "RAIL": "train", "HIGHSPEED_RAIL": "train", "LONG_DISTANCE": "train", "NIGHT_RAIL": "train",
        "REGIONAL_RAIL": "train", "REGIONAL_FAST_RAIL": "train", "SUBURBAN": "train", "METRO": "train",
        "SUBWAY": "metro", "CABLE_CAR": "cable-tram", "AERIAL_LIFT": "cable-car", "AREAL_LIFT": "cable-car",
        "AIRPLANE": "plane",
    ]

    fileprivate var riderMode: String { Self.riderModes[self] ?? String(lowercased().map { $0 == "_" ? "-" : $0 }) }
}

extension MOTISFeed {
    /// How long a replacement is used before the configured identifier is tried again: one that was missing for a night
    /// during a data update is back by then.
    private static let replacementTTL: Duration = .seconds(6 * 3_600)

    /// Fetches the departures of a stop, using its replacement if its own identifier no longer exists.
    func board(_ request: FeedRequest) async throws(FeedError) -> MOTISStopTimes {
        let code = request.stop.code
        let replacement = learned.withLock { $0.replacements[code] }
        let isFresh = replacement.isSomeAnd { clock.now() < $0.until }
        if isFresh, let board = try await boardOfReplacement(request) { return board }
        let failure: FeedError
        do throws(FeedError) {
            let board = try await pages(of: code, request)
            learned.withLock { learned in
                learned.store(board.stopPlace, at: code)
                learned.replacements[code] = nil
            }
            if replacement != nil { log?(.completed("\(request.stop) is available again and used again")) }
            return board
        } catch {
            failure = error
        }
        // Whatever failed for the configured identifier, the replacement may still work.
        if let board = try await boardOfReplacement(request) { return board }
        guard failure.kind == .unknownStop, let last = stopPlace(of: request) else { throw failure }
        guard let match = try await match(for: code, last.name, at: last.place) else { throw failure }
        learned.withLock { $0.replacements[code] = (match.code, clock.now() + Self.replacementTTL) }
        guard let board = try await boardOfReplacement(request) else { throw failure }
        log?(
            .completed(
                "\(request.stop) is \(profile.name):\(match.code) now (\(match.name)): using that. "
                    + "Update the stop in favourites.toml"))
        return board
    }

    /// Fetches the departures of the replacement; nil if there is none, or it no longer exists either.
    private func boardOfReplacement(_ request: FeedRequest) async throws(FeedError) -> MOTISStopTimes? {
        let code = request.stop.code
        guard let replacement = learned.withLock({ $0.replacements[code] }) else { return nil }
        do throws(FeedError) {
            let board = try await pages(of: replacement.code, request)
            learned.withLock { learned in
                guard clock.now() >= replacement.until else { return }
                learned.replacements[code]?.until = clock.now() + Self.replacementTTL
            }
            return board
        } catch {
            guard error.kind == .unknownStop else { throw error }
            _ = learned.withLock { $0.replacements.removeValue(forKey: code) }
            return nil
        }
    }

    /// The configured or cached name and coordinates of a stop; nil if unknown.
    func stopPlace(of request: FeedRequest) -> (name: String, place: Coordinates)? {
        let seen = learned.withLock { $0.places[request.stop.code] }
        guard let name = request.name ?? seen?.name, let place = request.location ?? seen?.location else { return nil }
        return (name, place)
    }

    /// The stop with this name near this place, as the replacement for `code`; nil if there is none. If the geocoder
    /// still lists `code`, it still exists, whatever `/stoptimes` reported.
    func match(for code: String, _ name: String, at place: Coordinates) async throws(FeedError) -> MOTISMatch? {
        let matches = try await api.matches(name, near: place)
        guard !matches.contains(where: { $0.code == code }) else { return nil }
        return matches.filter { $0.isCalled(name) }.map { (match: $0, distance: place.distance(to: $0.coordinates)) }
            .filter { $0.distance <= Self.walkingDistance }.min { $0.distance < $1.distance }?.match
    }
}
