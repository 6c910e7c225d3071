internal import BoardControl
internal import BoardCore

/// An update by the running board, polled for its progress.
struct RemoteDirectoryUpdate: Sendable {
    /// The poll interval.
    private static let interval = Duration.milliseconds(500)
    /// Failed polls in a row before the command fails: a restart of the board takes some seconds.
    private static let maximumFailures = 20

    let client: ControlClient
    /// The feed; nil: all feeds with a list.
    let feed: FeedName?
    let progress: UpdateProgress

    /// Requests the update and waits for its end.
    ///
    /// - Returns: nil when there is no board that could do it.
    func run() async -> UpdateOutcome? {
        var outcome = UpdateOutcome()
        let before: [String: RFC3339Timestamp]
        do throws(ControlClientError) {
            before = Self.completed(try await client.directory())
            outcome.lists = try await client.updateDirectory(feed)
        } catch {
            switch error {
            case .noDaemon: return nil
            // The board has no write access to the folder; this process may have it.
            case .errorResponse(let rejected) where rejected.kind == .notAllowed: return nil
            default:
                outcome.addError(error.description, CommandError(error).status)
                return outcome
            }
        }
        var unavailable = 0
        while outcome.lists.contains(where: { $0.update.state == .running }) {
            // Lists are updated in turn; those that wait have no page yet.
            if let list = outcome.lists.first(where: { $0.update.state == .running }) {
                progress.show(
                    FeedName(list.feed), .init(pages: (list.update.page ?? 1) - 1, fraction: list.update.fraction))
            }
            do {
                try await Task.sleep(for: Self.interval)
            } catch {
                outcome.isInterrupted = true
                outcome.errors.append("the running board continues the update; see boardd status")
                return outcome
            }
            do throws(ControlClientError) {
                outcome.lists = try await client.directory()
                unavailable = 0
            } catch {
                unavailable += 1
                guard unavailable < Self.maximumFailures else {
                    outcome.addError(error.description, CommandError(error).status)
                    return outcome
                }
            }
        }
        for list in outcome.lists {
            if list.update.state == .failed {
                outcome.addError("\(list.feed): \(list.update.error ?? "the update failed")", SystemExit.unavailable)
            } else if list.completed == before[list.feed] {
                // A restarted board has lost the request.
                outcome.addError(
                    "\(list.feed): update interrupted by a restart of the board; the old list stays. It resumes by itself; "
                        + "see boardd status.",
                    SystemExit.temporaryFailure)
            } else {
                outcome.updated.append(list)
            }
        }
        return outcome
    }

    /// The completion time of each list.
    private static func completed(_ lists: [DirectoryState]) -> [String: RFC3339Timestamp] {
        Dictionary(lists.compactMap { list in list.completed.map { (list.feed, $0) } }) { $1 }
    }
}
