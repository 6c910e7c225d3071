internal import BoardControl
internal import BoardCore

/// An update that the running board does, and that is watched from here.
struct RemoteDirectoryUpdate: Sendable {
    /// How often a board is asked how far it is.
    private static let interval = Duration.milliseconds(500)
    /// So often in a row it may give no answer: a board that is started anew takes some seconds.
    private static let timeout = 20

    let client: ControlClient
    /// Whose list; nil: every one that is kept.
    let feed: FeedName?
    let progress: UpdateProgress

    /// Asks for the update and watches it to its end.
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
            // It runs without the right to write the folder; perhaps this process has it.
            case .refused(let refusal) where refusal.kind == .notAllowed: return nil
            default:
                outcome.addError(error.description, CommandError(error).status)
                return outcome
            }
        }
        var unavailable = 0
        while outcome.lists.contains(where: { $0.update.state == .running }) {
            // One after the other is under way; those that wait their turn have no page yet.
            if let list = outcome.lists.first(where: { $0.update.state == .running }) {
                progress.show(
                    FeedName(list.feed), .init(pages: (list.update.page ?? 1) - 1, fraction: list.update.fraction))
            }
            do {
                try await Task.sleep(for: Self.interval)
            } catch {
                outcome.isInterrupted = true
                outcome.errors.append("the running board goes on with the update: boardd status says how far it is")
                return outcome
            }
            do throws(ControlClientError) {
                outcome.lists = try await client.directory()
                unavailable = 0
            } catch {
                unavailable += 1
                guard unavailable < Self.timeout else {
                    outcome.addError(error.description, CommandError(error).status)
                    return outcome
                }
            }
        }
        for list in outcome.lists {
            if list.update.state == .failed {
                outcome.addError("\(list.feed): \(list.update.error ?? "the update failed")", SystemExit.unavailable)
            } else if list.completed == before[list.feed] {
                // A board that is started anew knows nothing of what the one before it was asked.
                outcome.addError(
                    "\(list.feed): the board was restarted during the update: the stops stay as they were, and it goes on "
                        + "by itself later; boardd status says when",
                    SystemExit.temporaryFailure)
            } else {
                outcome.updated.append(list)
            }
        }
        return outcome
    }

    /// When each list had been taken.
    private static func completed(_ lists: [DirectoryState]) -> [String: RFC3339Timestamp] {
        Dictionary(lists.compactMap { list in list.completed.map { (list.feed, $0) } }) { $1 }
    }
}
