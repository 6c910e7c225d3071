extension Board {
    /// What outlives a restart of the program, though not of the machine: the departures with their own timestamps, the
    /// page, the orders, what is opened, and what time it is.
    ///
    /// Its instants are those of CLOCK_BOOTTIME, which a new start of the program does not reset. Whoever keeps it knows
    /// which boot it is of, and restores none of another one.
    public struct Snapshot: Hashable, Sendable, Codable {
        /// The form of a snapshot; one of another form is not read.
        static let formatVersion = 3
        /// No page has more screens.
        fileprivate static let screens = 0...10_000

        private(set) var formatVersion = Self.formatVersion
        fileprivate let taken: Instant
        fileprivate let clock: CorrectedClock
        fileprivate let page: Page
        fileprivate let screen: Int
        fileprivate let lastPress: Instant?
        fileprivate let overviewSort: SortOrder
        fileprivate var favourites: [FavouriteSnapshot]
        /// The zones of the stops, each once.
        fileprivate var zones: [Zone]
    }

    /// What is worth keeping at `now`.
    public func snapshot(at now: Instant) -> Snapshot {
        var zones: [Zone] = []
        let kept = (favourites + inactive).map { favourite in
            let zone = favourite.stop.zone.map { zone in
                zones.firstIndex(of: zone)
                    ?? {
                        zones.append(zone); return zones.count - 1
                    }()
            }
            return FavouriteSnapshot(favourite, zone: zone)
        }
        return Snapshot(
            taken: now, clock: clock, page: view.page, screen: view.screen, lastPress: view.lastPress,
            overviewSort: overviewSort, favourites: kept, zones: zones)
    }

    /// Takes over what was kept of a board that was made for this or another setup: of the favourites that are still
    /// there, what they knew; and the page that a person looked at, if it still exists.
    mutating func restore(_ snapshot: Snapshot, reading: CorrectedClock.Reading, at now: Instant) {
        // Instants from the future are those of another clock: nothing of it can be believed.
        guard snapshot.formatVersion == Snapshot.formatVersion, snapshot.taken <= now else { return }
        if !reading.isSynchronised {
            clock = snapshot.clock
            clock.read(reading, at: now)
        }
        for index in favourites.indices { favourites[index].restore(snapshot) }
        for index in inactive.indices { inactive[index].restore(snapshot) }
        applyHours(isAtHome: isAtHome, at: now)
        overviewSort = snapshot.overviewSort
        if pages.contains(snapshot.page) {
            view.turn(to: snapshot.page, screen: snapshot.screen, at: now)
            view.lastPress = snapshot.lastPress
        }
        // Attributions are for a start; who sees departures again at once must not wait for them.
        if !snapshot.favourites.isEmpty { view.splashUntil = nil }
    }
}

extension FavouriteState {
    /// Takes over what was kept of it, if anything was.
    fileprivate mutating func restore(_ snapshot: Board.Snapshot) {
        guard let kept = snapshot.favourites.first(where: { $0.stop == favourite.stop }) else { return }
        let zone = kept.zone.flatMap { snapshot.zones.indices.contains($0) ? snapshot.zones[$0] : nil }
        restore(kept, zone: zone)
    }
}

extension Board.Snapshot {
    /// The same in pieces, so that whoever writes it need not hold all of it in another form at once: one without
    /// favourites, and one for each favourite.
    public var pieces: [Board.Snapshot] {
        var common = self
        common.favourites = []
        return [common]
            + favourites.map { favourite in
                var piece = common
                piece.zones = []
                piece.favourites = [favourite]
                return piece
            }
    }

    /// Puts the pieces of a snapshot together; nil when there are none.
    public init?(pieces: [Board.Snapshot]) {
        guard let first = pieces.first else { return nil }
        self = first
        favourites = pieces.flatMap(\.favourites)
    }
}

/// What is kept of one favourite.
struct FavouriteSnapshot: Hashable, Sendable, Codable {
    let stop: StopID
    let name: String?
    let letter: String?
    /// The index of its zone among the snapshot's.
    let zone: Int?
    let rows: [DepartureRow]
    let alerts: [Alert]
    /// Nil: it was kept by a version that did not know.
    let isWithheld: Bool?
    let next: NextDeparture?
    let timetableEndsAt: Timestamp?
    let status: FeedStatus
    let lastResponseAt: Instant
    let hasResponded: Bool
    let freezeDetector: FreezeDetector
    /// The order that a person chose by a press.
    let sort: SortOrder
    /// The order that the file asked for then.
    let configuredSort: SortOrder
    let detailPage: DetailPage?

    init(_ state: FavouriteState, zone: Int?) {
        stop = state.favourite.stop
        name = state.stop.name
        letter = state.stop.letter
        self.zone = zone
        rows = state.rows
        alerts = state.reportedAlerts
        isWithheld = state.isWithheld
        next = state.next
        timetableEndsAt = state.timetableEndsAt
        status = state.status
        lastResponseAt = state.lastResponseAt
        hasResponded = state.hasResponded
        freezeDetector = state.freezeDetector
        sort = state.sort
        configuredSort = state.favourite.sort
        detailPage = state.detailPage
    }
}

// Decoded with what synthesis does not check: values that no board can have had would trap where they are used, at every
// start again.

extension Board.Snapshot {
    /// A snapshot that was kept.
    ///
    /// - Throws: `DecodingError` for one that is none of a board.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        formatVersion = try kept.decode(Int.self, forKey: .formatVersion)
        taken = try kept.decode(Instant.self, forKey: .taken)
        clock = try kept.decode(CorrectedClock.self, forKey: .clock)
        page = try kept.decode(Page.self, forKey: .page)
        screen = try kept.decode(Int.self, forKey: .screen)
        lastPress = try kept.decodeIfPresent(Instant.self, forKey: .lastPress)
        overviewSort = try kept.decode(SortOrder.self, forKey: .overviewSort)
        favourites = try kept.decode([FavouriteSnapshot].self, forKey: .favourites)
        zones = try kept.decode([Zone].self, forKey: .zones)
        guard Self.screens.contains(screen) else { throw DecodingError.invalid("no screen of a page", in: decoder) }
        guard favourites.allSatisfy(\.status.isValid) else {
            throw DecodingError.invalid("no standing of a feed", in: decoder)
        }
    }
}

extension Board.Event {
    /// Whether it may change what a snapshot holds; what only time changes is computed anew from it.
    var changesSnapshot: Bool {
        switch self {
        case .polled, .detailsFetched, .configured, .gesture: true
        case .button(let change): !change.isDown
        case .failed(_, let failure): failure.cached != nil
        case .faultyConfiguration, .detailsFailed, .clock, .date, .refresh, .woke: false
        }
    }
}
