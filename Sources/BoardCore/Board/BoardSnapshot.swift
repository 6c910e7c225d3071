extension Board {
    /// The state that is restored after a restart of the program within the same boot: departures with their own
    /// timestamps, the page and the clock.
    ///
    /// Its instants are those of CLOCK_BOOTTIME, which continues across a restart of the program. The caller stores the
    /// boot identifier with it and restores no snapshot of another boot.
    public struct Snapshot: Hashable, Sendable, Codable {
        /// The format version; a snapshot of another version is not restored.
        static let formatVersion = 7

        private(set) var formatVersion = Self.formatVersion
        fileprivate let taken: Instant
        fileprivate let clock: CorrectedClock
        /// Nil on the home page if no press had turned the page: the restored board follows its home page, which may be
        /// another one.
        fileprivate let page: Page?
        fileprivate let screen: Int
        fileprivate let lastPress: Instant?
        /// Nil: auto.
        fileprivate let light: LightMode?
        /// Whether a person has ever held a button.
        public let hasBeenHeld: Bool
        fileprivate(set) var favourites: [FavouriteSnapshot]
        /// The zones of the stops, without duplicates.
        fileprivate(set) var zones: [Zone]

        /// Whether a board can have these values: others would trap where they are used, at every start.
        var isValid: Bool {
            formatVersion == Self.formatVersion && (0...10_000).contains(screen) && clock.isValid
                && zones.allSatisfy(\.isValid)
                && favourites.allSatisfy { $0.data.rows.allSatisfy { $0.hold?.isValid ?? true } }
        }
    }

    public func snapshot(at now: Instant) -> Snapshot {
        let all = favourites + inactive
        let zones = all.compactMap(\.stop.zone).reduce(into: [Zone]()) { zones, zone in
            if !zones.contains(zone) { zones.append(zone) }
        }
        let states = all.map { favourite in
            FavouriteSnapshot(
                stop: favourite.favourite.stop, name: favourite.stop.name, letter: favourite.stop.letter,
                zone: favourite.stop.zone.flatMap(zones.firstIndex), data: favourite.data)
        }
        return Snapshot(
            taken: now, clock: clock, page: isAtHome ? nil : view.page, screen: view.screen, lastPress: view.lastPress,
            light: light == .auto ? nil : light, hasBeenHeld: hasBeenHeld, favourites: states, zones: zones)
    }

    /// Restores a snapshot of a board with this or another setup: the state of the favourites that still exist, and the
    /// page in view if it still exists.
    mutating func restore(_ snapshot: Snapshot, reading: CorrectedClock.Reading, at now: Instant) {
        // An instant in the future means a different clock: the snapshot is unusable.
        guard snapshot.isValid, snapshot.taken <= now else { return }
        if !reading.isSynchronised {
            clock = snapshot.clock
            clock.read(reading, at: now)
        }
        introducesAddress = false
        for index in favourites.indices { favourites[index].restore(snapshot) }
        for index in inactive.indices { inactive[index].restore(snapshot) }
        applyHours(isAtHome: isAtHome, at: now)
        hasBeenHeld = hasBeenHeld || snapshot.hasBeenHeld
        light = snapshot.light ?? .auto
        if let page = snapshot.page, pages.contains(page) {
            view.turn(to: page, screen: snapshot.screen, at: now)
            view.lastPress = snapshot.lastPress
        } else if snapshot.page != nil {
            undoPresses()
        }
        // Attributions are shown at a cold start; they must not delay restored departures.
        if !snapshot.favourites.isEmpty { view.splashUntil = nil }
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

struct FavouriteSnapshot: Hashable, Sendable, Codable {
    let stop: StopID
    let name: String?
    let letter: String?
    /// The index of the stop's zone in the snapshot's zones.
    let zone: Int?
    let data: StopData
}

extension Board.Event {
    /// Whether the event may change the snapshot; changes that depend only on time are computed after a restore.
    var changesSnapshot: Bool {
        switch self {
        case .polled, .detailsFetched, .configured, .gesture, .show, .light: true
        case .button(let change): !change.isDown
        case .failed(_, let failure): failure.cached != nil
        case .faultyConfiguration, .detailsFailed, .clock, .machine, .page, .pairing, .pairingEnded, .setupOpened,
            .date, .refresh, .looked, .message, .others, .polledForOthers, .fleetFault, .woke:
            false
        }
    }
}
