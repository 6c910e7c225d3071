internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardSimulation
internal import BoardStore
internal import Glibc
internal import UnixSignals

/// `boardd stops update`: the operators' lists, taken anew now.
struct StopsUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Take the operators' lists of stops anew, now.",
        discussion: """
            The running board is asked to do it; where none runs it is done here, which needs the right to write the folder \
            of the stop directory. The old list serves until the new one is whole. Ended by Ctrl-C, the update goes on the \
            next time where it stopped. Examples: sudo boardd stops update; boardd stops update gtfs.lametro
            """)

    /// What a program that SIGINT ended gives its shell.
    private static let interrupted: Int32 = 130

    @Argument(
        help: ArgumentHelp(
            "Whose list, such as gtfs.lametro; otherwise every one that is kept, a city's once it was taken or is used.",
            valueName: "feed"))
    var feed: String?

    @Flag(help: "Print the lists as JSON in the end.")
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
        let work = Task { () -> UpdateOutcome in
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
                // A second time: whatever is under way leaves the files whole.
                if isRequested { _exit(Self.interrupted) }
                isRequested = true
                work.cancel()
            }
        }
        let outcome = await work.value
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

/// What came of an update.
struct UpdateOutcome: Sendable {
    /// How the lists are now.
    var lists: [DirectoryState] = []
    /// Those that were taken anew.
    var updated: [DirectoryState] = []
    /// What went wrong, a sentence each.
    var errors: [String] = []
    /// What the command ends with; 0: all is well.
    var status: Int32 = 0
    var isInterrupted = false

    /// Notes what went wrong; the first status counts.
    mutating func addError(_ sentence: String, _ code: Int32) {
        errors.append(sentence)
        if status == 0 { status = code }
    }
}
