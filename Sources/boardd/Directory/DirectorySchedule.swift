import BoardCore

/// When one operator's list is downloaded again: pure policy.
///
/// A list is valid for a week and up to a day more, so that the boards of a city do not all send requests in the same
/// minute. Its age depends on the system clock, which on a Pi without a battery may jump at any moment, so call
/// ``next(at:_:)`` again and again: its result holds only until the clock changes.
struct DirectorySchedule: Hashable, Sendable {
    /// How old a list may become.
    static let maximumAge = Duration.seconds(7 * 86_400)
    /// Spreads the boards of a city.
    static let jitter = Duration.seconds(86_400)
    /// Leaves the network to the first departures.
    static let firstWait = Duration.seconds(20)
    static let backoff = Backoff(from: .seconds(600), upTo: .seconds(86_400))
    /// Without a network, or with a clock that makes every certificate invalid, a retry costs nothing.
    static let offlineRetry = Duration.seconds(300)
    /// While another process updates the same list.
    static let busyRetry = Duration.seconds(60)
    /// How often an impossible clock is checked again.
    static let clockRetry = Duration.seconds(600)

    /// Why an update did not succeed.
    enum RetryReason: Hashable, Sendable {
        /// No network or no valid time: it cannot be tried now.
        case offline
        /// Another process updates the same list.
        case busy
        case failure
    }

    /// When the stored list was completed; nil: there is none.
    var completed: Timestamp?
    /// Failed updates in a row.
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

    func next(at now: Instant, _ reading: CorrectedClock.Reading) -> Instant {
        if isRequested { return now }
        guard let completed else { return max(now, earliest) }
        let age = reading.wall - completed
        if age < .zero {
            // The list has a date in the future. An unsynchronised clock is wrong itself; otherwise a wrong clock dated
            // the list, and its age is unknown.
            return reading.isSynchronised ? max(now, earliest) : max(now + Self.clockRetry, earliest)
        }
        return max(now + max(.zero, Self.maximumAge + delay - age), earliest)
    }

    mutating func requestNow() {
        isRequested = true
    }

    mutating func begin() {
        isRequested = false
    }

    mutating func succeeded(at now: Instant, completed: Timestamp) {
        failures = 0
        self.completed = completed
        earliest = now
    }

    mutating func stopped(at now: Instant, by retryReason: RetryReason) {
        switch retryReason {
        case .offline: earliest = now + Self.offlineRetry
        case .busy: earliest = now + Self.busyRetry
        case .failure:
            failures += 1
            earliest = now + Self.backoff.wait(afterFailures: failures)
        }
    }

    /// The stored list is gone: a new one is due soon.
    mutating func removed(at now: Instant) {
        completed = nil
        earliest = min(earliest, now + Self.firstWait)
    }
}

extension FeedError {
    /// How an update treats this failure.
    func retryReason(_ reading: CorrectedClock.Reading) -> DirectorySchedule.RetryReason {
        switch kind {
        case .noNetwork: .offline
        // With a clock years off, TLS rejects every certificate by date.
        case .certificateDate: reading.isSynchronised ? .failure : .offline
        default: .failure
        }
    }
}
