internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads
internal import Glibc

/// An update in this process: no board runs that could do it.
struct LocalDirectoryUpdate: Sendable {
    let context: StopsContext
    let configuration: ConfigurationOption
    /// Whose list; nil: every one that is kept.
    let feed: FeedName?
    let clock: any MachineClock
    let progress: UpdateProgress

    /// Takes every feed's list; one that fails keeps no other back.
    func run() async -> UpdateOutcome {
        var outcome = UpdateOutcome()
        if let refusal = Self.refusal(of: context.folders.state) {
            outcome.addError(refusal, SystemExit.noPermission)
            return outcome
        }
        let loaded: Configuration
        let assembly: FeedFactory
        do {
            loaded = try configuration.load()
            if let feed, loaded.feeds[feed] == nil {
                let known = loaded.feeds.keys.map(\.description).sorted().joined(separator: ", ")
                outcome.addError("there is no feed \"\(feed)\"; known feeds: \(known)", SystemExit.usage)
                return outcome
            }
            if let complaint = feed.flatMap(FeedFactory.missingListReason) {
                outcome.addError(complaint, SystemExit.usage)
                return outcome
            }
            assembly = try FeedFactory(
                source: .live(record: nil), clock: clock,
                note: { [progress] note in
                    switch note {
                    case .info(let text), .warning(let text): progress.say(text)
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
                guard let catalogue = try assembly.catalogue(of: feed, loaded.feeds, asking: stops) else { continue }
                isOneFile = catalogue.isOneFile
                let progress = progress
                try await DirectoryUpdate(feed: feed, catalogue: catalogue, folder: context.folders.state, clock: clock)
                    .run { progress.show(feed, $0) }
                outcome.updated += await lists().filter { $0.feed == feed.description }
            } catch is CancellationError {
                outcome.isInterrupted = true
                let pages = progress.last?.pages ?? 0
                outcome.errors.append(
                    "interrupted: the stops stay as they were; "
                        + (pages == 0 ? "nothing was taken yet" : "the next update goes on with page \(pages + 1)"))
            } catch let failure as DirectoryFailure {
                outcome.addError("\(failure)", StopsContext.status(of: failure))
            } catch let failure as FeedFailure {
                let next = isOneFile ? "" : "; the next update goes on where this one stopped"
                outcome.addError(
                    "\(failure.detail). The stops stay as they were\(next)", SystemExit.status(of: failure.kind))
            } catch {
                outcome.addError("\(error)", SystemExit.configuration)
            }
        }
        outcome.lists = await lists()
        return outcome
    }

    /// Whose lists are taken: those of feeds that are there once, and of the cities that are used.
    private func feeds(_ loaded: Configuration) async -> [FeedName] {
        if let feed { return [feed] }
        let directory = context.directory
        let kept = (try? await DedicatedThread.run("look") { try? directory.feeds() }) ?? []
        return FeedFactory.listed(of: loaded.feeds, using: Set(kept).union(loaded.favourites.map(\.stop.feed)))
    }

    private func lists() async -> [DirectoryState] {
        let directory = context.directory
        let editions = (try? await DedicatedThread.run("look") { directory.editions().found }) ?? []
        return editions.map { DirectoryState($0.feed, $0, nil, now: clock.now(), wall: clock.reading().wall) }
    }

    /// Why no file can be made in the folder: which folder, who may, what to do.
    private static func refusal(of folder: String) -> String? {
        guard !Folders.isWritable(folder) else { return nil }
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            return
                "\(folder), where the stops are kept, is not there: sudo systemctl start boardd makes it and fetches "
                + "the stops by itself"
        }
        let owner = unsafe getpwuid(status.st_uid).map { unsafe String(cString: $0.pointee.pw_name) }
        let writers = status.st_uid == 0 ? "root alone" : "\(owner ?? "user \(status.st_uid)") and root"
        return "\(folder), where the stops are kept, may be written by \(writers): "
            + "sudo boardd stops update, or let the daemon do it"
    }
}
