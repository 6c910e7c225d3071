internal import BoardCore
internal import Logging

/// Says in the log when an operator begins to fail and when it has recovered, and nothing in between: an SD card dies
/// of writing.
struct FaultLog {
    /// What only a person can mend: said once each, until it is mended.
    private enum Refusal: Hashable {
        case key(FeedName)
        case stop(StopID)
    }

    /// A lost answer or two are the network's daily life.
    private static let saidAfter = 3

    private let logger: Logger
    /// Lost answers in a row.
    private var lost: [StopID: Int] = [:]
    private var outages: Set<FeedName> = []
    private var refusals: Set<Refusal> = []
    private var sawBadRows: Set<StopID> = []
    private var limits: [FeedName: DailyLimit] = [:]

    init(logger: Logger) {
        self.logger = logger
    }

    /// An operator answered.
    mutating func answered(_ answer: FeedAnswer, by profile: FeedProfile, at now: Instant) {
        let stop = answer.stop.id
        lost[stop] = nil
        if refusals.remove(.stop(stop)) != nil { say(.notice, "\(profile.title) knows \(stop) now", profile, at: now) }
        if refusals.remove(.key(stop.feed)) != nil {
            say(.notice, "\(profile.title) does not refuse the key any more", profile, at: now)
        }
        if outages.contains(stop.feed), !lost.contains(where: { $0.key.feed == stop.feed }) {
            outages.remove(stop.feed)
            say(.notice, "\(profile.title) answers again", profile, at: now)
        }
        if answer.badRows > 0, sawBadRows.insert(stop).inserted {
            logger.warning(
                "\(profile.title): \(answer.badRows) rows of \(stop) cannot be read and are left out; said once")
        }
    }

    /// A question failed.
    mutating func failed(_ stop: StopID, _ failure: FeedFailure, of profile: FeedProfile, at now: Instant) {
        logger.debug("\(stop): \(failure.detail)")
        let isNew: Bool
        switch failure.kind {
        case .cancelled: return
        case .keyRefused, .keyMissing: isNew = refusals.insert(.key(stop.feed)).inserted
        case .unknownStop: isNew = refusals.insert(.stop(stop)).inserted
        default:
            lost[stop, default: 0] += 1
            isNew = lost[stop, default: 0] >= Self.saidAfter && outages.insert(stop.feed).inserted
        }
        guard isNew else { return }
        say(
            .warning, "\(profile.title): \(failure.detail). It is asked again for as long as it takes.", profile,
            at: now)
    }

    /// A new configuration was read: what other stops lacked is nobody's trouble any more.
    mutating func keep(_ stops: Set<StopID>) {
        lost = lost.filter { stops.contains($0.key) }
        refusals = refusals.filter { refusal in
            if case .stop(let stop) = refusal { stops.contains(stop) } else { true }
        }
    }

    private mutating func say(_ level: Logger.Level, _ sentence: String, _ profile: FeedProfile, at now: Instant) {
        guard let end = limits[profile.name, default: DailyLimit()].admit(at: now) else { return }
        logger.log(level: level, "\(sentence)\(end)")
    }
}
