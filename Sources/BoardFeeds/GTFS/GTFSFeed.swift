public import BoardCore

/// A city's departures: its timetable (GTFS) with what it says about now (GTFS-Realtime) laid over it.
///
/// The timetable is kept on this machine and answers without a network; a row that nothing live is known of is marked as
/// such, and is never "on time". One realtime message serves all stops of the city.
public struct GTFSFeed: DepartureFeed {
    /// The constants of the city.
    public let profile: FeedProfile
    let timetableStore: TimetableStore
    private let live: RealtimeClient
    private let window: Duration
    /// The language of alerts, where the operator writes several.
    private let language: String

    /// A feed of what it is given; the settings are those of ``family``.
    ///
    /// - Throws: ``FeedSettingFailure`` where there is no timetable, or an address may not be asked.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        let configuration = try GTFSConfiguration(name, context)
        let interval = settings.duration("interval") ?? Self.defaultInterval
        profile = Self.profile(
            name, title: configuration.title,
            attribution: settings.nonEmptyText("attribution") ?? "Timetable of \(configuration.title)",
            interval: interval)
        window = settings.duration("window") ?? Self.defaultWindow
        language = settings.nonEmptyText("language") ?? Self.defaultLanguage
        timetableStore = configuration.timetableStore(context)
        live = RealtimeClient(
            configuration.realtime, key: configuration.key, title: configuration.title, transport: context.transport,
            clock: context.clock,
            interval: interval)
    }

    /// Tells the departures of a stop, of a station those of all its platforms.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let loaded = try await timetableStore.timetable(covering: question.stop.code)
        guard let place = loaded.index.place(question.stop.code),
            !loaded.report.unknownStops.contains(question.stop.code)
        else { throw unknown(question.stop) }
        let live = try await live.state(about: loaded)
        let (board, timetable, now) = (live.board, loaded.timetable, live.now)
        let departures = board.departures(
            at: question.stop, towards: question.towards, now: now, ahead: window, madeAt: live.frozenSince)
        let isOver = !departures.contains { departure in
            question.matches(departure.line)
                && question.matches(platform: departure.platform, direction: departure.direction)
        }
        let next =
            isOver ? timetable.next(for: question, from: now + window, now: now, startsAt: loaded.startsAt) : nil
        return FeedResponse(
            stop: Stop(id: question.stop, name: timetable.places[place].name, zone: timetable.zone),
            departures: departures,
            alerts: board.alerts(at: question.stop, language: language, now: now).filter { alert in
                alert.touches(question.lines)
            },
            next: next, timetableEndsAt: loaded.endsAt, partialFailure: live.partialFailure,
            badRows: departures.isEmpty ? unreadable(at: question.stop, in: loaded) : 0,
            requests: live.requests)
    }

    /// Rows that were left out, where that may be why nothing leaves: no row tells of a call there.
    private func unreadable(at stop: StopID, in loaded: LoadedTimetable) -> Int {
        let (count, timetable) = (loaded.report.badRowCount, loaded.timetable)
        guard count > 0 else { return 0 }
        let places = Set(timetable.places(of: stop.code).map(Int32.init))
        let isServed = timetable.trips.indices.contains { trip in
            timetable.calls(of: trip).contains { places.contains($0.place) }
        }
        return isServed ? 0 : count
    }

    /// Tells the calls of a run, without asking anybody: the last message has all that is known.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        let loaded = try await timetableStore.timetable(covering: departure.stop.code)
        let live = try await live.state(about: loaded)
        return live.board.tripDetails(of: departure, now: live.now)
    }

    /// The lines whose trips call at a stop.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let loaded = try await timetableStore.timetable(covering: stop.code)
        guard !loaded.report.unknownStops.contains(stop.code) else { throw unknown(stop) }
        let timetable = loaded.timetable
        let places = Set(timetable.places(of: stop.code).map(Int32.init))
        let routes = timetable.trips.indices.filter { trip in
            timetable.calls(of: trip).contains { places.contains($0.place) }
        }.map { timetable.trips[$0].route }
        return Set(routes).map { timetable.routes[$0] }.map { Line(id: $0.id, name: $0.name) }
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    }

    /// The timetable and the addresses of messages.
    public func sources() async -> [SourceCheck] {
        let name = timetableStore.source.description
        do throws(FeedFailure) {
            let (loaded, failure) = try await timetableStore.check()
            var outcome = loaded.outcome(at: timetableStore.clock.reading().wall, from: timetableStore.source)
            // Whoever has nothing valid need not be told that nothing newer can be had.
            if case .ok = outcome, let failure { outcome = .failed(failure) }
            return [SourceCheck(name: name, outcome: outcome)] + (try await live.check(about: loaded))
        } catch {
            return [SourceCheck(name: name, outcome: .failed(error))]
        }
    }

    private func unknown(_ stop: StopID) -> FeedFailure {
        FeedFailure(
            .unknownStop,
            detail: "the timetable of \(profile.title) has no stop \(stop.code): search it with boardd stops",
            requests: 0)
    }
}
