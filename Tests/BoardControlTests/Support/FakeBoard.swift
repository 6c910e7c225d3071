import BoardControl
import BoardCore
import BoardService
import Synchronization

/// A board with fixed responses. It fails for certain arguments, and records the calls.
final class FakeBoard: BoardService {
    private struct State {
        var calls: [String] = []
        var isFaulty = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var isOpen = false
    }

    private let state = Mutex(State())
    private let isSlow: Bool

    /// - Parameter isSlow: whether `refresh` waits for ``resume()``.
    init(isSlow: Bool = false) {
        self.isSlow = isSlow
    }

    /// The calls, in order.
    var calls: [String] { state.withLock { $0.calls } }
    func setFaulty(_ isFaulty: Bool) { state.withLock { $0.isFaulty = isFaulty } }
    /// Ends the slow actions.
    func resume() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    private func record(_ call: String) { state.withLock { $0.calls.append(call) } }

    static let northbound = ListedStop(
        id: StopID(feed: FeedName("tfl"), code: "490000173RF"), kind: .pole, name: "Oxford Circus Station",
        letter: "RF", towards: "Marble Arch", modes: ["bus"],
        lines: [ListedLine(Line(id: "73", name: "73"), mode: "bus"), ListedLine(Line(id: "n73", name: "N73"))],
        coordinates: Coordinates(latitude: 51.5154, longitude: -0.1419),
        parent: StopID(feed: FeedName("tfl"), code: "HUBOXC"), shortCode: "71234")
    static let bare = ListedStop(
        id: StopID(feed: FeedName("tfl"), code: "490ZZ"), kind: .station, name: "Nowhere \u{1F68C} \"quoted\"")
    /// A favourite with every key.
    static let commuter = Favourite(
        stop: StopID(feed: FeedName("rail"), code: "RDG"), label: "Work", lines: ["GW"], sort: .line,
        walk: .seconds(420), uncatchable: .mark, towards: "PAD", platforms: ["3", "4"], directions: ["up"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 1320, to: 120, days: [.mon, .fri]),
        ])
    static let moment = RFC3339Timestamp(Timestamp(microseconds: 1_777_896_270_500_000))

    static let directoryState = DirectoryState(
        feed: FeedName("tfl"), stops: 20_000, lines: 700, completed: moment,
        update: .running(pages: 2, fraction: 0.25), nextUpdate: moment)

    static let state = BoardState(
        version: "0.3.0", time: moment, timeSource: .kernel,
        frame: .init(rows: ["Oxford Circus  12:04", "73  Victoria     due"], lit: true),
        page: .init(id: BoardState.Page.overview, screen: 0, screens: 1),
        pages: [
            .init(id: BoardState.Page.overview, title: "All stops", screens: 1),
            .init(id: northbound.id.description, title: "Oxford St", screens: 2),
        ],
        stops: [
            StopState(
                stop: northbound.id, name: "Oxford Circus Station", label: "Oxford St", lines: ["73"],
                distance: Metres(120), status: .failing, lastResponseAt: moment, ageSeconds: 31.5,
                newestEstimate: moment,
                departures: 4,
                lastError: .init(.timedOut, detail: "api.tfl.gov.uk did not respond", at: moment),
                partialFailure: .init(.status(503), detail: "no alerts", at: moment), nextPoll: moment),
            StopState(stop: bare.id, name: "tfl:490ZZ", status: .loading),
        ],
        feeds: [
            FeedState(
                name: FeedName("tfl"), title: "Transport for London", attribution: "Powered by TfL Open Data",
                interval: .seconds(30), keys: [.init(name: "TFL_APP_KEY", isSet: false)])
        ],
        configurationFault: "boardd.toml:12", directory: [directoryState],
        display: .init(isResponding: true, detail: "HD44780 20x4 at 0x27"),
        buttons: [
            .init(.first, line: 17, ButtonBinding(double: .refresh)), .init(ButtonID(number: 2), line: 27, .second),
        ], buttonFault: "GPIO line 17 is in use")

    /// A response with every kind of departure and of fact.
    static let response: FeedResponse = {
        let now = moment.timestamp
        func departure(
            _ status: Departure.Status, after seconds: Int, platform: String? = nil, attributes: TripAttributes? = nil,
            fare: Fare? = nil, madeAgo age: Int = 0
        ) -> Departure {
            Departure(
                stop: northbound.id, line: Line(id: "73", name: "73"), destination: "Victoria",
                vehicle: platform == nil ? "" : "LTZ1001", platform: platform,
                direction: platform.map { _ in "outbound" },
                booked: platform.map { _ in now }, status: status, attributes: attributes, fare: fare,
                madeAt: now - .seconds(age), expiresAt: now + .seconds(seconds + 30))
        }
        return FeedResponse(
            stop: Stop(id: northbound.id, name: northbound.name, letter: "RF", zone: .utc),
            departures: [
                departure(.expected(now + .seconds(200)), after: 200, platform: "4", madeAgo: 190),
                departure(
                    .scheduled(now + .seconds(7_300)), after: 7_300, fare: Fare(hundredths: 1_990, currency: "EUR")),
                departure(.delayed, after: 300), departure(.expected(now - .seconds(40)), after: -40),
                departure(
                    .cancelled, after: 60,
                    attributes: TripAttributes(
                        id: "1", company: "GWR", coaches: 8, origins: ["Reading"], via: "via Slough", reason: "snow",
                        isReplacement: true, startsAt: "Ealing", endsAt: "Acton", stage: .waiting,
                        returnTrip: .init(at: now, utcOffset: nil))),
            ],
            alerts: [
                Alert("No lift", severity: .information),
                Alert("Diverted", scope: .lines(["73"]), from: now, until: now),
                Alert("Closed", severity: .severe),
            ], isWithheld: true, next: .nextDay(now), timetableEndsAt: now)
    }()

    func state() async throws(ServiceError) -> BoardState {
        record("state")
        return Self.state
    }

    func departures(
        of stop: StopID, sorted order: BoardCore.SortOrder
    ) async throws(ServiceError) -> StopDepartures {
        record("departures of \(stop) by \(order)")
        try check(stop)
        let now = Instant(microseconds: 1_000_000_000)
        var board = Board(
            Board.Setup(
                favourites: [Favourite(stop: stop)], profiles: [:], size: Panel.Size(columns: 20, rows: 4), zone: .utc),
            reading: .init(wall: Self.moment.timestamp, isSynchronised: true), seed: 0, at: now)
        let isKnown = stop == Self.northbound.id
        if isKnown { _ = board.handle(.polled(Self.response), at: now) }
        guard let held = board.departures(of: stop, sorted: order, at: now) else {
            throw ServiceError(.notFound, "\(stop) is not on the board")
        }
        let states = Self.state.stops
        return StopDepartures(
            held, isKnown ? states[0] : states[1], attribution: "Powered by TfL Open Data", badRows: isKnown ? 1 : nil)
    }

    func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {
        record("press \(gesture) \(button.number)")
        if button.number > 2 { throw ServiceError(.notFound, "there is no button \(button.number); there are 2") }
    }

    func refresh() async throws(ServiceError) {
        record("refresh")
        guard isSlow else { return }
        let number = calls.count
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOpen, !Task.isCancelled { state.waiting[number] = continuation }
                    return state.isOpen || Task.isCancelled
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        record(Task.isCancelled ? "refresh cancelled" : "refreshed")
    }

    func reload() async throws(ServiceError) {
        record("reload")
        guard state.withLock({ $0.isFaulty }) else { return }
        throw ServiceError(
            .invalid, "the configuration is faulty; the old one stays",
            faults: [
                Fault(file: "/etc/boardd/boardd.toml", line: 12, column: 9, message: "size is \"20x5\""),
                Fault(file: "/etc/boardd/favourites.toml", message: "cannot be read"),
            ])
    }

    func stops(matching text: String, limit: Int) async throws(ServiceError) -> [StopEntry] {
        record("stops matching \(text), \(limit)")
        if text == "too early" { throw ServiceError(.noDirectory, "there is no stop directory yet") }
        if text == "outage" { throw ServiceError(.unavailable, "the operator did not respond") }
        let stops = [
            StopEntry(Self.northbound, isFavourite: true), StopEntry(Self.bare, isFavourite: false),
        ]
        return Array(repeating: stops, count: 50).flatMap { $0 }.prefix(limit).map { $0 }
    }

    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ServiceError) -> [StopEntry] {
        record("stops near \(place), \(radius), \(modes), \(limit)")
        return [StopEntry(Self.northbound, distance: Metres(120), isFavourite: true)]
    }

    func stop(_ id: StopID) async throws(ServiceError) -> StopDetail {
        record("stop \(id)")
        try check(id)
        return StopDetail(
            StopEntry(Self.bare, isFavourite: false), parts: [StopEntry(Self.northbound, isFavourite: true)])
    }

    func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] {
        record("lines \(feed?.description ?? "all")")
        if feed == FeedName("nowhere") {
            throw ServiceError(.notFound, "there is no feed nowhere", candidates: [Candidate(id: "tfl")])
        }
        if feed == FeedName("later") { throw ServiceError(.unavailable, "there is no stop directory yet") }
        return Self.northbound.lines.map { LineEntry($0, of: FeedName("tfl")) }
    }

    func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        record("route \(feed):\(line)")
        try check(StopID(feed: feed, code: line))
        let call = LineRoute.RouteStop(
            id: Self.northbound.id, name: Self.northbound.name, letter: "RF",
            coordinates: Self.northbound.coordinates)
        let other = LineRoute.RouteStop(id: Self.bare.id, name: Self.bare.name)
        let route = LineRoute(
            line: Line(id: line, name: "Northern"), mode: "tube",
            directions: [
                .init(
                    name: "inbound",
                    branches: [.init(stops: [call, other], next: [1]), .init(stops: [other, call, other])])
            ])
        return RouteEntry(route, of: feed) { $0 == Self.northbound.id }
    }

    func directory() async throws(ServiceError) -> [DirectoryState] {
        record("directory")
        return [
            Self.directoryState,
            DirectoryState(
                feed: FeedName("rail"), stops: 0, lines: 0, update: .failed(ServiceError(.unavailable, "no network"))),
        ]
    }

    func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] {
        record(feed.map { "update \($0)" } ?? "update")
        return [Self.directoryState]
    }

    func favourites() async throws(ServiceError) -> [FavouriteItem] {
        record("favourites")
        return [
            FavouriteItem(
                Favourite(stop: Self.northbound.id, label: "Oxford St", lines: ["73"], sort: .destination),
                name: "Oxford Circus Station"),
            FavouriteItem(Favourite(stop: Self.bare.id)), FavouriteItem(Self.commuter),
        ]
    }

    func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        record("add \(favourite.stop) \(favourite.label ?? "-") \(favourite.lines)")
        try check(favourite.stop, favourite.lines)
        return FavouriteItem(favourite)
    }

    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem {
        record("change \(stop) \(change.position ?? 0) \(change.values["lines"] ?? ["as before"])")
        try check(stop, change.values["lines"] ?? [])
        var favourite = Self.commuter
        try change.apply(to: &favourite)
        return FavouriteItem(favourite)
    }

    func removeFavourite(_ stop: StopID) async throws(ServiceError) {
        record("remove \(stop)")
        try check(stop)
    }

    /// Throws for certain arguments.
    private func check(_ stop: StopID, _ lines: [String] = []) throws(ServiceError) {
        switch stop.code {
        case "missing":
            throw ServiceError(
                .notFound, "there is no \(stop)",
                candidates: [Candidate(id: "tfl:490000173RF", name: "Oxford Circus Station"), Candidate(id: "tfl:2")])
        case "twice": throw ServiceError(.conflict, "\(stop) is a favourite already")
        case "readonly": throw ServiceError(.notAllowed, "/etc/boardd/favourites.toml cannot be written")
        case "later": throw ServiceError(.unavailable, "there is no stop directory yet")
        case "malformed": throw ServiceError(.unreadable, "found HTML or XML where JSON was expected")
        case "broken": throw ServiceError(.failed, "the directory cannot be read")
        default: break
        }
        if let line = lines.first(where: { $0 == "999" }) {
            throw ServiceError(
                .invalid, "line \(line) does not call at \(stop)",
                candidates: [Candidate(id: "73"), Candidate(id: "N73")])
        }
    }
}
