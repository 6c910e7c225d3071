internal import ArgumentParser
internal import BoardCore
internal import BoardService
internal import BoardSimulation
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
            "The feed, such as gtfs.lametro; by default those with a list already, or in use.",
            valueName: "feed"), completion: .feeds)
    var feed: String?

    @Flag(help: "Print the lists as JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let clock = SystemClock()
        let progress = UpdateProgress(
            isTerminal: Terminal.isTerminal(STDERR_FILENO, environment: Environment.current), clock: clock,
            write: { StandardError.draw($0) })
        let start = clock.now()
        try await CommandError.exitOnFailure {
            let outcome: UpdateOutcome
            do {
                defer { progress.end() }
                outcome = try await updateUnlessInterrupted(progress)
            }
            for error in outcome.errors { StandardError.write(CommandError(error).text) }
            if json, !outcome.lists.isEmpty {
                try StandardOutput.write(PrettyJSON.text(outcome.lists))
            } else {
                let took = UpdateProgress.text(clock.now() - start)
                for list in outcome.updated {
                    try StandardOutput.write(
                        "\(list.feed): \(list.stops) stops and \(list.lines) lines, in \(took)\n")
                }
            }
            if feed == nil, outcome.updated.isEmpty, outcome.errors.isEmpty, !outcome.isInterrupted {
                StandardError.write(
                    "remark: no operator with a stop list is in use; name one, such as boardd stops update tfl\n")
            }
            if outcome.isInterrupted { throw ExitCode(Self.interrupted) }
            if let first = outcome.errors.first { throw ExitCode(CommandError(first).status) }
        }
    }

    /// Updates until a signal cancels that. The second signal ends the program at once: an unfinished update leaves the files
    /// intact.
    private func updateUnlessInterrupted(_ progress: UpdateProgress) async throws -> UpdateOutcome {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: UpdateOutcome?.self) { group in
            group.addTask {
                try await ListUpdate(configuration: configuration, feed: feed.map { FeedName($0) }, progress: progress)
                    .run()
            }
            group.addTask {
                for await _ in signals { break }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
            return try await group.next().flatMap { $0 } ?? UpdateOutcome(isInterrupted: true)
        }
    }
}
