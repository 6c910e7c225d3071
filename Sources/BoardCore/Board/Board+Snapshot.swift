extension Board {
    /// The state that is restored after a restart of the program on the same boot: departures with their own
    /// timestamps, the page, sort orders, detail pages and the clock.
    ///
    /// Its instants are those of CLOCK_BOOTTIME, which continues across a restart of the program. The caller stores the
    /// boot identifier with it and restores no snapshot of another boot.
    public struct Snapshot: Hashable, Sendable, Codable {
        /// The format version; a snapshot of another version is not restored.
        static let formatVersion = 3
        /// The range of screen numbers; no page has more.
        fileprivate static let screens = 0...10_000

        private(set) var formatVersion = Self.formatVersion
        fileprivate let taken: Instant
        fileprivate let clock: CorrectedClock
        fileprivate let page: Page
        fileprivate let screen: Int
        fileprivate let lastPress: Instant?
        fileprivate let overviewSort: SortOrder
        fileprivate var favourites: [FavouriteSnapshot]
        /// The zones of the stops, without duplicates.
        fileprivate var zones: [Zone]
    }

    public func snapshot(at now: Instant) -> Snapshot {
        var zones: [Zone] = []
        let states = (favourites + inactive).map { favourite in
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
            overviewSort: overviewSort, favourites: states, zones: zones)
    }

    /// Restores a snapshot of a board with this or another setup: the state of the favourites that still exist, and the
    /// page in view if it still exists.
    mutating func restore(_ snapshot: Snapshot, reading: CorrectedClock.Reading, at now: Instant) {
        // An instant in the future means a different clock: the snapshot is unusable.
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
        // Attributions are shown at a cold start; they must not delay restored departures.
        if !snapshot.favourites.isEmpty { view.splashUntil = nil }
    }
}

extension FavouriteState {
    fileprivate mutating func restore(_ snapshot: Board.Snapshot) {
        guard let state = snapshot.favourites.first(where: { $0.stop == favourite.stop }) else { return }
        let zone = state.zone.flatMap { snapshot.zones.indices.contains($0) ? snapshot.zones[$0] : nil }
        restore(state, zone: zone)
    }
}

extension Board.Snapshot {
    /// The snapshot in pieces that can be encoded one by one, which limits memory: one without favourites, then one for
    /// each favourite.
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

    /// Joins the pieces of a snapshot; nil when there are none.
    public init?(pieces: [Board.Snapshot]) {
        guard let first = pieces.first else { return nil }
        self = first
        favourites = pieces.flatMap(\.favourites)
    }
}

/// The state of one favourite in a snapshot.
struct FavouriteSnapshot: Hashable, Sendable, Codable {
    let stop: StopID
    let name: String?
    let letter: String?
    /// The index of the stop's zone in the snapshot's zones.
    let zone: Int?
    let rows: [DepartureRow]
    let alerts: [Alert]
    /// Nil in snapshots of earlier versions.
    let isWithheld: Bool?
    let next: NextDeparture?
    let timetableEndsAt: Timestamp?
    let status: FeedStatus
    let lastResponseAt: Instant
    let hasResponded: Bool
    let freezeDetector: FreezeDetector
    /// The order in effect, chosen by a press.
    let sort: SortOrder
    /// The configured order at the time of the snapshot.
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

// Custom decoding adds range checks: invalid values would trap where they are used, at every start again.

extension Board.Snapshot {
    /// - Throws: `DecodingError` for values that no board can have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        formatVersion = try container.decode(Int.self, forKey: .formatVersion)
        taken = try container.decode(Instant.self, forKey: .taken)
        clock = try container.decode(CorrectedClock.self, forKey: .clock)
        page = try container.decode(Page.self, forKey: .page)
        screen = try container.decode(Int.self, forKey: .screen)
        lastPress = try container.decodeIfPresent(Instant.self, forKey: .lastPress)
        overviewSort = try container.decode(SortOrder.self, forKey: .overviewSort)
        favourites = try container.decode([FavouriteSnapshot].self, forKey: .favourites)
        zones = try container.decode([Zone].self, forKey: .zones)
        guard Self.screens.contains(screen) else { throw DecodingError.invalid("screen out of range", in: decoder) }
        guard favourites.allSatisfy(\.status.isValid) else {
            throw DecodingError.invalid("invalid feed status", in: decoder)
        }
    }
}

extension Board.Event {
    /// Whether the event may change the snapshot; changes that depend only on time are computed after a restore.
    var changesSnapshot: Bool {
        switch self {
        case .polled, .detailsFetched, .configured, .gesture: true
        case .button(let change): !change.isDown
        case .failed(_, let failure): failure.cached != nil
        case .faultyConfiguration, .detailsFailed, .clock, .date, .refresh, .woke: false
        }
    }
}
