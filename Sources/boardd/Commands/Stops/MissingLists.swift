internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardService
internal import BoardSimulation
internal import BoardStore
internal import Glibc

/// Loads the stop lists of feeds that have none yet, so that their stops can be searched.
struct MissingLists {
    let configuration: ConfigurationOption

    /// Downloads the lists of configured cities that have none; a remark states what to do where that fails.
    func loadCities() async {
        let configured = configuration.readable.feeds
        let cities = configured.keys.filter { name in !FeedRegistry.operators.contains { $0.declaration.name == name } }
        for city in FeedFactory.listed(of: configured, using: Set(cities)) where cities.contains(city) {
            do throws(ServiceError) {
                try await load([city])
            } catch {
                StandardError.write(
                    "remark: \(city) is not searched: \(error.message). Try: sudo boardd stops update \(city)\n")
            }
        }
    }

    /// Downloads the lists of those of the feeds that have none, with progress.
    ///
    /// - Throws: ``ServiceError`` with what to do where one cannot be downloaded.
    func load(_ feeds: [FeedName]) async throws(ServiceError) {
        for feed in try await without(feeds) {
            StandardError.write("\(feed): downloading the list of stops; this is needed once\n")
            let progress = UpdateProgress(
                isTerminal: Terminal.isTerminal(STDERR_FILENO, environment: Environment.current), clock: SystemClock(),
                write: { StandardError.draw($0) })
            let outcome: UpdateOutcome
            do {
                defer { progress.end() }
                outcome = try await ListUpdate(configuration: configuration, feed: feed, progress: progress).run()
            } catch let failure as ServiceError {
                throw failure
            } catch {
                throw ServiceError(.failed, "\(error)")
            }
            if let failure = outcome.errors.first { throw failure }
        }
    }

    private func without(_ feeds: [FeedName]) async throws(ServiceError) -> [FeedName] {
        let stored = try await DedicatedThread.attempt { Set((try? StopDirectory.installed.feeds()) ?? []) }
        return feeds.filter { !stored.contains($0) }
    }
}
