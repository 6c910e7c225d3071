import BoardCore
import BoardStore

/// A board's part in a shared list: values in, actions out.
///
/// The caller reports every event with its time, and then executes ``actions(at:)`` in order, until there are none;
/// again at ``nextDeadline``, and when the time becomes certain:
/// - ``loaded(_:at:)`` with the entries of favourites.toml: at the start, after valid reloads, and after every `write`;
/// - ``connected(at:)`` when the subscription to ``FleetTopic/list(_:)`` is acknowledged, and ``disconnected()``;
/// - ``received(_:isRetained:at:)`` for each message of the topic, including the board's own;
/// - ``writeFailed(_:at:)`` if `write` failed; after ``FavouritesError/outdated(file:)``, ``loaded(_:at:)`` with the
///   entries of the file instead.
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
        /// Both the list and this board have favourites: waits for ``SharedListState/join(_:at:)``.
        case waiting
        case member
    }

    /// How long the broker has to send its retained copy after the subscription.
    static let retainedCopyTime = Duration.seconds(5)
    /// The maximum wait of a board before it publishes what it merged.
    static let publishDelay = Duration.seconds(2)
    /// How long the fault stays after the last stamp that was ahead of the clock.
    static let aheadPeriod = Duration.seconds(3_600)
    /// The wait after a failed write.
    static let writeRetryDelay = Duration.seconds(60)

    let name: FleetName
    var membership: Membership
    /// The merged list; for a board that is not a member, the received list.
    var list: SharedList {
        didSet { isChecked = false }
    }
    /// The shared favourites of the file, as last loaded.
    var favourites: [Favourite]

    var clock: HybridClock
    let random: @Sendable (Duration) -> Duration
    let problem: @Sendable (Favourite) -> String?
    var faultTexts: [Fault: String] = [:]
    /// When a stamp ahead of the clock was last received.
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
    /// Whether ``accepted`` and the faults match the list.
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
    /// Of fleet.json and favourites.toml.
    var pace = WritePace()

    /// The last write that ``actions(at:)`` returned.
    var lastWrite: Action?
    var isWriting = false
    var retryTime: Instant?

    /// - Parameters:
    ///   - stored: the content of fleet.json; nil, or of another list: the board is not a member.
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

    /// Makes favourites.toml match the list.
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
        // Before favourites.toml: after a power failure between the two, another board's change would count as this
        // board's.
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
        // No other board has it, so there is no reason to wait.
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
                "list/\(name): a message is not used: the list would have more than \(SharedList.maximumMergedCount) stops"
            )
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
        reports.append("list \(name): changes with times ahead of the synchronised clock were given the current time")
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
