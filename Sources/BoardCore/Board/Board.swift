/// The state of the board, as one value.
///
/// It changes only in ``handle(_:at:)``; ``render(at:)`` computes the frame from it. It does no I/O and reads no clock:
/// instants arrive with the events, requests leave as commands.
public struct Board: Sendable {
    public struct Setup: Sendable {
        public var options: BoardOptions
        /// The favourites, in the order of the board.
        public var favourites: [Favourite]
        /// What the gestures of each button do; never empty. Without a button, clients' requests press the first.
        public let buttons: [ButtonBinding]
        public var profiles: [FeedName: FeedProfile]
        public var size: DisplaySize
        /// Whether the display draws ``Frame/doubled`` texts: a departure then has two rows.
        public var hasDoubleSize: Bool
        /// This machine's zone, for a board whose stops have no zone or clocks that differ.
        public var zone: Zone
        /// The stops in the stop directory, for their names before the first response.
        public var directoryStops: [StopID: Stop]
        /// A fault of settings in whose place others hold.
        public var fault: FilePosition?
        /// Whether a person at the display may open the set-up by phone.
        public var allowsSetup: Bool

        public init(
            options: BoardOptions = BoardOptions(), favourites: [Favourite],
            buttons: [ButtonBinding] = [ButtonBinding()],
            profiles: [FeedName: FeedProfile], size: DisplaySize, hasDoubleSize: Bool = false, zone: Zone,
            directoryStops: [StopID: Stop] = [:], fault: FilePosition? = nil, allowsSetup: Bool = false
        ) {
            self.options = options
            self.favourites = favourites
            self.buttons = buttons.isEmpty ? [ButtonBinding()] : buttons
            self.profiles = profiles
            self.size = size
            self.hasDoubleSize = hasDoubleSize
            self.zone = zone
            self.directoryStops = directoryStops
            self.fault = fault
            self.allowsSetup = allowsSetup
        }
    }

    public enum Event: Sendable {
        case configured(Setup)
        /// A new configuration is invalid; the position is that of its first fault.
        case faultyConfiguration(FilePosition)
        case polled(FeedResponse)
        case failed(StopID, FeedError)
        /// The operator returned details of a departure's trip; nil: nothing beyond the departure.
        case detailsFetched(Departure, TripDetails?)
        case detailsFailed(Departure, FeedError)
        case clock(CorrectedClock.Reading)
        /// The machine's name and address on its network, for a board without favourites.
        case machine(String)
        /// The page that the daemon serves is on, at this address; nil: it is off.
        case page(PageAddress?)
        /// A phone asks to be paired: the board shows the six-digit code until then.
        case pairing(code: String, until: Instant)
        /// The phone is paired, or its request has ended without pairing.
        case pairingEnded(isPaired: Bool)
        /// The set-up by phone is open: the board shows the address of its page.
        case setupOpened
        case date(DateSample)
        case button(ButtonChange)
        /// A gesture was made remotely.
        case gesture(Gesture, ButtonID)
        /// A refresh of all stops was requested remotely.
        case refresh
        /// A page was requested remotely: a stop's; nil: the overview.
        case show(StopID?)
        case light(LightMode)
        /// A message was sent remotely: printable text, shown until a press or for this long.
        case message(String, Duration)
        /// A viewer's request to an operator was sent, outside the poll plan.
        case looked(FeedName)
        /// What is wrong with the fleet; nil: nothing.
        case fleetFault(FleetFault?)
        /// The queries of other boards that this board polls for them.
        case others([PollQuery])
        /// A request for other boards has ended: the number of HTTP requests and the age of the data, or the failure.
        case polledForOthers(DepartureQuery, Result<(requests: Int, age: Duration), FeedError>)
        /// The instant of ``nextWake(showing:after:)``, or any other.
        case woke
    }

    /// An action for the daemon.
    public enum Command: Hashable, Sendable {
        /// Send the request; report ``Event/polled(_:)`` or ``Event/failed(_:_:)``.
        case poll(FeedRequest)
        /// Send the request for other boards; report ``Event/polledForOthers(_:_:)``.
        case pollForOthers(FeedRequest)
        /// Fetch the trip details; report ``Event/detailsFetched(_:_:)`` or ``Event/detailsFailed(_:_:)``.
        case fetchDetails(Departure)
        /// Store ``snapshot(at:)`` for the next start of the program: its content has changed.
        case saveSnapshot
        /// A person pressed a button while the digits were on the display: reject the phone.
        case declinePairing
        /// A person held a button for so long: open the set-up by phone, and report ``Event/setupOpened``.
        case openSetup
        /// A person made a gesture on a button of this machine. Remote gestures are not reported.
        case gestureRecognised(Gesture, ButtonID)
    }

    static let splash = Duration.seconds(2)
    /// How long the position is shown after a press, and on one or two rows the name after a change of the stop.
    static let announcement = Drawing.beat
    /// From a press to the end of the hint, which follows the announcement.
    static let hint = announcement + Drawing.beat

