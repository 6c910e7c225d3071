internal import ArgumentParser
internal import BoardCore
internal import BoardService
internal import BoardStore

/// `boardd stops near LAT,LON`: stops by place.
struct StopsNearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "near", abstract: "Find the stops of a neighbourhood, nearest first.",
        discussion: """
            The place is latitude and longitude in degrees, as maps copy them, or a stop: its name, code or feed:code. A leading \
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
        try await CommandError.exitOnFailure {
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
                throw ServiceError(
                    .notFound, await explanation(service, point, isAll: isAll, isLimited: result.isLimited))
            }
            let entries = try service.entries(found)
            try StandardOutput.write(json ? PrettyJSON.text(entries) : StopListing(entries).table)
        }
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
            (try? await service.directory.read { (directory) throws(DirectoryFailure) in
                try directory.near(point, within: radius, modes: modes, limit: 1).found.first
            }) ?? nil
        }
        let near = await nearest(point, within: .halfwayRoundEarth)
        let isDoubtful = near.map { $0.distance > Self.doubtful } ?? true
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
