internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardService
internal import BoardStore

extension StopDirectory {
    /// The stop directory of this machine.
    static var installed: StopDirectory { StopDirectory(folder: Folders(environment: Environment.current).state) }
}

// The services that commands call.
extension ConfigurationOption {
    /// The running board of this machine.
    static func runningBoard(timeout: Duration = .seconds(10)) -> any BoardService {
        RemoteBoardService(path: Folders(environment: Environment.current).controlSocket, timeout: timeout)
    }

    /// The files, the directory and the feeds in this process.
    ///
    /// - Parameters:
    ///   - consequence: what faulty files mean for the command: "not changed"; nil: files and feeds are used as far as they are
    ///     readable, and `boardd check` reports the faults.
    ///   - note: receives log entries of the feeds.
    ///   - updates: makes the updates of the stop directory.
    func localService(
        unlessFaulty consequence: String? = nil, note: @escaping @Sendable (FeedStorage.LogEntry) -> Void = { _ in },
        updates: (Configuration, @escaping LocalBoardService.CatalogueSource) throws(ServiceError)
            -> (any DirectoryUpdating)? = { _, _ in nil }
    ) async throws(ServiceError) -> LocalBoardService {
        let clock = SystemClock()
        let directory = StopDirectory.installed
        var loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try load()
        } catch {
            if let consequence { throw ServiceError(error, "\(consequence): the configuration files have faults") }
            loaded = error.partial
        }
        let factory: FeedFactory
        var feeds: [FeedName: any DepartureFeed] = [:]
        do {
            factory = try FeedFactory(source: .live(record: nil), clock: clock, note: note)
            for feedOperator in FeedFactory.operators(of: loaded.feeds) {
                do throws(FeedSettingFailure) {
                    feeds[feedOperator.declaration.name] = try factory.feed(feedOperator, loaded, stops: [])
                } catch {
                    if consequence != nil { throw error }
                }
            }
        } catch {
            throw ServiceError(.failed, "\(error)")
        }
        let entries = loaded.entries
        let favourites = try await DedicatedThread.attempt { FavouriteResolution(entries, in: directory) }
        let active = ActiveConfiguration(configuration: loaded, feeds: feeds, favourites: favourites)
        let catalogue: LocalBoardService.CatalogueSource = { feed in
            try factory.catalogue(of: feed, active.configuration)
        }
        return LocalBoardService(
            directory: directory, editor: editor, clock: clock, active: { active }, catalogue: catalogue,
            updates: try updates(loaded, catalogue))
    }

    /// Calls the running board, which has the keys; or this process, where no board can be called, and with `--config`.
    ///
    /// - Parameters:
    ///   - kinds: the errors of the running board after which this process is called.
    ///   - consequence: what faulty files mean for the command.
    func call<Value>(
        timeout: Duration, elseIf kinds: Set<ServiceError.Kind>, unlessFaulty consequence: String,
        _ body: (any BoardService) async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        if file == nil {
            do throws(ServiceError) {
                return try await body(Self.runningBoard(timeout: timeout))
            } catch {
                guard kinds.contains(error.kind) else { throw error }
            }
        }
        return try await body(try await localService(unlessFaulty: consequence))
    }
}