    var setup: Setup
    private(set) var words: Words
    private(set) var streetNames: StreetNames
    var clock: CorrectedClock
    /// The favourites on the board, in order.
    var favourites: [FavouriteState] = []
    /// The favourites outside their hours; only name and sort order are retained.
    var inactive: [FavouriteState] = []
    var plan: PollPlan
    /// The queries of other boards that this board polls for them.
    var others: [PollQuery] = []
    var view: View
    var recognisers: [GestureRecogniser] = []
    var configurationFault: FilePosition?
    var fleetFault: FleetFault?
    var machine = ""
    /// Nil: the page is off.
    var page: PageAddress?
    /// Whether to show the address for a while once it is known.
    var introducesAddress = true
    var pairing: Pairing?
    /// The digits that a person last declined: they are not shown again.
    var declinedCode: String?
    var light = LightMode.auto
    /// A client's message in view.
    var message: RemoteMessage?
    /// The buttons whose last press was made remotely.
    var remoteButtons: Set<Int> = []
    /// The gestures since the last commands.
    var recognised: [Command] = []
    /// The presses since the start that showed the hint.
    var hints = 0
    /// Whether a button has ever been held, so that the hint is no longer needed.
    var hasBeenHeld: Bool

    /// - Parameters:
    ///   - seed: seeds the jitter between polls; any number, different on each machine.
    ///   - hasBeenHeld: whether a person has ever held a button of this machine.
    public init(
        _ setup: Setup, reading: CorrectedClock.Reading, seed: UInt64, restoring snapshot: Snapshot? = nil,
        hasBeenHeld: Bool = false, at now: Instant
    ) {
        self.hasBeenHeld = hasBeenHeld
        self.setup = setup
        words = setup.options.language.words
        streetNames = setup.options.language.streetNames
        clock = CorrectedClock(reading, at: now)
        plan = PollPlan(seed: seed)
        view = View(page: .overview, at: now)
        configure(setup, at: now)
        view = View(page: home, at: now)
        view.splashUntil = now + Self.splash
        if let snapshot { restore(snapshot, reading: reading, at: now) }
    }

    public mutating func handle(_ event: Event, at now: Instant) -> [Command] {
        advance(to: now)
        var commands: [Command] = []
        switch event {
        case .configured(let setup): configure(setup, at: now)
        case .faultyConfiguration(let place): configurationFault = place
        case .polled(let response): take(response, at: now)
        case .failed(let stop, let failure): take(failure, of: stop, at: now)
        case .detailsFetched(let departure, let details):
            for index in favourites.indices where favourites[index].favourite.stop == departure.stop {
                favourites[index].detailPage?.take(details?.cappedMadeAt(by: clock.timestamp(at: now)), of: departure)
            }
        case .detailsFailed(let departure, let failure):
            plan.detailsFailed(of: departure.stop.feed, failure, at: now)
            for index in favourites.indices where favourites[index].favourite.stop == departure.stop {
                favourites[index].detailPage?.take(failure, of: departure)
            }
        case .clock(let reading): clock.read(reading, at: now)
        case .machine(let text): machine = text
        case .page(let page): take(page, at: now)
        case .pairing(let code, let until): requestPairing(code: code, until: until)
        case .pairingEnded(let isPaired): endPairing(isPaired: isPaired, at: now)
        case .setupOpened:
            wake(at: now)
            if !favourites.isEmpty { view.addressUntil = now + Self.setupIntroduction }
        case .date(let sample): clock.take(sample)
        case .button(let change) where pairing?.isRequested == true: commands = declinePairing(change, at: now)
        case .button(let change): take(change, at: now)
        case .gesture where pairing?.isRequested == true:
            // Only a person at the display may decline.
            break
        case .gesture(let gesture, let button): take(gesture, of: button, at: now)
        case .refresh:
            for favourite in favourites { plan.pollSoon(favourite.favourite.stop, evenIfFresh: true, at: now) }
        case .show(let stop): show(stop, at: now)
        case .light(let mode): setLight(mode)
        case .message(let text, let duration): show(text, for: duration, at: now)
        case .looked(let feed): plan.looked(at: feed, at: now)
        case .fleetFault(let fault): fleetFault = fault
        case .others(let queries):
            others = queries
            configurePlan(at: now)
        case .polledForOthers(let query, .success((let requests, let age))):
            plan.polled(query.stop, for: query, requests: requests, age: age, at: now)
        case .polledForOthers(let query, .failure(let failure)): plan.failed(query.stop, for: query, failure, at: now)
        case .woke: break
        }
        closeExpiredPages(at: now)
        plan.isQuiet = isDark(at: now)
        plan.inView = stopsInView
        commands += recognised + plan.take(at: now).map { plan.isForOthers($0) ? .pollForOthers($0) : .poll($0) }
        recognised = []
        return commands + fetchDetails(at: now) + (event.changesSnapshot ? [.saveSnapshot] : [])
    }

