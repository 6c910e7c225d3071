internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// The daemon put together: it reads the configuration, starts the services, and waits for the board loop to end.
struct Daemon {
    let configuration: ConfigurationOption
    let source: FeedFactory.Source
    let displayTarget: DeviceFactory.DisplayTarget
    /// Where every frame is also written as JSON; nil: nowhere.
    let frameLog: String?

    /// Runs until told to end.
    ///
    /// - Returns: the exit status.
    func run() async -> Int32 {
        // A pipe that nobody reads any more is an error of its writes, not the end.
        _ = signal(SIGPIPE, SIG_IGN)
        // Before the files are read, so that a change made after that, and told by a signal, is never missed.
        let hangupSignals = await UnixSignalsSequence(trapping: .sighup)
        let reloads = BufferedStream<Void>(keeping: 1)
        let watch = FileWatch(path: configuration.source.favouritesPath) { reloads.send(()) }
        let environment = Environment.current
        let manager = SystemdNotifier(environment: environment)
        var fault: ConfigurationFaults?
        let loaded: Configuration
        do {
            loaded = try configuration.load()
        } catch  where manager.isActive {
            // A person who restarts the machine must read on the glass why it has no stops; ending would show nothing.
            fault = error
            // What could be read holds: on a panel with other pins than the default ones nobody could read anything.
            loaded = error.partial
        } catch {
            StandardError.write(error.description + "\n")
            return SystemExit.configuration
        }
        let threshold = LogThreshold(loaded.logLevel)
        let sink = LogSink(
            isKeeping: displayTarget == .terminal && LogSink.isSameTerminal(STDOUT_FILENO, STDERR_FILENO))
        let handler = JournalHandler(
            threshold, isJournal: JournalHandler.isJournal(environment: environment), write: { sink.take($0) })
        let logger = Logger(label: "boardd") { _ in handler }
        defer { sink.release() }
        let log = ConfigurationLog(logger)
        if let fault { log.faulty(fault.faults.map { "\($0)" }) }
        for remark in loaded.warnings { logger.info("\(remark)") }

        do {
            try await serve(
                Start(
                    configuration: loaded, fault: fault?.position, log: log, environment: environment,
                    hangupSignals: hangupSignals, watch: watch, reloads: reloads),
                manager: manager, logger: logger, threshold: threshold)
            return 0
        } catch let failure as RecordingFailure {
            logger.error("\(failure)")
            return SystemExit.noInput
        } catch let failure as FeedSettingFailure {
            logger.error("\(failure)")
            return SystemExit.configuration
        } catch let failure as OutputFailure {
            logger.error("\(failure)")
            return SystemExit.ioError
        } catch {
            logger.error("\(error)")
            return SystemExit.unavailable
        }
    }

    static func zone(_ name: String?, logger: Logger) -> Zone {
        do {
            return try ZoneDirectory().machineZone(tz: name)
        } catch {
            logger.warning("\(error); the clock on the glass shows UTC")
            return .utc
        }
    }

    func openFrameLog() throws(StartError) -> Int32? {
        guard let frameLog else { return nil }
        let descriptor = unsafe open(frameLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw StartError(description: "\(frameLog) cannot be written: \(unsafe String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// "1 favourite", "2 favourites".
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// Why the daemon cannot start.
struct StartError: Error, CustomStringConvertible {
    let description: String
}
