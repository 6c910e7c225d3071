import BoardCore
import BoardFeeds
import Logging
import Synchronization

/// Logs faults of the running program, at most ten lines a day for all: writing wears out an SD card, and faults recur.
/// What a person did (start, stop, reload) is not a fault; reloads have their own limit, since a client may cause them.
final class RateLimitedLog: Sendable {
    /// The limit in any 24 hours: five faults that begin and end.
    static let lines = 10
    /// The limit of reloads.
    static let reloads = 20
    private let logger: Logger
    private let clock: any MachineClock
    private let limiter: Mutex<RateLimiter>

    init(_ logger: Logger, clock: any MachineClock, limit: Int = lines) {
        self.logger = logger
        self.clock = clock
        limiter = Mutex(RateLimiter(limit, per: .seconds(86_400)))
    }

    /// Logs a sentence, from any thread; the day's last line says that it is the last.
    func log(_ level: Logger.Level, _ sentence: String) {
        let now = clock.now()
        // Lines below the threshold do not count.
        guard level >= logger.logLevel else { return }
        let isLast = limiter.withLock { $0.take(at: now) == nil ? $0.wait(at: now) != nil : nil }
        guard let isLast else { return }
        let end = isLast ? " (Log limit reached: no more of these lines today.)" : ""
        logger.log(level: level, "\(sentence)\(end)")
    }

    @Sendable func log(_ note: FeedStorage.LogEntry) {
        switch note {
        case .completed(let sentence), .info(let sentence): log(.info, sentence)
        case .warning(let sentence): log(.warning, sentence)
        case .recovered(let sentence): log(.notice, sentence)
        }
    }

    /// Logs a detail: only written at level debug, and not limited.
    func debug(_ sentence: @autoclosure () -> String) {
        logger.debug("\(sentence())")
    }
}
