import BoardCore
import BoardStore

/// The part of a board in a shared list: values in, actions out.
///
/// The caller reports every event with its time, and then executes ``actions(at:)`` in order, until there are none; again at
/// ``nextDeadline``, and when the time becomes certain:
/// - ``loaded(_:at:)`` with the entries of favourites.toml: at the start, after every valid reload, and after every `write`;
/// - ``connected(at:)`` when the broker has acknowledged the subscription to ``FleetTopic/list(_:)``, and ``disconnected()``;
/// - ``received(_:isRetained:at:)`` for each message of the topic, also for the board's own;
/// - ``writeFailed(_:at:)`` where `write` failed; after ``FavouritesFailure/outdated(file:)`` instead ``loaded(_:at:)`` with the
///   entries of the file.
struct SharedListState: Sendable {
    enum Action: Hashable, Sendable {
        /// Publish on ``FleetTopic/list(_:)``, retained, with QoS 1 and without an expiry.
        case publish([UInt8])
        /// ``FavouritesEditor/setShared(_:expecting:)``, then ``SharedListState/loaded(_:at:)`` or
        /// ``SharedListState/writeFailed(_:at:)``. Until then nothing is stored.
        case write([Favourite], expecting: [Favourite])
        /// Replace fleet.json.
        case store(StoredSharedList)
        /// Log a sentence.
        case report(String)
    }

    enum Membership: Hashable, Sendable {
        /// Not connected yet, or no list was received yet.
        case undecided
        /// The list and this board have favourites: waits for ``SharedListState/join(_:at:)``.
        case waiting
        case member
    }

    /// How long a broker has for its retained copy after the subscription.
    static let retainedCopyTime = Duration.seconds(5)
    /// The maximum wait of a board before it publishes what it merged.
    static let publishDelay = Duration.seconds(2)
    /// How long after the last stamp ahead of the clock the fault stays.
    static let aheadPeriod = Duration.seconds(3_600)
    /// The wait after a failed write.
    static let writeRetryDelay = Duration.seconds(60)

    let name: FleetName
    var membership: Membership
    /// The merged list; of a board that is not a member, the list that was received.
    var list: SharedList {
        didSet { isChecked = false }
    }
    /// The shared favourites of the file, when it was loaded last.
    var favourites: [Favourite]

    var clock: HybridClock
    let random: @Sendable (Duration) -> Duration
    let problem: @Sendable (Favourite) -> String?
    var faultTexts: [Fault: String] = [:]
    /// When a stamp ahead of the clock was received last.
    var lastAhead: Instant?
    var reports: [String] = []

    var isLoaded = false
    var isConnected = false
    /// Stops of the file with `shared = false`.
    var local: Set<StopID> = [] {
        didSet { isChecked = false }
    }
    /// The favourites of the list that this board's file may contain.
    var accepted: [Favourite] = []
    /// Whether ``accepted`` and the faults are those of the list.
    var isChecked = false
    /// A valid list was received since the connection.
    var isListReceived = false
    /// A message was received since the connection.
    var isAnythingReceived = false
    /// The unreadable message of this connection was replaced.
    var isReplaced = false
    var copyDeadline: Instant?
    var publishTime: Instant?
    var isStorageDue = false
    /// Of fleet.json and of the file of favourites.
    var pace = WritePace()

    /// The write that was returned by `actions(at:)`.
    var lastWrite: Action?
    var isWriting = false
    var retryTime: Instant?

    /// - Parameters:
    ///   - stored: the content of fleet.json; nil, or of another list: the board is no member.
    ///   - problem: why favourites.toml may not contain a favourite: ``FavouritesEditor/problem(with:)``.
    ///   - random: returns a random part of a duration.
    init(
        name: FleetName, board: FleetName, stored: StoredSharedList?,
        problem: @escaping @Sendable (Favourite) -> String?,
        random: @escaping @Sendable (Duration) -> Duration = {
            .microseconds(Int64.random(in: 0...max(0, $0.wholeMicroseconds)))
        }
    ) {
        let stored = stored?.name == name ? stored : nil
        self.name = name
        self.problem = problem
        self.random = random
        membership = stored == nil ? .undecided : .member
        list = stored?.list ?? SharedList()
        favourites = stored?.favourites ?? []
        clock = HybridClock(board: board, latest: list.latest)
    }

    var board: FleetName { clock.board }

