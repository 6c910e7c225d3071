import ArgumentParser
import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import BoardStore

/// `boardd stops search TEXT…`: stops by name, letter or code.
struct StopsSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find stops by name, letter or code.",
        discussion: """
            Every word begins a word of the name; case, accents and "St" for "Street" do not matter. A letter at the end is \
            that on the pole; the five digits on a pole work, too. Without --online only stop lists, and operators of \
            favourites, are searched. The list of a city that was just added is downloaded first. Each line has the stop's ID for favourites and departures, its name with the letter, \
            modes, direction, and lines. \
            Examples: boardd stops search oxford street n · boardd stops search 50001 --json
            """)

    @Argument(help: "Words of the name; no quotes are needed.")
    var text: [String]

    @OptionGroup var limit: LimitOption

    @OptionGroup var operators: OperatorsOption

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let wanted = text.joined(separator: " ")
        let service = try await configuration.localService()
        await configuration.loadMissingLists()
        let advice = operators.advice
        let result = try await operators.search(service) { (search) throws(ServiceError) in
            try await search.stops(matching: wanted, limit: limit.count)
        }
        let found = try result.complete()
        guard !found.isEmpty else {
            if json { try StandardOutput.write(PrettyJSON.text([StopEntry]())) }
            let near = try? await service.directory.read { directory in
                try directory.candidates(forStop: wanted, limit: Candidate.maximumCount).found
            }
            let more = near?.isEmpty ?? true ? advice.map { ". \($0)" } : nil
            throw ServiceError(
                .notFound, "no stop is called \"\(wanted)\"\(more ?? "")",
                candidates: (near ?? []).map { Candidate($0) })
        }
        let entries = try service.entries(found)
        try StandardOutput.write(json ? PrettyJSON.text(entries) : entries.table())
    }
}

/// Whether operators with a stop search are included.
struct OperatorsOption: ParsableArguments {
    @Flag(
        help: """
            Also search operators without a stop list (\(OperatorsOption.titles): most of the world); those of favourites are \
            always searched.
            """)
    var online = false

    /// How to find more; nil: everything was searched.
    var advice: String? {
        online ? nil : "Only downloaded stop lists were searched. Use --online to also search \(Self.titles)."
    }

    /// Searches, and prints remarks.
    ///
    /// - Throws: ``ServiceError``, with the advice if there is no directory.
    func search<Found: Sendable>(
        _ service: LocalBoardService,
        _ body: (StopSearch) async throws(ServiceError) -> StopSearch.SearchResult<Found>
    ) async throws(ServiceError) -> StopSearch.SearchResult<Found> {
        do throws(ServiceError) {
            let result = try await body(try service.search(isOnline: online))
            result.remarks.forEach(StandardError.remark)
            return result
        } catch {
            guard error.kind == .noDirectory, let advice else { throw error }
            throw error.with(message: "\(error.message). \(advice)")
        }
    }

    /// The stop that a user wrote. If none is found, the error has the advice.
    func stop(_ text: String, of service: LocalBoardService) async throws(ServiceError) -> StopID {
        try await advised(text) { () throws(ServiceError) in try await service.stop(called: text, isOnline: online) }
    }

    /// The place that a user wrote as a name. If none is found, the error has the advice.
    func place(_ text: String, of service: LocalBoardService) async throws(ServiceError) -> Coordinates {
        try await advised(text) { () throws(ServiceError) in try await service.place(called: text, isOnline: online) }
    }

    private func advised<Value>(
        _ text: String, _ body: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do throws(ServiceError) {
            return try await body()
        } catch {
            // An identifier is not searched for.
            guard [.notFound, .noDirectory].contains(error.kind), StopID(text) == nil, let advice else { throw error }
            throw error.with(message: "\(error.message). \(advice)")
        }
    }

    /// The titles of the operators with a stop search.
    private static let titles = FeedRegistry.declarations.feeds.filter(\.searchesStops).map(\.title)
        .joined(separator: ", ")
}

struct LimitOption: ParsableArguments {
    /// The rows of a terminal.
    private static let defaultCount = 20
    private static let maximum = 1_000

    @Option(name: .customLong("limit"), help: ArgumentHelp("The maximum number of results.", valueName: "count"))
    var count = LimitOption.defaultCount

    func validate() throws {
        guard (1...Self.maximum).contains(count) else {
            throw ValidationError("--limit needs a count from 1 to \(Self.maximum).")
        }
    }
}

