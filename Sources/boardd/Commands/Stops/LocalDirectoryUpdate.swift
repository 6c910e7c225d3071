internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardStore
internal import Glibc

/// An update in this process, when no running board can do it.
struct LocalDirectoryUpdate: Sendable {
    let context: StopsContext
    let configuration: ConfigurationOption
    /// The feed; nil: all feeds with a list.
    let feed: FeedName?
    let clock: any MachineClock
    let progress: UpdateProgress

    /// Updates every feed; a failure of one does not stop the others.
    func run() async -> UpdateOutcome {
        var outcome = UpdateOutcome()
        if let reason = Self.writeError(of: context.folders.state) {
            outcome.addError(reason, SystemExit.noPermission)
            return outcome
        }
        let loaded: Configuration
        let factory: FeedFactory
        do {
            loaded = try configuration.load()
            if let feed, loaded.feeds[feed] == nil {
                let known = loaded.feeds.keys.map(\.description).sorted().joined(separator: ", ")
                outcome.addError("there is no feed \"\(feed)\"; known feeds: \(known)", SystemExit.usage)
                return outcome
            }
            if let reason = feed.flatMap(FeedFactory.missingListReason) {
                outcome.addError(reason, SystemExit.usage)
                return outcome
            }
            factory = try FeedFactory(
                source: .live(record: nil), clock: clock,
                note: { [progress] note in
                    switch note {
                    case .info(let text), .warning(let text): progress.writeLine(text)
                    case .completed, .recovered: break
                    }
                })
        } catch {
            outcome.addError(
                "\(error)", error is ConfigurationFaults ? SystemExit.configuration : SystemExit.unavailable)
            return outcome
        }
        for feed in await feeds(loaded) where !outcome.isInterrupted {
            var isOneFile = false
            do {
                let stops = loaded.favourites.map(\.stop)
                guard let catalogue = try factory.catalogue(of: feed, loaded.feeds, stops: stops) else { continue }
                isOneFile = catalogue.isOneFile
                let progress = progress
                try await DirectoryUpdate(feed: feed, catalogue: catalogue, folder: context.folders.state, clock: clock)
                    .run { progress.show(feed, $0) }
                outcome.updated += await lists().filter { $0.feed == feed.description }
            } catch is CancellationError {
                outcome.isInterrupted = true
                let pages = progress.last?.pages ?? 0
                outcome.errors.append(
                    "interrupted: the old list stays"
                        + (pages == 0 ? "" : "; the next update resumes at page \(pages + 1)"))
            } catch let failure as DirectoryFailure {
                outcome.addError("\(failure)", StopsContext.status(of: failure))
            } catch let failure as FeedFailure {
                let next = isOneFile ? "" : "; the next update resumes where this one stopped"
                outcome.addError(
                    "\(failure.detail). The old list stays\(next)", SystemExit.status(of: failure.kind))
            } catch {
                outcome.addError("\(error)", SystemExit.configuration)
            }
        }
        outcome.lists = await lists()
        return outcome
    }

    /// The feeds to update: single operators, and cities that are used.
    private func feeds(_ loaded: Configuration) async -> [FeedName] {
        if let feed { return [feed] }
        let directory = context.directory
        let stored = (try? await DedicatedThread.run("directory") { try? directory.feeds() }) ?? []
        return FeedFactory.listed(of: loaded.feeds, using: Set(stored).union(loaded.favourites.map(\.stop.feed)))
    }

    private func lists() async -> [DirectoryState] {
        let directory = context.directory
        let editions = (try? await DedicatedThread.run("directory") { directory.editions().found }) ?? []
        return editions.map { DirectoryState($0.feed, $0, nil, now: clock.now(), wall: clock.reading().wall) }
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
