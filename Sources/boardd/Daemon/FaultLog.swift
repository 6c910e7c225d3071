internal import BoardCore
internal import Logging

/// Says in the log when an operator begins to fail and when it has recovered, and nothing in between: an SD card dies
/// of writing.
struct FaultLog {
    /// A lost answer or two are the network's daily life.
    private static let saidAfter = 3

    private let logger: Logger
    private var failures: [StopID: Int] = [:]
    private var said: [FeedName: FeedFailure.Kind] = [:]
    private var sawBadRows: Set<StopID> = []

    init(logger: Logger) {
        self.logger = logger
    }

    /// An operator answered.
    mutating func answered(_ answer: FeedAnswer, by profile: FeedProfile) {
        let stop = answer.stop.id
        failures[stop] = nil
        if !failures.keys.contains(where: { $0.feed == stop.feed }), said.removeValue(forKey: stop.feed) != nil {
            logger.notice("\(profile.title) answers again")
        }
        if answer.badRows > 0, sawBadRows.insert(stop).inserted {
            logger.warning(
                "\(profile.title): \(answer.badRows) rows of \(stop) cannot be read and are left out; said once")
        }
    }

    /// A question failed.
    mutating func failed(_ stop: StopID, _ failure: FeedFailure, of profile: FeedProfile) {
        guard failure.kind != .cancelled else { return }
        failures[stop, default: 0] += 1
        logger.debug("\(stop): \(failure.detail)")
        let isRefusal: Bool
        switch failure.kind {
        case .keyRefused, .keyMissing, .unknownStop: isRefusal = true
        default: isRefusal = false
        }
        guard isRefusal || failures[stop, default: 0] >= Self.saidAfter else { return }
        guard said[stop.feed] != failure.kind else { return }
        said[stop.feed] = failure.kind
        logger.warning("\(profile.title): \(failure.detail). It is asked again for as long as it takes.")
    }
}
