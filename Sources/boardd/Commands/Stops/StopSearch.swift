internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardStore

/// A search for stops in the stop directory, and at operators with a stop search.
///
/// All searches run in parallel, each operator with its own limit of a few seconds; one that fails costs a remark. With
/// such an operator the directory may be missing.
struct StopSearch: Sendable {
    struct SearchResult<Found: Sendable>: Sendable {
        /// The matches, best first.
        var found: [Found] = []
        /// Failures of the directory's files.
        var warnings: [DirectoryFailure] = []
        /// Operators that did not respond.
        var unavailable: [UnavailableOperator] = []
        /// What was not searched or left out: a sentence each, without a period.
        var limits: [String] = []

        /// Why an empty result is incomplete; nil where it is complete, or not empty.
        var incompleteReason: String? {
            guard found.isEmpty, !unavailable.isEmpty else { return nil }
            let titles = unavailable.map(\.title).joined(separator: " and ")
            return "no results, but \(titles) did not respond"
        }
    }

    struct UnavailableOperator: Sendable {
        /// Its name for users.
        let title: String
        let failure: FeedFailure
    }

    private struct SearchedOperator: Sendable {
        let feed: FeedName
        let title: String
        let finder: any StopFinder
    }

    private let directory: StopDirectory
    private let operators: [SearchedOperator]

    /// Searches the directory, and those of the feeds that are in use: a request discloses to its operator what a user searches
    /// for.
    init(_ directory: StopDirectory, _ feeds: [FeedName: any DepartureFeed], using used: Set<FeedName>) {
        self.directory = directory
        operators = feeds.filter { used.contains($0.key) }.sorted { $0.key.description < $1.key.description }
            .compactMap { name, feed in
                feed.finder.map { SearchedOperator(feed: name, title: feed.profile.title, finder: $0) }
            }
    }

    /// Searches the directory, and the operators of a configuration.
    ///
    /// - Parameter all: also those without a favourite.
    init(_ directory: StopDirectory, _ option: ConfigurationOption, all: Bool) {
        let loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try option.load()
        } catch {
            // `boardd check` reports faults of the files.
            loaded = error.partial
        }
        let used = Set(loaded.favourites.map(\.stop.feed))
        let operators = FeedFactory.operators(of: loaded.feeds).filter { feedOperator in
            feedOperator.declaration.searchesStops && (all || used.contains(feedOperator.declaration.name))
        }
        var feeds: [FeedName: any DepartureFeed] = [:]
        if !operators.isEmpty, let factory = try? FeedFactory(source: .live(record: nil), clock: SystemClock()) {
            // A feed that cannot be made does not stop the others.
            for feedOperator in operators {
                feeds[feedOperator.declaration.name] = try? factory.feed(feedOperator, loaded.feeds)
            }
        }
        self.init(directory, feeds, using: Set(feeds.keys))
    }

    /// Whether only the directory is searched.
    var isLocal: Bool { operators.isEmpty }

    /// The stop search of a feed's operator; nil where its list is in the directory.
    func finder(of feed: FeedName) -> (any StopFinder)? { operators.first { $0.feed == feed }?.finder }

    /// Stops by name: from the directory and from operators, from both where there are too many.
    func stops(matching text: String, limit: Int) async throws(DirectoryFailure) -> SearchResult<ListedStop> {
        let (local, remote) = try await search { (directory) throws(DirectoryFailure) in
            try directory.search(text, limit: limit)
        } operators: { finder throws(FeedFailure) in
            try await finder.stops(matching: text, limit: limit)
        }
        let room = min(remote.found.count, max(limit - local.found.count, limit / 2))
        return SearchResult(
            found: Array(local.found.prefix(limit - room) + remote.found.prefix(room)), warnings: local.failures,
            unavailable: remote.unavailable)
    }

    /// Stops around a place, nearest first. Stops without modes match any.
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(DirectoryFailure) -> SearchResult<NearStop> {
        let (local, remote) = try await search { (directory) throws(DirectoryFailure) in
            try directory.near(place, within: radius, modes: modes, limit: limit)
        } operators: { finder throws(FeedFailure) in
            try await finder.stops(near: place, within: radius, limit: limit)
        }
        let wanted = Set(modes.map { $0.lowercased() })
        let fitting = remote.found.filter { near in
            wanted.isEmpty || near.stop.modes.isEmpty || !wanted.isDisjoint(with: near.stop.modes)
        }
        let found = (local.found + fitting).sorted { $0.distance < $1.distance }.prefix(limit)
        var limits = operators.filter { $0.finder.maximumRadius < radius }.map {
            "\($0.title) searches at most \($0.finder.maximumRadius) away"
        }
        if found.isEmpty, !remote.found.isEmpty {
            limits.append(
                "modes there: \(Set(remote.found.flatMap(\.stop.modes)).sorted().joined(separator: ", "))")
        }
        return SearchResult(
            found: Array(found), warnings: local.failures, unavailable: remote.unavailable, limits: limits)
    }

    /// Searches the directory on a thread of its own, in parallel with the operators.
    private func search<Found: Sendable>(
        _ localQuery: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> DirectoryResult<Found>,
        operators query: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async throws(DirectoryFailure) -> (local: DirectoryResult<Found>, remote: SearchResult<Found>) {
        async let reported = searchOperators(query)
        let directory = directory
        let result: Result<DirectoryResult<Found>, DirectoryFailure>
        do throws(ThreadFailure) {
            result = try await DedicatedThread.run("directory") {
                Result { () throws(DirectoryFailure) in try localQuery(directory) }
            }
        } catch {
            result = .failure(DirectoryFailure(.other("\(error)"), file: directory.folder))
        }
        let local: DirectoryResult<Found>
        do throws(DirectoryFailure) {
            local = try result.get()
        } catch {
            guard error.kind == .missing, !isLocal else { throw error }
            local = DirectoryResult(found: [])
        }
        return (local, await reported)
    }

    private func searchOperators<Found: Sendable>(
        _ query: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async -> SearchResult<Found> {
        await withTaskGroup(of: (Int, Result<[Found], FeedFailure>).self) { group in
            for (index, searched) in operators.enumerated() {
                group.addTask {
                    do throws(FeedFailure) {
                        return (index, .success(try await query(searched.finder)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<[Found], FeedFailure>)] = []
            for await result in group { results.append(result) }
            var merged = SearchResult<Found>()
            for (index, result) in results.sorted(by: { $0.0 < $1.0 }) {
                switch result {
                case .success(let found): merged.found += found
                case .failure(let failure):
                    merged.unavailable.append(UnavailableOperator(title: operators[index].title, failure: failure))
                }
            }
            return merged
        }
    }
}
