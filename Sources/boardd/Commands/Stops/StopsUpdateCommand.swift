internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardSimulation
internal import BoardStore
internal import Glibc
internal import UnixSignals

/// `boardd stops update`: downloads the operators' stop lists now.
struct StopsUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Download the stop lists now.",
        discussion: """
            A running board does the update; otherwise this command does, which needs write access to the stop directory. \
            The old list is used until the new one is complete. After Ctrl-C the next update resumes where this one stopped. \
            Examples: sudo boardd stops update; boardd stops update gtfs.lametro
            """)

    /// The exit status after SIGINT.
    private static let interrupted: Int32 = 130

    @Argument(
        help: ArgumentHelp(
            "The feed, such as gtfs.lametro; by default all feeds with a list, and cities with a list or in use.",
            valueName: "feed"))
    var feed: String?

    @Flag(help: "Print the lists as JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let context = StopsContext()
        let clock = SystemClock()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let progress = UpdateProgress(
            isTerminal: Terminal.isTerminal(STDERR_FILENO, environment: Environment.current), clock: clock,
            write: { StandardError.draw($0) })
        let (configuration, feed, start) = (configuration, feed.map { FeedName($0) }, clock.now())
        let update = Task { () -> UpdateOutcome in
            if configuration.file == nil,
                let outcome = await RemoteDirectoryUpdate(
                    client: ControlClient(path: context.folders.controlSocket), feed: feed, progress: progress
                ).run()
            {
                return outcome
            }
            return await LocalDirectoryUpdate(
                context: context, configuration: configuration, feed: feed, clock: clock, progress: progress
            ).run()
        }
        let watch = Task {
            var isRequested = false
            for await _ in signals {
                // The second signal exits at once: an unfinished update leaves the files intact.
                if isRequested { _exit(Self.interrupted) }
                isRequested = true
                update.cancel()
            }
        }
        let outcome = await update.value
        watch.cancel()
        progress.end()
        StandardError.write(outcome.errors.map { $0.asPrintedLine + "\n" }.joined())
        if json, !outcome.lists.isEmpty {
            try StandardOutput.write(PrettyJSON.text(outcome.lists))
        } else {
            let took = UpdateProgress.text(clock.now() - start)
            for list in outcome.updated {
                try StandardOutput.write("\(list.feed): \(list.stops) stops and \(list.lines) lines, in \(took)\n")
            }
        }
        if outcome.isInterrupted { throw ExitCode(Self.interrupted) }
        if outcome.status != 0 { throw ExitCode(outcome.status) }
    }
}

struct UpdateOutcome: Sendable {
    /// The state of all lists.
    var lists: [DirectoryState] = []
    /// The lists that were updated.
    var updated: [DirectoryState] = []
    /// A sentence each.
    var errors: [String] = []
    /// The exit status; 0: success.
    var status: Int32 = 0
    var isInterrupted = false

    /// Adds an error; the first status counts.
    mutating func addError(_ sentence: String, _ code: Int32) {
        errors.append(sentence)
        if status == 0 { status = code }
    }
}
