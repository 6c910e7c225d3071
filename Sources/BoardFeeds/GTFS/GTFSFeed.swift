public import BoardCore
import BoardIO

/// Departures from a timetable (GTFS) with realtime messages (GTFS-Realtime) laid over it.
///
/// The timetable is stored on this machine and works without a network. A departure without realtime data is marked as
/// scheduled and never shown as "on time". One realtime message serves all stops.
public struct GTFSFeed: DepartureFeed {
    public let profile: FeedProfile
    let timetableStore: TimetableStore
    private let realtime: RealtimeClient
    private let window: Duration
    private let language: String

    /// - Parameter context: with the settings of ``family``.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingError) {
        let settings = context.settings
        let configuration = try GTFSConfiguration(name, context)
        let interval = settings[duration: "interval"]
        // One message serves all stops: the quota is a safeguard, not the operator's.
        profile = FeedProfile(
            name: name, title: configuration.title,
            attribution: settings.nonEmptyText("attribution") ?? "Timetable of \(configuration.title)",
            expiry: Self.expiry, suffixes: [], interval: interval, quota: .init(requests: 60, per: .seconds(60)))
        window = settings[duration: "window"]
        language = configuration.names.language
        timetableStore = configuration.timetableStore(context)
        realtime = RealtimeClient(
            configuration.realtime, key: configuration.key, title: configuration.title, transport: context.transport,
            clock: context.clock, interval: interval)
    }

    /// The departures of a stop, or of all platforms of a station.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        let loaded = try await timetableStore.timetable(covering: request.stop.code)
        let (place, zone) = try place(of: request.stop, in: loaded)
        let state = try await realtime.state(for: loaded)
        let (overlay, timetable, now) = (state.overlay, loaded.timetable, state.now)
        let departures = overlay.departures(
            at: request.stop, towards: request.towards, now: now, ahead: window, madeAt: state.frozenSince,
            for: request)
        let isOver = !departures.contains(where: request.selects)
        let badRows = departures.isEmpty ? loaded.report.badRowCount : 0
        let next = isOver ? timetable.next(for: request, from: now + window, now: now) : nil
        return FeedResponse(
            stop: Stop(id: request.stop, name: timetable.places[place].name, zone: zone), departures: departures,
            alerts: overlay.alerts(at: request.stop, language: language, now: now).filter { alert in
                alert.touches(request.lines)
            },
            next: next, timetableEndsAt: loaded.endsAt, partialFailure: state.partialFailure,
            // Rows left out may be why no trip calls there.
            badRows: badRows > 0 && timetable.trips(at: request.stop.code).isEmpty ? badRows : 0)
    }

    /// The calls of a trip, from the last message or a fresh one.
    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        let loaded = try await timetableStore.timetable(covering: departure.stop.code)
        let state = try await realtime.state(for: loaded)
        return state.overlay.tripDetails(of: departure, now: state.now)
    }

    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let loaded = try await timetableStore.timetable(covering: stop.code)
        let zone = try place(of: stop, in: loaded).zone
        let timetable = loaded.timetable
        let routes = Set(timetable.trips(at: stop.code).map(\.route)).map { timetable.routes[$0] }
        let lines = routes.map { Line(id: $0.id, name: $0.name) }
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
        return StopCheck(lines: lines, zone: zone)
    }

    public func sources() async -> [SourceCheck] {
        let name = timetableStore.source.description
        do throws(FeedError) {
            let (loaded, failure) = try await timetableStore.check()
            var outcome = loaded.outcome(at: timetableStore.clock.reading().wall, from: timetableStore.source)
            // An expired timetable is reported rather than a failed download of a newer one.
            if case .ok = outcome, let failure { outcome = .failed(failure) }
            return [SourceCheck(name: name, outcome: outcome)] + (try await realtime.check(for: loaded))
        } catch {
            return [SourceCheck(name: name, outcome: .failed(error))]
        }
    }

    private func place(of stop: StopID, in loaded: LoadedTimetable) throws(FeedError) -> (place: Int, zone: Zone) {
        guard let place = loaded.index.place(stop.code), !loaded.report.unknownStops.contains(stop.code) else {
            throw FeedError(
                .unknownStop,
                detail:
                    "the timetable of \(profile.title) has no stop \(stop.code): check the code with boardd stops search"
            )
        }
        if let zone = loaded.timetable.zone(at: place) { return (place, zone) }
        throw FeedError(
            .noZone,
            detail: "the timetable of \(profile.title) has a stop_timezone of \(stop.code) that this machine lacks: "
                + "sudo apt install tzdata-legacy")
    }
}

