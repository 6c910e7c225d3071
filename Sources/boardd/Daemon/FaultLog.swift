internal import BoardCore
internal import Logging

/// Says in the log when an operator begins to fail and when it has recovered, and nothing in between: an SD card dies
/// of writing.
struct FaultLog {
    /// What only a person can mend: said once each, until it is mended.
    private enum PersistentFault: Hashable {
        case key(FeedName)
        case stop(StopID)
        /// What single runs are asked for, which may have a key and an address of its own.
        case runs(FeedName)
    }

    /// A lost answer or two are the network's daily life.
    private static let saidAfter = 3

    private let log: RateLimitedLog
    /// Lost answers in a row.
    private var lost: [StopID: Int] = [:]
    private var detailFailures: [FeedName: Int] = [:]
    private var outages: Set<FeedName> = []
    private var refusals: Set<PersistentFault> = []
    private var loggedBadRows: Set<StopID> = []
    /// Answers in a row of which a part was missing.
    private var partial: [StopID: Int] = [:]
    /// Operators of which that was said, and those that have told all of it once.
    private var gaps: Set<FeedName> = []
    private var whole: Set<FeedName> = []

    init(_ log: RateLimitedLog) {
        self.log = log
    }

    /// An operator answered.
    mutating func succeeded(_ answer: FeedResponse, by profile: FeedProfile, at now: Instant) {
        let stop = answer.stop.id
        lost[stop] = nil
        if refusals.remove(.stop(stop)) != nil { log.log(.notice, "\(profile.title) knows \(stop) now", at: now) }
        if refusals.remove(.key(stop.feed)) != nil {
            log.log(.notice, "\(profile.title) does not refuse the key any more", at: now)
        }
        if outages.contains(stop.feed), !lost.contains(where: { $0.key.feed == stop.feed }) {
            outages.remove(stop.feed)
            log.log(.notice, "\(profile.title) answers again", at: now)
        }
        if answer.badRows > 0, loggedBadRows.insert(stop).inserted {
            log.log(
                .warning,
                "\(profile.title): \(answer.badRows) rows of \(stop) cannot be read and are left out; said once",
                at: now)
        }
        look(for: answer.partialFailure, at: stop, of: profile, at: now)
    }

    /// Says that a part of answers is missing: at once where that never was otherwise, or only a person can mend it.
    private mutating func look(
        for partialFailure: FeedFailure?, at stop: StopID, of profile: FeedProfile, at now: Instant
    ) {
        guard let partialFailure else {
            partial[stop] = nil
            whole.insert(stop.feed)
            guard !partial.contains(where: { $0.key.feed == stop.feed }), gaps.remove(stop.feed) != nil else { return }
            return log.log(.notice, "\(profile.title) tells all of it again", at: now)
        }
        log.debug("\(stop), a part: \(partialFailure.detail)")
        partial[stop, default: 0] += 1
        let isLasting =
            switch partialFailure.kind {
            case .keyMissing, .keyRejected, .unknownStop, .certificate: true
            default: partial[stop, default: 0] >= Self.saidAfter || !whole.contains(stop.feed)
            }
        guard isLasting, gaps.insert(stop.feed).inserted else { return }
        log.log(.warning, "\(profile.title) tells a part alone: \(partialFailure.detail)", at: now)
    }

    /// A question failed.
    mutating func failed(_ stop: StopID, _ failure: FeedFailure, of profile: FeedProfile, at now: Instant) {
        log.debug("\(stop): \(failure.detail)")
        let isNew: Bool
        switch failure.kind {
        case .cancelled: return
        case .keyRejected, .keyMissing: isNew = refusals.insert(.key(stop.feed)).inserted
        case .unknownStop: isNew = refusals.insert(.stop(stop)).inserted
        default:
            lost[stop, default: 0] += 1
            isNew = lost[stop, default: 0] >= Self.saidAfter && outages.insert(stop.feed).inserted
        }
        guard isNew else { return }
        log.log(
            .warning, "\(profile.title): \(failure.detail). It is asked again for as long as it takes.", at: now)
    }

    /// An operator answered a question about a run.
    mutating func detailsSucceeded(by profile: FeedProfile, at now: Instant) {
        detailFailures[profile.name] = nil
        if refusals.remove(.runs(profile.name)) != nil {
            log.log(.notice, "\(profile.title) tells calling points now", at: now)
        }
    }

    /// A question about a run failed.
    mutating func detailsFailed(_ failure: FeedFailure, of profile: FeedProfile, at now: Instant) {
        let feed = profile.name
        log.debug("\(feed), a run: \(failure.detail)")
        switch failure.kind {
        case .cancelled: return
        case .keyRejected, .keyMissing, .unknownStop: break
        default:
            // An outage of the operator is said of its departures.
            detailFailures[feed, default: 0] += 1
            guard detailFailures[feed, default: 0] >= Self.saidAfter, !outages.contains(feed) else { return }
        }
        guard refusals.insert(.runs(feed)).inserted else { return }
        log.log(
            .warning, "\(profile.title): \(failure.detail). Opened pages have no calling points until it is mended.",
            at: now)
    }

    /// A new configuration was read: what other stops lacked is nobody's trouble any more.
    mutating func retain(_ stops: Set<StopID>) {
        lost = lost.filter { stops.contains($0.key) }
        partial = partial.filter { stops.contains($0.key) }
        refusals = refusals.filter { refusal in
            if case .stop(let stop) = refusal { stops.contains(stop) } else { true }
        }
    }
}
