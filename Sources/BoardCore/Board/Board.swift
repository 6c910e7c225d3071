/// All that the board knows, as one value.
///
/// It changes only in ``handle(_:at:)``; what a person sees is computed from it by ``render(at:)``. It reads no clock
/// and asks nobody: instants come in with the events, questions go out as commands.
public struct Board: Sendable {
    /// What the board is made for.
    public struct Setup: Sendable {
        /// What a person chose for the whole board.
        public var options: BoardOptions
        /// The favourites, in the order of the board.
        public var favourites: [Favourite]
        /// What each button does.
        public var buttons: [ButtonBinding]
        /// What the feeds declare of themselves.
        public var profiles: [FeedName: FeedProfile]
        /// The panel's size.
        public var size: Panel.Size
        /// The zone of the clock on the glass: this machine's.
        public var zone: Zone
        /// What the stop directory says of the favourites, so that a stop has its name before its operator was asked.
        public var directoryStops: [StopID: Stop]

        /// A setup.
        public init(
            options: BoardOptions = BoardOptions(), favourites: [Favourite],
            buttons: [ButtonBinding] = [ButtonBinding()],
            profiles: [FeedName: FeedProfile], size: Panel.Size, zone: Zone, directoryStops: [StopID: Stop] = [:]
        ) {
            self.options = options
            self.favourites = favourites
            self.buttons = buttons
            self.profiles = profiles
            self.size = size
            self.zone = zone
            self.directoryStops = directoryStops
        }
    }

    /// What happens to a board.
    public enum Event: Sendable {
        /// A new configuration was read.
        case configured(Setup)
        /// A new configuration was read and cannot be used: where its first fault is.
        case faultyConfiguration(FilePosition)
        /// An operator answered.
        case polled(FeedResponse)
        /// A question failed.
        case failed(StopID, FeedFailure)
        /// An operator told of the run of a departure; nil: no more than the departure says.
        case detailsFetched(Departure, TripDetails?)
        /// A question about the run of a departure failed.
        case detailsFailed(Departure, FeedFailure)
        /// The wall clock was read.
        case clock(CorrectedClock.Reading)
        /// A response brought a `Date`.
        case date(DateSample)
        /// A button went down or came up.
        case button(ButtonChange)
        /// Somebody elsewhere asks for what a gesture of a button means.
        case gesture(Gesture, ButtonID)
        /// Somebody elsewhere asks for new answers of all stops.
        case refresh
        /// The instant came that the board asked to be woken at, or any other.
        case woke
    }

    /// What the board wants to be done.
    public enum Command: Hashable, Sendable {
        /// Ask this; answer with ``Event/answered(_:)`` or ``Event/failed(_:_:)``.
        case poll(FeedRequest)
        /// Ask about this run; answer with ``Event/followed(_:_:)`` or ``Event/followFailed(_:_:)``.
        case fetchDetails(Departure)
        /// Keep ``snapshot(at:)`` where it outlives the program: what it holds has changed.
        case saveSnapshot
    }

    /// Attributions are shown this long at start.
    static let splash = Duration.seconds(2)
    /// A change of page, or the acknowledgement of a press, is shown this long.
    static let announcement = Duration.seconds(2)
    /// The hint stays this long.
    static let hint = Duration.seconds(3)

    /// What the board is made for.
    var setup: Setup
    /// What time it is.
    var clock: CorrectedClock
    /// The favourites that are on the board now, in order.
    var favourites: [FavouriteState] = []
    /// Those whose hours it is not: of them only what they are called and the order that was chosen is known.
    var inactive: [FavouriteState] = []
    /// The order of the overview's entries within a row.
    var overviewSort = SortOrder.time
    /// When to ask whom.
    var plan: PollPlan
    /// What a person looks at.
    var view: View
    /// The buttons' presses under way.
    var recognisers: [GestureRecogniser] = []
    /// Where the newest configuration's first fault is, if it has one.
    var configurationFault: FilePosition?

    /// A board that begins at `now`.
    ///
    /// - Parameters:
    ///   - setup: what it is made for.
    ///   - reading: the wall clock at `now`.
    ///   - seed: of the jitter between polls; any number, another one on each machine.
    ///   - snapshot: what was kept of the board before the program was started again; nil: nothing.
    public init(
        _ setup: Setup, reading: CorrectedClock.Reading, seed: UInt64, restoring snapshot: Snapshot? = nil,
        at now: Instant
    ) {
        self.setup = setup
        clock = CorrectedClock(reading, at: now)
        plan = PollPlan(seed: seed)
        view = View(page: .overview, at: now)
        configure(setup, at: now)
        view = View(page: home, at: now)
        view.splashUntil = now + Self.splash
        if let snapshot { restore(snapshot, reading: reading, at: now) }
    }

