import ArgumentParser
import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Glibc
import Logging
import UnixSignals

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
        let progress = UpdateProgress()
        let start = clock.now()
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
                try StandardOutput.write("\(list.feed): \(list.stops) stops and \(list.lines) lines, in \(took)\n")
            }
        }
        if feed == nil, outcome.updated.isEmpty, outcome.errors.isEmpty, !outcome.isInterrupted {
            StandardError.remark("no operator with a stop list is in use; name one, such as boardd stops update tfl")
        }
        if outcome.isInterrupted { throw ExitCode(Self.interrupted) }
        if let first = outcome.errors.first { throw ExitCode(CommandError(first).status) }
    }

    /// Updates until a signal cancels it. The second signal ends the program at once: an unfinished update leaves the
    /// files intact.
    private func updateUnlessInterrupted(_ progress: UpdateProgress) async throws -> UpdateOutcome {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: UpdateOutcome?.self) { group in
            group.addTask {
                try await configuration.updateLists(of: feed.map { FeedName($0) }, progress)
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

extension ConfigurationOption {
    /// Downloads stop lists now, in the running board, or in this process if the board cannot, until they are complete or
    /// the task is cancelled.
    ///
    /// - Parameter feed: nil: all feeds with a list.
    /// - Throws: ``ServiceError`` if the update could not be started.
    fileprivate func updateLists(of feed: FeedName?, _ progress: UpdateProgress) async throws -> UpdateOutcome {
        if file == nil {
            do throws(ServiceError) {
                return try await FollowedUpdate(
                    service: Self.runningBoard(), feed: feed, progress: progress,
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
                service: service, feed: feed, progress: progress,
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
        let service = try await localService(
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

struct UpdateOutcome: Sendable {
    /// The state of all lists.
    var lists: [DirectoryState] = []
    var updated: [DirectoryState] = []
    var errors: [ServiceError] = []
    var isInterrupted = false
}

/// An update of stop lists by a service, polled for its progress.
struct FollowedUpdate: Sendable {
    private static let interval = Duration.milliseconds(500)
    /// Failed polls in a row before the command fails: a restart of the board takes a few seconds.
    private static let maximumFailures = 20

    let service: any StopService
    /// The feed; nil: all feeds with a list.
    let feed: FeedName?
    let progress: UpdateProgress
    /// The message after the task is cancelled.
    let interruption: @Sendable () -> String

    /// Starts the update and waits for its end.
    ///
    /// - Throws: ``ServiceError`` if it could not be started.
    func run() async throws(ServiceError) -> UpdateOutcome {
        let before = Dictionary(try await service.directory().map { ($0.feed, $0.completed) }) { $1 }
        var lists = try await service.updateDirectory(feed)
        // A list that is complete already was updated, too.
        let requested = Set(
            lists.filter { list in
                (feed == nil || list.feed == feed?.description)
                    && (list.update.state != .idle || list.completed != before[list.feed] ?? nil)
            }.map(\.feed))
        var failures = 0
        while let running = lists.first(where: { requested.contains($0.feed) && $0.update.state == .running }) {
            // Lists are updated in turn; those that wait have no page yet.
            progress.show(
                FeedName(running.feed), .init(pages: (running.update.page ?? 1) - 1, fraction: running.update.fraction))
            // A cancelled task leaves the loop below.
            await SystemClock().sleep(for: Self.interval)
            if Task.isCancelled { break }
            do throws(ServiceError) {
                lists = try await service.directory()
                failures = 0
            } catch {
                failures += 1
                guard failures < Self.maximumFailures else { return UpdateOutcome(lists: lists, errors: [error]) }
            }
        }
        let isIncomplete = lists.contains { requested.contains($0.feed) && $0.completed == before[$0.feed] ?? nil }
        if Task.isCancelled, isIncomplete {
            return UpdateOutcome(
                lists: lists, errors: [ServiceError(.unavailable, interruption())], isInterrupted: true)
        }
        var outcome = UpdateOutcome(lists: lists)
        for list in lists where requested.contains(list.feed) {
            if list.update.state == .failed {
                outcome.errors.append(
                    ServiceError(
                        list.update.errorKind ?? .failed,
                        "\(list.feed): \(list.update.error ?? "the update failed"). The old list stays"))
            } else if list.completed == before[list.feed] ?? nil {
                // A restarted board has lost the request.
                outcome.errors.append(
                    ServiceError(
                        .unavailable,
                        "\(list.feed): update interrupted by a restart of the board; the old list stays. It resumes by "
                            + "itself; see boardd status."))
            } else {
                outcome.updated.append(list)
            }
        }
        return outcome
    }
}

// The lists of feeds that have none yet, so that their stops can be searched.
extension ConfigurationOption {
    /// Downloads the missing lists of configured cities; a remark says what to do if that fails.
    func loadMissingLists() async {
        let configured = readable.feeds
        let cities = configured.keys.filter { name in !FeedRegistry.operators.contains { $0.declaration.name == name } }
        for city in FeedFactory.listed(of: configured, using: Set(cities)) where cities.contains(city) {
            do throws(ServiceError) {
                try await loadMissingList(of: city)
            } catch {
                StandardError.remark("\(city) is not searched: \(error.message). Try: sudo boardd stops update \(city)")
            }
        }
    }

    /// Downloads the list of a feed if it is missing, and shows the progress.
    ///
    /// - Throws: ``ServiceError`` with what to do if it cannot be downloaded.
    func loadMissingList(of feed: FeedName) async throws(ServiceError) {
        let stored = try await DedicatedThread.attempt { (try? StopDirectory.installed.feeds()) ?? [] }
        guard !stored.contains(feed) else { return }
        StandardError.write("\(feed): downloading the list of stops; this is needed once\n")
        let progress = UpdateProgress()
        let outcome: UpdateOutcome
        do {
            defer { progress.end() }
            outcome = try await updateLists(of: feed, progress)
        } catch let failure as ServiceError {
            throw failure
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
        if let failure = outcome.errors.first { throw failure }
    }
}
