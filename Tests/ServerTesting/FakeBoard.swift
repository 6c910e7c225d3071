package import BoardCore
import BoardIO
package import BoardService
import BoardStore
import Synchronization
package import Waiting

/// A board with fixed responses. It fails for certain arguments, and records the calls.
package final class FakeBoard: RunningBoard, StopService {
    private struct State {
        var calls: [String] = []
        var threads: [String: Set<String>] = [:]
        var isFaulty = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var isOpen = false
        var live = FakeBoard.live
        var viewers: [AsyncStream<UInt64>.Continuation] = []
        var changes: UInt64 = 0
    }

    /// Limits how often a client receives events.
    package let virtualClock = VirtualClock()
    package var clock: any MachineClock { virtualClock }
    package var stops: any StopService { self }
    private let state = Mutex(State())
    private let isSlow: Bool
    private let isDeaf: Bool

    /// - Parameters:
    ///   - isSlow: whether `refresh` waits for ``resume()``.
    ///   - isDeaf: whether it waits for it also after its cancellation, like work that blocks a thread.
    package init(isSlow: Bool = false, isDeaf: Bool = false) {
        self.isSlow = isSlow
        self.isDeaf = isDeaf
    }

    /// The calls, in order.
    package var calls: [String] { state.withLock { $0.calls } }
    /// The names of the threads that made a call.
    package func threads(of call: String) -> Set<String> { state.withLock { $0.threads[call] ?? [] } }
    package func setFaulty(_ isFaulty: Bool) { state.withLock { $0.isFaulty = isFaulty } }
    /// Ends the slow actions.
    package func resume() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Changes what viewers see, and wakes them.
    package func change(_ body: @Sendable (inout LiveState) -> Void) {
        let (viewers, change) = state.withLock { state in
            body(&state.live)
            state.changes += 1
            return (state.viewers, state.changes)
        }
        for viewer in viewers { viewer.yield(change) }
    }

    private func record(_ call: String) {
        let thread = try? SmallFile.read("/proc/thread-self/comm", limit: 16).text.split(separator: "\n").first
        state.withLock { state in
            state.calls.append(call)
            state.threads[call, default: []].insert(thread.map(String.init) ?? "")
        }
    }

    package static let northbound = ListedStop(
        id: StopID(feed: FeedName("tfl"), code: "490000173RF"), kind: .pole, name: "Oxford Circus Station",
        letter: "RF", towards: "Marble Arch", modes: ["bus"],
        lines: [
            ListedLine(Line(id: "73", name: "73"), mode: "bus", colour: "DC241F"),
            ListedLine(Line(id: "n73", name: "N73")),
        ],
        coordinates: Coordinates(latitude: 51.5154, longitude: -0.1419),
        parent: StopID(feed: FeedName("tfl"), code: "HUBOXC"), shortCode: "71234")
    package static let bare = ListedStop(
        id: StopID(feed: FeedName("tfl"), code: "490ZZ"), kind: .station, name: "Nowhere \u{1F68C} \"quoted\"")
    /// Changes by another board: one of each kind.
    package static let changes = SharedFavouriteChange.Kind.allCases.compactMap { kind in
        FleetName("kitchen").map { board in
            SharedFavouriteChange(
                stop: northbound.id, name: kind == .removed ? "Oxford St" : nil, board: board,
                at: Timestamp(microseconds: 1_795_651_200_000_000), kind: kind,
                fields: kind == .changed ? ["label", "place"] : [])
        }
    }

    /// A favourite with every key.
    package static let commuter = Favourite(
        stop: StopID(feed: FeedName("rail"), code: "RDG"), label: "Work", lines: ["GW"], sort: .line,
        walk: .seconds(420), towards: ["PAD"], platforms: ["3", "4"], directions: ["up"],
        when: [
            WeeklyWindow(from: 390, to: 570, days: [.mon, .tue, .wed, .thu, .fri]),
            WeeklyWindow(from: 1320, to: 120, days: [.mon, .fri]),
        ])
    package static let moment = Timestamp(microseconds: 1_777_896_270_500_000)

    package static let directoryState = DirectoryState(
        feed: FeedName("tfl"), stops: 20_000, lines: 700, completed: moment,
        update: .running(pages: 2, fraction: 0.25), nextUpdate: moment)

    package static let state = BoardState(
        live: live,
        feeds: [
            FeedState(
                name: FeedName("tfl"), title: "Transport for London", attribution: "Powered by TfL Open Data",
                interval: .seconds(30), keys: [.init(name: "TFL_APP_KEY", isSet: false)])
        ], directory: [directoryState],
        buttons: [
            .init(.first, line: 17, ButtonBinding(double: .refresh)), .init(ButtonID(number: 2), line: 27, .second),
        ], pageAddresses: ["http://192.168.178.201", "http://boardpi.local"])

    package static let live: LiveState = {
        let stops = [northbound.id, bare.id].compactMap { try? departures(of: $0, sorted: .time) }
        return LiveState(
            name: "boardpi", version: "0.3.0", time: moment, timeSource: .kernel, utcOffsetSeconds: 3_600,
            display: DisplayPicture(
                rows: ["Oxford Circus  12:04", "73  Victoria     due"], lit: true,
                dots: DisplayDots(.characters, rows: [[true, false]]),
                page: PageInView(id: PageReport.overview, screen: 0, screens: 1), isResponding: true),
            pages: [
                PageReport(id: PageReport.overview, title: "All stops", screens: 1),
                PageReport(id: northbound.id.description, title: "Oxford St", screens: 2),
            ],
            stops: stops, favourites: [FavouriteItem(Favourite(stop: northbound.id), location: northbound.coordinates)],
            faults: BoardFaults(configuration: "boardd.toml:12", buttons: "GPIO line 17 is in use"))
    }()

    /// A response with every kind of departure and of fact.
    package static let response: FeedResponse = {
        let now = moment
        func departure(
            _ status: Departure.Status, after seconds: Int, platform: String? = nil, attributes: TripAttributes? = nil,
            fare: Fare? = nil, madeAgo age: Int = 0
        ) -> Departure {
            Departure(
                stop: northbound.id, line: Line(id: "73", name: "73"), lineColour: "DC241F", mode: .bus,
                destination: "Victoria",
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
                        returnTrip: .init(at: now, utcOffset: nil),
                        arrangement: .init(by: .phone, message: "An hour before", phone: "01234 567"))),
            ],
            alerts: [
                Alert("No lift", severity: .information),
                Alert("Diverted", lines: ["73"], from: now, until: now),
                Alert("Closed", severity: .severe),
            ], isWithheld: true, next: .nextDay(now), timetableEndsAt: now)
    }()

    package func state() async throws(ServiceError) -> BoardState {
        record("state")
        return Self.state
    }

    package func departures(
        of stop: StopID, sorted order: BoardCore.SortOrder
    ) async throws(ServiceError) -> StopReport {
        record("departures of \(stop) by \(order)")
        try check(stop)
        return try Self.departures(of: stop, sorted: order)
    }

    private static func departures(
        of stop: StopID, sorted order: BoardCore.SortOrder
    ) throws(ServiceError) -> StopReport {
        let now = Instant(microseconds: 1_000_000_000)
        let profile = FeedProfile(
            name: stop.feed, title: "TfL", attribution: "Powered by TfL Open Data", suffixes: [],
            interval: .seconds(30),
            quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
        var board = Board(
            Board.Setup(
                favourites: [Favourite(stop: stop, walk: .seconds(250))],
                profiles: [profile.name: profile], size: DisplaySize(columns: 20, rows: 4), zone: .utc),
            reading: .init(wall: moment, isSynchronised: true), seed: 0, at: now)
        let isKnown = stop == northbound.id
        if isKnown { _ = board.handle(.polled(response), at: now) }
        guard var report = board.report(on: stop, sorted: order, at: now) else {
            throw ServiceError(.notFound, "\(stop) is not on the board")
        }
        guard isKnown else { return report }
        report.name = "Oxford Circus Station"
        report.label = "Oxford St"
        report.lines = ["73"]
        report.distanceMetres = 120
        report.status = .failing
        report.lastResponseAt = moment
        report.nextPollAt = moment
        report.lastError = .init(.timedOut, detail: "api.tfl.gov.uk did not respond", at: moment)
        report.partialFailure = .init(.status(503), detail: "no alerts", at: moment)
        report.badRows = 1
        return report
    }

    package func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {
        record("press \(gesture) \(button.number)")
        if button.number > 2 { throw ServiceError(.notFound, "there is no button \(button.number); there are 2") }
    }

    package func refresh() async throws(ServiceError) {
        record("refresh")
        guard isSlow else { return }
        let number = calls.count
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.isOpen || Task.isCancelled && !isDeaf
                    if !isOver { state.waiting[number] = continuation }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            guard !isDeaf else { return record("refresh abandoned") }
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        record(Task.isCancelled ? "refresh cancelled" : "refreshed")
    }

    package func show(page: String) async throws(ServiceError) {
        record("show \(page)")
        if page == "twice" { throw ServiceError(.invalid, "several pages have the title \"twice\"") }
        _ = try BoardPages(Self.live.pages).stop(called: page)
    }

    package func setLight(_ mode: LightMode) async throws(ServiceError) { record("light \(mode.rawValue)") }

    package func show(_ message: BoardMessage) async throws(ServiceError) {
        record("message \(message.text), \(message.seconds) s")
    }

    package func reload() async throws(ServiceError) {
        record("reload")
        guard state.withLock({ $0.isFaulty }) else { return }
        throw ServiceError(
            .invalid, "the configuration is faulty; the old one stays",
            faults: [
                Fault(file: "/etc/boardd/boardd.toml", line: 12, column: 9, message: "size is \"20x5\""),
                Fault(file: "/etc/boardd/favourites.toml", message: "cannot be read"),
            ])
    }

    package func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry] {
        record("stops matching \(text), \(limit)")
        if text == "too early" { throw ServiceError(.noDirectory, "there is no stop directory yet") }
        if text == "outage" { throw ServiceError(.unavailable, "the operator did not respond") }
        let stops = [
            StopEntry(Self.northbound, isFavourite: true), StopEntry(Self.bare, isFavourite: false),
        ]
        return Array(repeating: stops, count: 50).flatMap { $0 }.prefix(limit).map { $0 }
    }

    package func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry] {
        record("stops near \(place), \(radius), \(modes), \(limit)")
        return [StopEntry(Self.northbound, distance: Metres(120), isFavourite: true)]
    }

    package func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox {
        record("stops in \(box), near \(place?.description ?? "-"), \(limit)")
        return StopsInBox(
            [StopEntry(Self.bare, isFavourite: false), StopEntry(Self.northbound, isFavourite: true)], total: 1_234,
            attributions: ["Powered by TfL Open Data"])
    }

    package func map(_ request: MapRequest) async throws(ServiceError) -> String {
        record(
            "map \(request.centre) \(request.scale.rawValue) \(request.size) \(request.stop?.description ?? "-") "
                + (request.line.map { "\($0.feed):\($0.line)" } ?? "-"))
        if let stop = request.stop { try check(stop) }
        if let line = request.line { try check(StopID(feed: line.feed, code: line.line)) }
        let stops = [StopEntry(Self.northbound, isFavourite: true)]
        return MapPicture(request, of: StopsInBox(stops, total: 1, attributions: []), words: Language.english.words).svg
    }

    package func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail {
        record("stop \(id)")
        try check(id)
        return StopDetail(
            StopEntry(Self.bare, isFavourite: false), parts: [StopEntry(Self.northbound, isFavourite: true)])
    }

    package func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] {
        record("lines \(feed?.description ?? "all")")
        if feed == FeedName("nowhere") {
            throw ServiceError(.notFound, "there is no feed nowhere", candidates: [Candidate(id: "tfl")])
        }
        if feed == FeedName("later") { throw ServiceError(.unavailable, "there is no stop directory yet") }
        return Self.northbound.lines.map { LineEntry($0, of: FeedName("tfl")) }
    }

    package func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        record("route \(feed):\(line)")
        try check(StopID(feed: feed, code: line))
        let call = LineRoute.RouteStop(
            id: Self.northbound.id, name: Self.northbound.name, letter: "RF",
            coordinates: Self.northbound.coordinates)
        let other = LineRoute.RouteStop(id: Self.bare.id, name: Self.bare.name)
        let route = LineRoute(
            line: Line(id: line, name: "Northern"), mode: "tube", colour: "000000",
            directions: [
                .init(
                    name: "inbound",
                    branches: [.init(stops: [call, other], next: [1]), .init(stops: [other, call, other])])
            ])
        return RouteEntry(route, of: feed) { $0 == Self.northbound.id }
    }

    package func directory() async throws(ServiceError) -> [DirectoryState] {
        record("directory")
        return [
            Self.directoryState,
            DirectoryState(
                feed: FeedName("rail"), stops: 0, lines: 0, update: .failed(ServiceError(.unavailable, "no network"))),
        ]
    }

    package func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] {
        record(feed.map { "update \($0)" } ?? "update")
        return [Self.directoryState]
    }

    package func favourites() async throws(ServiceError) -> [FavouriteItem] {
        record("favourites")
        return [
            FavouriteItem(
                Favourite(stop: Self.northbound.id, label: "Oxford St", lines: ["73"], sort: .destination),
                name: "Oxford Circus Station", letter: "RF"),
            FavouriteItem(Favourite(stop: Self.bare.id)), FavouriteItem(Self.commuter),
        ]
    }

    package func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        record("add \(favourite.stop) \(favourite.label ?? "-") \(favourite.lines)")
        try check(favourite.stop, favourite.lines)
        return FavouriteItem(favourite)
    }

    package func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem
    {
        record("change \(stop) \(change.position ?? 0) \(change.values["lines"] ?? ["as before"])")
        try check(stop, change.values["lines"] ?? [])
        var favourite = Self.commuter
        try change.apply(to: &favourite)
        return FavouriteItem(favourite)
    }

    package func live() async throws(ServiceError) -> LiveState {
        record("live")
        return state.withLock { $0.live }
    }

    package func displayDrawing() async throws(ServiceError) -> String {
        record("display")
        return "<svg></svg>"
    }

    package func changes() -> AsyncStream<UInt64> {
        record("viewer")
        let (stream, viewer) = AsyncStream.makeStream(of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.viewers.append(viewer) }
        return stream
    }

    package func look(at stop: StopID) async throws(ServiceError) -> StopReport {
        record("look at \(stop)")
        try check(stop)
        if stop.code == "again" {
            throw ServiceError(.rateLimited, "the limit is reached", retryAfter: .milliseconds(9_200))
        }
        return try Self.departures(of: stop, sorted: .time)
    }

    package func undoFavourites() async throws(ServiceError) -> [FavouriteItem] {
        record("undo")
        if state.withLock({ $0.isFaulty }) { throw ServiceError(.conflict, "favourites.toml was edited since") }
        guard calls.filter({ $0 == "undo" }).count == 1 else { throw ServiceError(.notFound, "nothing to take back") }
        return [FavouriteItem(Self.commuter)]
    }

    package func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange] {
        record("changes")
        return Self.changes
    }

    package func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem] {
        record("revert \(stop)")
        try check(stop)
        return [FavouriteItem(Self.commuter)]
    }

    package func removeFavourite(_ stop: StopID) async throws(ServiceError) {
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