extension GTFSFeed {
    static let familyName = "gtfs"
    /// Messages are complete lists, made every 10 to 60 s; after 180 s, several have failed and an estimate is stale.
    static let expiry = ExpiryPolicy(detailsGrace: .seconds(30))

    public static let family = FeedFamily(familyName) { name in
        FeedDeclaration(
            name: name, title: String(name.description.dropFirst(familyName.count + 1)),
            settings: [
                .init("title", .text(), "the operator's name, short enough for the display"),
                .init("timetable", .location, "the GTFS zip: https://… or /a/file.zip; required"),
                .init("realtime", .sources, "GTFS-Realtime: any of trip updates, vehicles and alerts"),
            ] + APIKeyPlacement.settings + [
                .init("attribution", .text(), "the credit that the operator's terms require"),
                .init("language", .text(), "of names and alerts, if there are several; default: the board's"),
                .init(
                    "interval", .duration(.seconds(10)...(.seconds(3_600)), default: .seconds(30)),
                    "between two polls of the realtime URLs"),
                .init(
                    "window", .duration(.seconds(1_800)...(.seconds(86_400)), default: .seconds(2 * 3_600)),
                    "how much time the board covers"),
            ],
            secrets: [APIKeyPlacement.name(of: name)],
            usesSecret: { settings, _ in
                settings.nonEmptyText("key_header") != nil || settings.nonEmptyText("key_parameter") != nil
            },
            takesTowards: true,
            check: { code in
                code.unicodeScalars.contains { $0.properties.generalCategory == .control }
                    ? "must be a stop_id of the timetable" : nil
            })
    }
}

/// All stops and lines of a GTFS timetable; ``GTFSFeed`` reads only what favourites need.
public struct GTFSCatalogue: StopCatalogue {
    private let name: FeedName
    private let title: String
    private let timetableStore: TimetableStore
    private let names: NameChoice
    private let zone: FeedContext.ZoneSource

    /// - Parameter context: with the settings of ``GTFSFeed/family``.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingError) {
        let configuration = try GTFSConfiguration(name, context)
        self.name = name
        title = configuration.title
        timetableStore = configuration.timetableStore(context)
        names = configuration.names
        zone = context.zone
    }

    public var isOneFile: Bool { true }

    /// Downloads the archive if it has changed, and passes its stops to `take`. Only page 1 has stops.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
        guard page == 1 else { return StopPage(entries: 0) }
        let (path, name, names, zone) = (try await timetableStore.downloadedNewest(), name, names, zone)
        return try await reading { () throws(TableError) in
            let archive = try GTFSArchive(path: path, names: names)
            // Stops of a timetable without usable departures would be misleading.
            try TimetableReader.check(archive, zone: zone)
            return try GTFSListing(archive, feed: name).stops(take)
        }
    }

    /// The stops of a route in each direction: one pass over the stored archive, without a request.
    ///
    /// - Parameter line: a `route_id`, or the name of a route; of several with that name, the first.
    public func route(of line: String) async throws(FeedError) -> LineRoute? {
        let (path, name, names) = (try await timetableStore.storedOrDownloaded(), name, names)
        return try await reading { () throws(TableError) in
            try GTFSListing(GTFSArchive(path: path, names: names), feed: name).route(of: line)
        }
    }

    /// Runs `body` on a dedicated thread, since reading an archive blocks.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TableError) -> Value
    ) async throws(FeedError) -> Value {
        try await DedicatedThread.run("stops", "\(title): reading stops", body) { failure in
            FeedError(
                failure.kind == .cancelled ? .cancelled : failure.kind == .noZone ? .noZone : .unreadable,
                detail: "\(title): reading stops failed: \(failure)")
        }
    }
}
