internal import BoardCore

/// When one operator's list is taken anew: pure policy.
///
/// A list lives a week and up to a day more, so that not all boards of a city ask in the same minute. How old it is says
/// the wall clock, which a Pi has no battery for: it may be put right at any moment, so ``next(at:_:)`` is asked again and
/// again, and its answer holds for as long as the clock does.
struct DirectorySchedule: Hashable, Sendable {
    /// How old a list may become.
    static let life = Duration.seconds(7 * 86_400)
    /// Not all boards of a city ask in the same minute.
    static let jitter = Duration.seconds(86_400)
    /// The first departures come first.
    static let firstWait = Duration.seconds(20)
    /// How long to wait after the first failure; doubled after each more.
    static let retry = Duration.seconds(600)
    /// Somebody who waits for a list waits no longer than this after what kept it away has gone.
    static let longestRetry = Duration.seconds(86_400)
    /// Without a network, or with a clock that refuses every certificate, asking costs nobody anything.
    static let offlineRetry = Duration.seconds(300)
    /// After somebody else began an update of the same list.
    static let busyRetry = Duration.seconds(60)
    /// How often a clock that cannot be right is looked at again.
    static let clockRetry = Duration.seconds(600)

    /// How an update ended that did not end well.
    enum RetryReason: Hashable, Sendable {
        /// It cannot be tried now, and will be when the network or the time is there.
        case offline
        /// Somebody else updates the same list.
        case busy
        /// It failed.
        case failure
    }

    /// When the list that is kept was complete; nil: there is none.
    var completed: Timestamp?
    /// Updates that failed, one after the other.
    private(set) var failures = 0
    private let delay: Duration
    private var earliest: Instant
    private var isRequested = false

    /// The schedule of a daemon that starts.
    ///
    /// - Parameter share: this board's share of the jitter, from 0 to 1.
    init(from now: Instant, share: Double) {
        delay = .microseconds(Int64((Double(Self.jitter.wholeMicroseconds) * min(max(share, 0), 1)).rounded()))
        earliest = now + Self.firstWait
    }

    /// When the next update begins.
    func next(at now: Instant, _ reading: CorrectedClock.Reading) -> Instant {
        if isRequested { return now }
        guard let completed else { return max(now, earliest) }
        let age = reading.wall - completed
        if age < .zero {
            // A list of the future: while nobody vouches for the clock it is the clock that is wrong; otherwise the list
            // was made by a wrong one, and nobody knows how old it is.
            return reading.isSynchronised ? max(now, earliest) : max(now + Self.clockRetry, earliest)
        }
        return max(now + max(.zero, Self.life + delay - age), earliest)
    }

    /// Somebody wants it now.
    mutating func requestNow() {
        isRequested = true
    }

    /// It begins.
    mutating func begin() {
        isRequested = false
    }

    /// The list was taken.
    mutating func succeeded(at now: Instant, completed: Timestamp) {
        failures = 0
        self.completed = completed
        earliest = now
    }

    /// The list was not taken.
    mutating func stopped(at now: Instant, by retryReason: RetryReason) {
        switch retryReason {
        case .offline: earliest = now + Self.offlineRetry
        case .busy: earliest = now + Self.busyRetry
        case .failure:
            // Ten doublings are more than the longest wait.
            earliest = now + min(Self.retry * (1 << min(failures, 10)), Self.longestRetry)
            failures += 1
        }
    }

    /// The list that was kept is gone: a new one is wanted soon.
    mutating func removed(at now: Instant) {
        completed = nil
        earliest = min(earliest, now + Self.firstWait)
    }
}

extension FeedFailure {
    /// What kind of setback it is for a list.
    func retryReason(_ reading: CorrectedClock.Reading) -> DirectorySchedule.RetryReason {
        switch kind {
        case .noNetwork: .offline
        // With a clock years off TLS refuses every certificate by date.
        case .certificateDate: reading.isSynchronised ? .failure : .offline
        default: .failure
        }
    }
}