/// `boardd stops near LAT,LON`: stops by place.
struct StopsNearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "near", abstract: "Find the stops of a neighbourhood, nearest first.",
        discussion: """
            The place is latitude and longitude in degrees, as maps copy them, a link of OpenStreetMap, Google Maps or Apple Maps, \
            or a stop or station: its name, code or feed:code, or a favourite's number. A leading \
            minus is not an option, and a blank after the comma is allowed. \
            Examples: boardd stops near 51.5154,-0.1419 --radius 300 --mode bus · boardd stops near -33.87, 151.2 · \
            boardd stops near oxford circus
            """)

    /// If the nearest stop is farther away, the place is probably wrong.
    private static let doubtful = Metres(50_000)

    @OptionGroup var place: PlaceArgument

    @Option(
        help: ArgumentHelp("How far a stop may be: 300, 300m, 1.5km.", valueName: "distance"),
        transform: { text in
            guard let radius = Metres(written: text), radius.count > 0 else {
                throw ValidationError("\"\(text)\" is not a distance; write 300m or 1.5km.")
            }
            guard radius <= .halfwayRoundEarth else {
                throw ValidationError("\"\(text)\" is farther than anything on Earth; 20100km reaches every stop.")
            }
            return radius
        })
    var radius = Metres(500)

    @Option(
        name: .customLong("mode"),
        help: ArgumentHelp("Only stops with this mode, such as bus or tube; may be repeated.", valueName: "mode"),
        completion: .modes)
    var modes: [String] = []

    @OptionGroup var limit: LimitOption

    @OptionGroup var operators: OperatorsOption

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let service = try await configuration.localService()
        let point = try await place.coordinates(operators, service)
        var isAll = false
        let result = try await operators.search(service) { (search) throws(ServiceError) in
            isAll = search.isLocal
            return try await search.stops(near: point, within: radius, modes: modes, limit: limit.count)
        }
        let found = try result.complete()
        guard !found.isEmpty else {
            if json { try StandardOutput.write(PrettyJSON.text([StopEntry]())) }
            throw ServiceError(.notFound, await explanation(service, point, isAll: isAll, isLimited: result.isLimited))
        }
        let entries = try service.entries(found)
        try StandardOutput.write(json ? PrettyJSON.text(entries) : entries.table())
    }

    /// Why nothing was found, and what to write instead.
    ///
    /// - Parameters:
    ///   - isAll: whether only the directory was searched, so that a missing mode exists nowhere.
    ///   - isLimited: whether the search was limited.
    private func explanation(_ service: LocalBoardService, _ point: Coordinates, isAll: Bool, isLimited: Bool) async
        -> String
    {
        let (radius, modes) = (radius, modes)
        let swapped = Coordinates(latitude: point.longitude, longitude: point.latitude)
        func nearest(_ point: Coordinates, within radius: Metres) async -> NearStop? {
            (try? await service.directory.read { directory in
                try directory.near(point, within: radius, modes: modes, limit: 1).found.first
            }) ?? nil
        }
        let near = await nearest(point, within: .halfwayRoundEarth)
        let isDoubtful = near.isNilOr { $0.distance > Self.doubtful }
        let swappedNearest: NearStop? =
            if isDoubtful, let swapped { await nearest(swapped, within: Self.doubtful) } else { nil }
        let wanted = modes.isEmpty ? "no stop" : "no stop of \(modes.joined(separator: " or "))"
        let sentence =
            isLimited
            ? "\(wanted) was found within \(radius) of \(point)" : "there is \(wanted) within \(radius) of \(point)"
        if swappedNearest != nil, let swapped {
            return "\(sentence), but there are near \(swapped): latitude and longitude seem swapped"
        }
        guard let near else {
            guard isAll, !modes.isEmpty else { return sentence }
            return "\(sentence); no list has such a stop: see boardd stops lines"
        }
        let name = StopEntry(near.stop, isFavourite: false).nameWithLetter
        return "\(sentence); the nearest is \(name), \(near.stop.id), \(near.distance) away: "
            + (isDoubtful ? "is the place right?" : "try --radius \(Self.widened(to: near.distance))")
    }

    /// A round radius that reaches a stop.
    private static func widened(to distance: Metres) -> String {
        let metres = Int(distance.count.rounded(.up))
        if metres < 1_000 { return "\((metres / 100 + 1) * 100)m" }
        return "\(metres / 1_000 + 1)km"
    }
}
