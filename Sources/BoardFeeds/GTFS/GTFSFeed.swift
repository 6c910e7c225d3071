public import BoardCore

/// Departures of a timetable (GTFS) with realtime messages (GTFS-Realtime) laid over it.
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
    /// - Throws: ``FeedSettingFailure`` if `timetable` is missing or a URL is not allowed.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        let configuration = try GTFSConfiguration(name, context)
        let interval = settings.duration("interval") ?? Self.defaultInterval
        // One message serves all stops: the quota is a safeguard, not the operator's.
        profile = FeedProfile(
            name: name, title: configuration.title,
            attribution: settings.nonEmptyText("attribution") ?? "Timetable of \(configuration.title)",
            expiry: Self.expiry, suffixes: [], interval: interval, quota: .init(requests: 60, per: .seconds(60)))
        window = settings.duration("window") ?? Self.defaultWindow
        language = configuration.names.language
        timetableStore = configuration.timetableStore(context)
        realtime = RealtimeClient(
            configuration.realtime, key: configuration.key, title: configuration.title, transport: context.transport,
            clock: context.clock, interval: interval)
    }

    /// The departures of a stop, or of all platforms of a station.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let loaded = try await timetableStore.timetable(covering: request.stop.code)
        guard let place = loaded.index.place(request.stop.code),
            !loaded.report.unknownStops.contains(request.stop.code)
        else { throw unknown(request.stop) }
        let zone = try zone(of: request.stop, at: place, in: loaded.timetable)
        let state = try await realtime.state(for: loaded)
        let (overlay, timetable, now) = (state.overlay, loaded.timetable, state.now)
        let departures = overlay.departures(
            at: request.stop, towards: request.towards, now: now, ahead: window, madeAt: state.frozenSince,
            for: request)
        let isOver = !departures.contains { departure in
            request.selects(departure.line, platform: departure.platform, direction: departure.direction)
        }
        let badRows = departures.isEmpty ? loaded.report.badRowCount : 0
        let next = isOver ? timetable.next(for: request, from: now + window, now: now) : nil
        return FeedResponse(
            stop: Stop(id: request.stop, name: timetable.places[place].name, zone: zone),
            departures: departures,
            alerts: overlay.alerts(at: request.stop, language: language, now: now).filter { alert in
                alert.touches(request.lines)
            },
            next: next, timetableEndsAt: loaded.endsAt, partialFailure: state.partialFailure,
            // Rows left out may be why no trip calls there.
            badRows: badRows > 0 && timetable.trips(at: request.stop.code).isEmpty ? badRows : 0)
    }

    /// The calls of a trip, from the last message or a fresh one.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        let loaded = try await timetableStore.timetable(covering: departure.stop.code)
        let state = try await realtime.state(for: loaded)
        return state.overlay.tripDetails(of: departure, now: state.now)
    }

    /// Checks the stop in the timetable.
    public func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck {
        let loaded = try await timetableStore.timetable(covering: stop.code)
        guard let place = loaded.index.place(stop.code), !loaded.report.unknownStops.contains(stop.code) else {
            throw unknown(stop)
        }
        let timetable = loaded.timetable
        let routes = Set(timetable.trips(at: stop.code).map(\.route)).map { timetable.routes[$0] }
        let lines = routes.map { Line(id: $0.id, name: $0.name) }
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
        return StopCheck(lines: lines, zone: try zone(of: stop, at: place, in: timetable))
    }

    public func sources() async -> [SourceCheck] {
        let name = timetableStore.source.description
        do throws(FeedFailure) {
            let (loaded, failure) = try await timetableStore.check()
            var outcome = loaded.outcome(at: timetableStore.clock.reading().wall, from: timetableStore.source)
            // An expired timetable is reported instead of a failed download of a newer one.
            if case .ok = outcome, let failure { outcome = .failed(failure) }
            return [SourceCheck(name: name, outcome: outcome)] + (try await realtime.check(for: loaded))
        } catch {
            return [SourceCheck(name: name, outcome: .failed(error))]
        }
    }

    private func zone(of stop: StopID, at place: Int, in timetable: Timetable) throws(FeedFailure) -> Zone {
        if let zone = timetable.zone(at: place) { return zone }
        throw FeedFailure(
            .noZone,
            detail: "the timetable of \(profile.title) has a stop_timezone of \(stop.code) that this machine lacks: "
                + "sudo apt install tzdata-legacy")
    }

    private func unknown(_ stop: StopID) -> FeedFailure {
        FeedFailure(
            .unknownStop,
            detail:
                "the timetable of \(profile.title) has no stop \(stop.code): check the code with boardd stops search")
    }
}