    /// When ``actions(at:)`` has the next action, unless an event is reported before; nil: only after an event.
    var nextDeadline: Instant? {
        let writing = (isStorageDue || isWriteDue) && !isWriting ? pace.next : nil
        return [copyDeadline, copyDeadline == nil && isConnected ? publishTime : nil, retryTime, writing]
            .compactMap { $0 }.min()
    }

    /// What makes the file of favourites that of the list.
    var write: Action { .write(accepted, expecting: favourites) }

    var isWriteDue: Bool {
        isLoaded && membership == .member && retryTime == nil && accepted != favourites && write != lastWrite
    }
}

// What the caller does.
extension SharedListState {
    /// The actions that are due; each is returned once.
    mutating func actions(at time: ListTime) -> [Action] {
        restampFuture(at: time)
        if let deadline = copyDeadline, deadline <= time.instant {
            copyDeadline = nil
            decide(at: time)
            if membership == .member { publish(after: random(Self.publishDelay), at: time) }
        }
        if let retry = retryTime, retry <= time.instant { (retryTime, lastWrite) = (nil, nil) }
        check()
        var actions = reports.map(Action.report)
        reports = []
        if isConnected, copyDeadline == nil, let due = publishTime, due <= time.instant {
            publishTime = nil
            if membership == .member, !list.entries.isEmpty { actions.append(.publish(list.payload)) }
        }
        guard isStorageDue || isWriteDue, !isWriting, pace.next.isNilOr({ $0 <= time.instant }) else {
            return actions
        }
        pace.wrote(at: time.instant)
        // Before the file of favourites: after a power failure between the two, a change of another board would count as one of this
        // board.
        if isStorageDue {
            isStorageDue = false
            actions.append(.store(StoredSharedList(name: name, list: list, favourites: favourites)))
        }
        if isWriteDue {
            lastWrite = write
            isWriting = true
            actions.append(write)
        }
        return actions
    }

    mutating func publish(after delay: Duration, at time: ListTime) {
        let due = time.instant + delay
        publishTime = publishTime.map { min($0, due) } ?? due
    }

    mutating func record(from old: [Favourite], to new: [Favourite], at time: ListTime) {
        var changed = list
        changed.record(from: old, to: new, local: local) { clock.next(at: time) }
        guard changed != list else { return }
        list = time.isCertain ? changed.pruned(at: time.timestamp) : changed
        isStorageDue = true
        // No other board has it: no reason to wait.
        publish(after: .zero, at: time)
    }

    mutating func merge(_ copy: SharedList, at time: ListTime) {
        let (current, ahead) = copy.withoutFuture(at: time)
        setAhead(ahead, at: time.instant)
        if let latest = current.latest { clock.observe(latest) }
        let merged = list.merged(with: current).withoutExcessiveRemovals
        guard !merged.isTooLarge || list.isTooLarge else {
            return set(
                .unreadable,
                "list/\(name): a message is not used: with it the list has more than \(SharedList.maximumMergedCount) stops, or "
                    + "\(SharedListFile.maximumFields) values of a stop")
        }
        let new = time.isCertain ? merged.pruned(at: time.timestamp) : merged
        if new != list {
            list = new
            isStorageDue = membership == .member
        }
        decide(at: time)
        guard membership == .member else { return }
        if copy.includes(list.published) {
            publishTime = nil
        } else {
            publish(after: random(Self.publishDelay), at: time)
        }
    }

    mutating func restampFuture(at time: ListTime) {
        guard membership == .member, let latest = list.latest, HybridClock.isAhead(latest, at: time) else { return }
        list.restampFuture(at: time, stamp: clock.next(at: time))
        isStorageDue = true
        publish(after: .zero, at: time)
        reports.append("list \(name): changes with times ahead of the synchronised clock got the time now")
    }

    /// Decides whether the board becomes a member.
    mutating func decide(at time: ListTime) {
        guard isLoaded, membership != .member else { return }
        if isListReceived {
            let listed = list.favourites.filter { !local.contains($0.stop) }
            become(favourites.isEmpty || favourites == listed ? .member : .waiting)
        } else if isConnected, copyDeadline == nil, !isAnythingReceived {
            // The broker has no list.
            become(.member)
            record(from: [], to: favourites, at: time)
        }
    }

    mutating func become(_ membership: Membership) {
        self.membership = membership
        isChecked = false
        isStorageDue = membership == .member
    }
}
