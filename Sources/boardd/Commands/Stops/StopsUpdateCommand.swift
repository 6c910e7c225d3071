internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardService
internal import BoardSimulation
internal import BoardStore
internal import Glibc
internal import Logging
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
            if outcome.isInterrupted { throw ExitCode(Self.interrupted) }
            if let first = outcome.errors.first { throw ExitCode(CommandError(first).status) }
        }
    }

    /// Updates until a signal cancels that. The second signal ends the program at once: an unfinished update leaves the files
    /// intact.
    private func updateUnlessInterrupted(_ progress: UpdateProgress) async throws -> UpdateOutcome {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: UpdateOutcome?.self) { group in
            group.addTask { try await update(progress) }
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

    /// The running board does the update; this process does where it cannot.
    private func update(_ progress: UpdateProgress) async throws -> UpdateOutcome {
        let feed = feed.map { FeedName($0) }
        if configuration.file == nil {
            do throws(ServiceError) {
                return try await FollowedUpdate(
                    service: ConfigurationOption.runningBoard(), feed: feed, progress: progress,
                    interruption: { "the running board continues the update; see boardd status" }
                ).run()
            } catch {
                // Without write access to the folder the board cannot do it; this process may have it.
                guard [.noDaemon, .notAllowed].contains(error.kind) else { throw error }
            }
        }
        let (service, updates) = try await localUpdates(of: feed, progress)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await updates.run() }
            let outcome = try await FollowedUpdate(
                service: service, feed: feed,
                interruption: {
                    let pages = progress.last?.pages ?? 0
                    return "interrupted: the old list stays"
                        + (pages == 0 ? "" : "; the next update resumes at page \(pages + 1)")
                }
            ).run()
            group.cancelAll()
            return outcome
        }
    }

    /// The service of this process, which updates the feed's list, or all.
    private func localUpdates(
        of feed: FeedName?, _ progress: UpdateProgress
    ) async throws(ServiceError) -> (service: LocalBoardService, updates: DirectoryService) {
        let folder = Folders(environment: Environment.current).state
        if let reason = Self.writeError(of: folder) { throw ServiceError(.notAllowed, reason) }
        let clock = SystemClock()
        let stored = try await DedicatedThread.attempt { Set((try? StopDirectory(folder: folder).feeds()) ?? []) }
        var made: DirectoryService?
        let service = try await configuration.localService(
            unlessFaulty: "no list updated",
            note: { note in
                switch note {
                case .info(let text), .warning(let text): progress.writeLine(text)
                case .completed, .recovered: break
                }
            },
            updates: { configuration, catalogue in
                let updates = DirectoryService(
                    StopDirectory(folder: folder), folder: folder,
                    feeds: { found in
                        if let feed { return [feed] }
                        let used = stored.union(found).union(configuration.favourites.map(\.stop.feed))
                        return Set(FeedFactory.listed(of: configuration.feeds, using: used))
                    }, clock: clock,
                    log: RateLimitedLog(Logger(label: "update") { _ in SwiftLogNoOpLogHandler() }, clock: clock),
                    source: catalogue, changed: {}, progressed: { progress.show($0, $1) })
                made = updates
                return updates
            })
        guard let made else { throw ServiceError(.failed, "no updates of stop lists") }
        return (service, made)
    }

    /// Why this process cannot write to the folder, and what to do.
    private static func writeError(of folder: String) -> String? {
        guard !Folders.isWritable(folder) else { return nil }
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            return
                "\(folder) (stop directory) does not exist: sudo systemctl start boardd creates it and downloads the lists"
        }
        let owner = unsafe getpwuid(status.st_uid).map { unsafe String(cString: $0.pointee.pw_name) }
        let writers = status.st_uid == 0 ? "root" : "\(owner ?? "user \(status.st_uid)") and root"
        return "\(folder) (stop directory) is writable only by \(writers): "
            + "sudo boardd stops update, or start the daemon"
    }
}
