internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardService
internal import BoardStore
internal import Glibc
internal import Logging

/// Downloads stop lists now: in the running board, or in this process where that cannot.
struct ListUpdate {
    let configuration: ConfigurationOption
    /// The feed; nil: all feeds with a list.
    let feed: FeedName?
    let progress: UpdateProgress

    /// Updates until the lists are complete, or the task is cancelled.
    ///
    /// - Throws: ``ServiceError`` where the update could not be started.
    func run() async throws -> UpdateOutcome {
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
        let (service, updates) = try await localUpdates()
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
    private func localUpdates() async throws(ServiceError) -> (service: LocalBoardService, updates: DirectoryService) {
        let (feed, progress) = (feed, progress)
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
    static func writeError(of folder: String) -> String? {
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
