import BoardCore
import BoardFeeds
import BoardIO
import BoardStore
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration, starts the services, and waits for the board loop to end.
struct Daemon {
    let configuration: ConfigurationOption
    let source: FeedFactory.Source
    let displayTarget: DeviceFactory.DisplayTarget
    /// The file to which every frame is also written as JSON; nil: none.
    let frameLog: String?
    /// Where the page listens besides the sockets that systemd passed; nil: nowhere else.
    let page: ServerAddress?
    /// The folder of the stop directory; nil: the state folder.
    var stateFolder: String?

    /// Runs until a signal or the simulated display ends it.
    ///
    /// - Returns: the exit status.
    func run() async -> Int32 {
        // Before the files are read, so that no signal about a later change is missed.
        let hangupSignals = await UnixSignalsSequence(trapping: .sighup)
        let reloads = BufferedSignal()
        let watch = FileWatch(path: configuration.source.favouritesPath) { reloads.send() }
        let environment = Environment.current
        let manager = SystemdNotifier(environment: environment)
        var fault: ConfigurationError?
        let loaded: Configuration
        do {
            loaded = try configuration.load()
        } catch  where manager.isActive {
            // The display must show why a started board has no stops; ending would show nothing.
            fault = error
            // The readable part applies: a panel on other pins than the default would stay blank.
            loaded = error.partial
        } catch {
            StandardError.write(error.description + "\n")
            return ExitStatus.configuration
        }
        let threshold = LogThreshold(loaded.logLevel)
        let sink = LogSink(
            isBuffering: displayTarget == .terminal && LogSink.isSameTerminal(STDOUT_FILENO, STDERR_FILENO))
        let handler = JournalHandler(
            threshold: threshold, isJournal: JournalHandler.isJournal(environment: environment),
            write: { sink.take($0) })
        let logger = Logger(label: "boardd") { _ in handler }
        defer { sink.release() }
        let log = ConfigurationLog(logger)
        if let fault { log.faulty(fault.faults.map { "\($0)" }) }
        log.remarks(loaded.warnings)

        do {
            try await serve(
                StartParameters(
                    configuration: loaded, fault: fault?.position, log: log, environment: environment,
                    hangupSignals: hangupSignals, watch: watch, reloads: reloads, sink: sink, manager: manager,
                    logger: logger, threshold: threshold))
            return 0
        } catch {
            logger.error("\(error)")
            return switch error {
            case let error as FileError where error.kind == .recording: ExitStatus.noInput
            case is FeedSettingError: ExitStatus.configuration
            case is OutputError: ExitStatus.ioError
            default: ExitStatus.unavailable
            }
        }
    }

    static func zone(_ name: String?, logger: Logger) -> Zone {
        do {
            return try ZoneDirectory().machineZone(tz: name)
        } catch {
            logger.warning("\(error); the display clock uses UTC")
            return .utc
        }
    }

    func openFrameLog() throws -> Int32? {
        guard let frameLog else { return nil }
        // Frames contain the digits of pairings.
        let descriptor = unsafe open(frameLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PlainError("\(frameLog) cannot be written: \(errnoText(errno))")
        }
        return descriptor
    }

    /// The sockets of the page: those that systemd passed, and that of `--page`.
    func openPageSockets() throws -> [ListeningSocket] {
        var sockets = try InheritedSockets.passed.page()
        if let page { sockets.append(try ListeningSocket(at: page)) }
        return sockets
    }

    /// "1 favourite", "2 favourites".
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