    /// Takes in what happened.
    ///
    /// - Returns: what is to be done about it.
    public mutating func handle(_ event: Event, at now: Instant) -> [Command] {
        advance(to: now)
        switch event {
        case .configured(let setup):
            configurationFault = nil
            configure(setup, at: now)
        case .faultyConfiguration(let place):
            configurationFault = place
        case .polled(let answer):
            take(answer, at: now)
        case .failed(let stop, let failure):
            take(failure, of: stop, at: now)
        case .detailsFetched(let departure, let details):
            for index in favourites.indices where favourites[index].favourite.stop == departure.stop {
                favourites[index].detailPage?.take(details?.cappedMadeAt(by: clock.timestamp(at: now)), of: departure)
            }
        case .detailsFailed(let departure, let failure):
            plan.detailsFailed(of: departure.stop.feed, failure, at: now)
            for index in favourites.indices where favourites[index].favourite.stop == departure.stop {
                favourites[index].detailPage?.take(failure, of: departure)
            }
        case .clock(let reading):
            clock.read(reading, at: now)
        case .date(let sample):
            clock.take(sample)
        case .button(let change):
            take(change, at: now)
        case .gesture(let gesture, let button):
            take(gesture, of: button, at: now)
        case .refresh:
            for favourite in favourites { plan.pollSoon(favourite.favourite.stop, evenIfFresh: true, at: now) }
        case .woke:
            break
        }
        plan.isQuiet = isDark(at: now)
        plan.inView = stopsInView
        let questions: [Command] = plan.take(at: now).map(Command.poll)
        return questions + fetchDetails(at: now) + (event.changesSnapshot ? [.saveSnapshot] : [])
    }

    /// The next instant at which the board wants to be woken while `picture`, drawn at `now`, is on the glass.
    public func nextWake(showing picture: RenderedFrame, after now: Instant) -> Instant? {
        let gestures = recognisers.compactMap { $0.deadline(after: now) }
        let others = [picture.until, plan.nextDue(at: now), nextStep(after: now)]
        return (gestures + others.compactMap { $0 }).min().map { max($0, now) }
    }

    private mutating func configure(_ setup: Setup, at now: Instant) {
        let isAtHome = isAtHome
        self.setup = setup
        let old = known(at: now)
        favourites = setup.favourites.map { favourite in
            let state = old.first { $0.favourite.stop == favourite.stop }
            return state?.configured(favourite, at: now)
                ?? FavouriteState(favourite, directoryStop: setup.directoryStops[favourite.stop], at: now)
        }
        inactive = []
        recognisers = setup.buttons.map { _ in GestureRecogniser() }
        applyHours(isAtHome: isAtHome, at: now)
    }

    /// Whether nobody has turned the page since it came home, or since the start.
    var isAtHome: Bool { view.page == home && view.lastPress == nil }

    /// Puts those favourites on the board whose hours it is, and takes the others off. One that comes back begins anew: what
    /// it knew is of hours ago.
    ///
    /// - Parameter isAtHome: whether the board was at home before anything changed; it follows its home then.
    mutating func applyHours(isAtHome: Bool, at now: Instant) {
        let all = known(at: now)
        let order = setup.favourites.compactMap { favourite in all.first { $0.favourite.stop == favourite.stop } }
        favourites = order.filter { isOnBoard($0.favourite, at: now) }
        inactive = order.filter { !isOnBoard($0.favourite, at: now) }.map { $0.cleared(at: now) }
        plan.configure(favourites.map(\.favourite.request), profiles: setup.profiles, at: now)
        if !pages.contains(view.page) {
            view = View(page: home, at: now)
        } else if isAtHome, view.page != home {
            // Home is elsewhere now: who adds the first favourite, or puts another one first, sees it.
            view.turn(to: home, at: now)
        }
    }

    /// What is known of every favourite; of those that rest it begins to be now.
    private func known(at now: Instant) -> [FavouriteState] {
        favourites + inactive.map { $0.cleared(at: now) }
    }

    /// Whether it is a favourite's hour; while nobody vouches for the time it is everybody's.
    func isOnBoard(_ favourite: Favourite, at now: Instant) -> Bool {
        guard !favourite.when.isEmpty, !clock.isUncertain else { return true }
        let time = setup.zone.timeOfDay(at: clock.timestamp(at: now))
        return favourite.when.contains { $0.covers(minute: time.minute, weekday: time.weekday) }
    }

    private mutating func take(_ answer: FeedResponse, at now: Instant) {
        guard let index = favourites.firstIndex(where: { $0.favourite.stop == answer.stop.id }) else { return }
        if answer.departures.isEmpty, answer.badRows > 0 {
            // Rows came and none could be read: that is not "nothing predicted", and must not empty the board.
            let failure = FeedFailure(.unreadable, detail: "no row could be read", requests: answer.requests)
            favourites[index].take(failure, at: now, clock: clock)
            plan.failed(answer.stop.id, failure, at: now)
            return
        }
        favourites[index].take(answer, at: now, clock: clock)
        plan.polled(answer.stop.id, requests: answer.requests, age: answer.age, at: now)
    }

    private mutating func take(_ failure: FeedFailure, of stop: StopID, at now: Instant) {
        guard let index = favourites.firstIndex(where: { $0.favourite.stop == stop }) else { return }
        favourites[index].take(failure, at: now, clock: clock)
        plan.failed(stop, failure, at: now)
    }
}
