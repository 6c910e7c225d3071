internal import BoardCore
internal import BoardFeeds
internal import Logging
internal import Synchronization

/// Says faults of the running program in the log, all of them together ten times a day at most: an SD card dies of
/// writing, and something always comes and goes somewhere. What a person did (a start, an end, a reload) is no fault.
final class RateLimitedLog: Sendable {
    /// Lines in any 24 hours: five faults that begin and end.
    static let lines = 10
    private static let day = Duration.seconds(86_400)

    private let logger: Logger
    private let clock: any MachineClock
    /// When a line was written, in the last 24 hours.
    private let said = Mutex<[Instant]>([])

    init(_ logger: Logger, clock: any MachineClock) {
        self.logger = logger
        self.clock = clock
    }

    /// Says a sentence, from any thread; the day's last line says that it is the last.
    func log(_ level: Logger.Level, _ sentence: String) {
        log(level, sentence, at: clock.now())
    }

    /// Says a sentence about something that happened at this time.
    func log(_ level: Logger.Level, _ sentence: String, at now: Instant) {
        // What is below the threshold costs nothing.
        guard level >= logger.logLevel else { return }
        let count = said.withLock { said in
            said.removeAll { now - $0 >= Self.day }
            guard said.count < Self.lines else { return Self.lines + 1 }
            said.append(now)
            return said.count
        }
        guard count <= Self.lines else { return }
        let end = count < Self.lines ? "" : " (Nothing more is said of faults today.)"
        logger.log(level: level, "\(sentence)\(end)")
    }

    /// Says what a feed has to say beside its answers.
    @Sendable func log(_ note: FeedStorage.LogEntry) {
        switch note {
        case .completed(let sentence), .info(let sentence): log(.info, sentence)
        case .warning(let sentence): log(.warning, sentence)
        case .recovered(let sentence): log(.notice, sentence)
        }
    }

    /// A detail, for whoever asked for all of them.
    func debug(_ sentence: @autoclosure () -> String) {
        logger.debug("\(sentence())")
    }
}