    /// The next instant at which the daemon must send ``Event/woke`` while `rendered`, drawn at `now`, is on the
    /// display.
    public func nextWake(showing rendered: RenderedFrame, after now: Instant) -> Instant? {
        let gestures = recognisers.compactMap { $0.deadline(after: now) }
        let others = [rendered.until, plan.nextDue(at: now), nextStep(after: now)]
        return (gestures + others.compactMap { $0 }).min().map { max($0, now) }
    }

    private mutating func configure(_ setup: Setup, at now: Instant) {
        let isAtHome = isAtHome
        if setup.options.language != self.setup.options.language {
            words = setup.options.language.words
            streetNames = setup.options.language.streetNames
        }
        // A button that is held meanwhile stays held, as after a change of favourites by a phone.
        if setup.buttons != self.setup.buttons || recognisers.isEmpty {
            recognisers = setup.buttons.map { _ in GestureRecogniser() }
        }
        self.setup = setup
        configurationFault = setup.fault
        if setup.favourites.contains(where: { $0.walk != nil }) {
            // A board counts in one way: with a walk to one stop, all others are at the door.
            for index in setup.favourites.indices {
                self.setup.favourites[index].walk = setup.favourites[index].walk ?? .zero
            }
        }
        let old = allStates(at: now)
        favourites = self.setup.favourites.map { favourite in
            let state = old.first { $0.favourite.stop == favourite.stop }
            return state?.configured(favourite, at: now)
                ?? FavouriteState(favourite, directoryStop: setup.directoryStops[favourite.stop], at: now)
        }
        inactive = []
        applyHours(isAtHome: isAtHome, at: now)
    }

    /// Whether the board is on its home page and no press has turned the page since.
    var isAtHome: Bool { view.page == home && view.lastPress == nil }

    /// Moves favourites on and off the board by their hours. One that returns starts empty: its data is hours old.
    /// A board that was at home before the change follows its home page.
    mutating func applyHours(isAtHome: Bool, at now: Instant) {
        let all = allStates(at: now)
        let order = setup.favourites.compactMap { favourite in all.first { $0.favourite.stop == favourite.stop } }
        favourites = order.filter { isOnBoard($0.favourite, at: now) }
        inactive = order.filter { !isOnBoard($0.favourite, at: now) }.map { $0.cleared(at: now) }
        configurePlan(at: now)
        if !pages.contains(view.page) {
            view = View(page: home, at: now)
            undoPresses()
        } else if isAtHome, view.page != home {
            // The home page has changed: a newly added or moved first favourite is shown at once.
            view.turn(to: home, at: now)
        }
    }

    private mutating func configurePlan(at now: Instant) {
        plan.configure(favourites.map(\.favourite.request), others: others, profiles: setup.profiles, at: now)
    }

    /// The requests of the stops on the board, and how often each is polled.
    public var queries: [PollQuery] { plan.queries }

    public var time: CorrectedClock { clock }

    /// The states of all favourites; those of inactive ones start now.
    private func allStates(at now: Instant) -> [FavouriteState] {
        favourites + inactive.map { $0.cleared(at: now) }
    }

    /// Whether a favourite's hours include `now`; always true while the time is uncertain.
    func isOnBoard(_ favourite: Favourite, at now: Instant) -> Bool {
        favourite.when.isEmpty || clock.isUncertain || isWithin(favourite.when, at: now)
    }

    /// The age from which a feed's estimate is stale.
    func staleAfter(_ feed: FeedName) -> Duration { (setup.profiles[feed]?.expiry ?? ExpiryPolicy()).staleAfter }

    private mutating func take(_ response: FeedResponse, at now: Instant) {
        guard let index = favourites.firstIndex(where: { $0.favourite.stop == response.stop.id }) else { return }
        if response.departures.isEmpty, response.badRows > 0 {
            // All rows are malformed: this is not "nothing predicted", and must not empty the board.
            let failure = FeedError(
                .unreadable, detail: "all \(response.badRows) departures are malformed", requests: response.requests)
            favourites[index].take(failure, at: now, clock: clock, staleAfter: staleAfter(response.stop.id.feed))
            plan.failed(response.stop.id, failure, at: now)
            return
        }
        favourites[index].take(response, at: now, clock: clock, staleAfter: staleAfter(response.stop.id.feed))
        plan.polled(response.stop.id, requests: response.requests, age: response.age, at: now)
    }

    private mutating func take(_ failure: FeedError, of stop: StopID, at now: Instant) {
        guard let index = favourites.firstIndex(where: { $0.favourite.stop == stop }) else { return }
        favourites[index].take(failure, at: now, clock: clock, staleAfter: staleAfter(stop.feed))
        plan.failed(stop, failure, at: now)
    }
}
