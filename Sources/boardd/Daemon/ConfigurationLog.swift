import BoardCore
import BoardIO
import BoardService
import BoardStore
import Logging
import Synchronization

/// Logs faults of the configuration when they differ from those last logged: anyone may request a reload, and writing
/// wears out an SD card.
final class ConfigurationLog: Sendable {
    private struct Logged {
        var faults: [String] = []
        var failures: [String] = []
    }

    private let logger: Logger
    private let reloads: RateLimitedLog
    private let logged = Mutex(Logged())

    init(_ logger: Logger, clock: any MachineClock = SystemClock()) {
        self.logger = logger
        reloads = RateLimitedLog(logger, clock: clock, limit: RateLimitedLog.reloads)
    }

    /// - Parameter consequence: the effect on the board; nil: not logged.
    func faulty(_ faults: [String], so consequence: String? = nil) {
        let isNew = logged.withLock { logged in
            defer { logged.faults = faults }
            return logged.faults != faults
        }
        guard isNew else { return }
        for fault in faults { logger.error("\(fault)") }
        if let consequence { logger.error("\(consequence)") }
    }

    /// Logs what users should know about valid files: what to change as a warning, an absent file as information.
    func remarks(_ warnings: [SourceError]) {
        for remark in warnings {
            logger.log(level: remark.kind == .unreadable ? .info : .warning, "\(remark)")
        }
    }

    func valid(isChanged: Bool, _ summary: String) {
        let wasFaulty = logged.withLock { logged in
            defer { logged.faults = [] }
            return !logged.faults.isEmpty
        }
        if wasFaulty {
            logger.notice("configuration valid again: \(summary)")
        } else if isChanged {
            reloads.log(.notice, "configuration reloaded: \(summary)")
        }
    }

    /// Logs the failures of a search for nearby stops; empty when all searches succeeded.
    func searched(_ failures: [StoreError]) {
        var sentences: [String] = []
        // Several searches fail with the same sentence.
        for sentence in failures.map(\.description) where !sentences.contains(sentence) { sentences.append(sentence) }
        let isNew = logged.withLock { logged in
            defer { logged.failures = sentences }
            return logged.failures != sentences
        }
        guard isNew else { return }
        for sentence in sentences { logger.warning("nearby stops unavailable: \(sentence)") }
    }
}

extension FavouriteResolution {
    /// Resolves the entries, and logs why nearby stops are missing.
    init(_ entries: [FavouriteEntry], in directory: StopDirectory, log: ConfigurationLog) {
        var failures: [StoreError] = []
        self.init(entries, in: directory) { failures.append($0) }
        log.searched(failures)
    }
}
