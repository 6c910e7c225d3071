internal import BoardCore
internal import BoardService

/// The result of an update of stop lists.
struct UpdateOutcome: Sendable {
    /// The state of all lists.
    var lists: [DirectoryState] = []
    /// The lists that were updated.
    var updated: [DirectoryState] = []
    var errors: [ServiceError] = []
    var isInterrupted = false
}

/// An update of stop lists by a service, polled for its progress.
struct FollowedUpdate: Sendable {
    /// The poll interval.
    private static let interval = Duration.milliseconds(500)
    /// Failed polls in a row before the command fails: a restart of the board takes some seconds.
    private static let maximumFailures = 20

    let service: any BoardService
    /// The feed; nil: all feeds with a list.
    let feed: FeedName?
    let progress: UpdateProgress
    /// The message after the task is cancelled.
    let interruption: @Sendable () -> String

    /// Starts the update and waits for its end.
    ///
    /// - Throws: ``ServiceError`` where it could not be started.
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
