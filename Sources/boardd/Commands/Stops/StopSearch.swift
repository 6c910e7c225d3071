internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads

/// A search for stops: in the stop directory, and by the operators that search theirs themselves.
///
/// All are asked at once, an operator for its own few seconds; one that gives no answer costs a remark. Where an operator
/// is asked there need be no directory.
struct StopSearch: Sendable {
    /// What came of asking.
    struct SearchResult<Found: Sendable>: Sendable {
        /// What was found, best first.
        var found: [Found] = []
        /// The files of the directory that gave no answer beside the others.
        var warnings: [DirectoryFailure] = []
        /// The operators that gave none.
        var unavailable: [UnavailableOperator] = []
        /// What was not looked for, or left out: a sentence each, without its end.
        var limits: [String] = []

        /// Why finding nothing does not mean that there is nothing; nil where it does, or something was found.
        var incompleteReason: String? {
            guard found.isEmpty, !unavailable.isEmpty else { return nil }
            let titles = unavailable.map(\.title).joined(separator: " and ")
            return "nothing was found, but \(titles) gave no answer"
        }
    }

    /// An operator that gave no answer.
    struct UnavailableOperator: Sendable {
        /// Its name for people.
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

    /// The directory, and the operators among these feeds; of all of them those in use alone, since a question tells them what a
    /// person looks for.
    init(_ directory: StopDirectory, _ feeds: [FeedName: any DepartureFeed], using used: Set<FeedName>) {
        self.directory = directory
        operators = feeds.filter { used.contains($0.key) }.sorted { $0.key.description < $1.key.description }
            .compactMap { name, feed in
                feed.finder.map { SearchedOperator(feed: name, title: feed.profile.title, finder: $0) }
            }
    }

    /// The directory, and the operators of a configuration.
    ///
    /// - Parameter all: those as well of which no stop is a favourite.
    init(_ directory: StopDirectory, _ option: ConfigurationOption, all: Bool) {
        let loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try option.load()
        } catch {
            // Faulty files are `boardd check`'s business.
            loaded = error.partial
        }
        let used = Set(loaded.favourites.map(\.stop.feed))
        let operators = FeedFactory.operators(of: loaded.feeds).filter { known in
            known.declaration.searchesStops && (all || used.contains(known.declaration.name))
        }
        var feeds: [FeedName: any DepartureFeed] = [:]
        if !operators.isEmpty, let assembly = try? FeedFactory(source: .live(record: nil), clock: SystemClock()) {
            // One that cannot be made keeps no other back.
            for known in operators { feeds[known.declaration.name] = try? assembly.feed(known, loaded.feeds) }
        }
        self.init(directory, feeds, using: Set(feeds.keys))
    }

    /// Whether only the directory is asked.
    var isLocal: Bool { operators.isEmpty }

    /// What asks a feed's operator itself; nil where its list is in the directory.
    func finder(of feed: FeedName) -> (any StopFinder)? { operators.first { $0.feed == feed }?.finder }

    /// Stops by their names: of the directory and of operators, of both where there is more than enough.
    func stops(matching text: String, limit: Int) async throws(DirectoryFailure) -> SearchResult<ListedStop> {
        let (local, remote) = try await search { (directory) throws(DirectoryFailure) in
            try directory.search(text, limit: limit)
        } asking: { finder throws(FeedFailure) in
            try await finder.stops(matching: text, limit: limit)
        }
        let room = min(remote.found.count, max(limit - local.found.count, limit / 2))
        return SearchResult(
            found: Array(local.found.prefix(limit - room) + remote.found.prefix(room)), warnings: local.failures,
            unavailable: remote.unavailable)
    }

    /// Stops around a place, nearest first. What operators say nothing of may call.
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(DirectoryFailure) -> SearchResult<NearStop> {
        let (local, remote) = try await search { (directory) throws(DirectoryFailure) in
            try directory.near(place, within: radius, modes: modes, limit: limit)
        } asking: { finder throws(FeedFailure) -> [NearStop] in
            try await finder.stops(near: place, within: radius, limit: limit).map {
                NearStop(stop: $0.stop, distance: $0.distance)
            }
        }
        let wanted = Set(modes.map { $0.lowercased() })
        let fitting = remote.found.filter { near in
            wanted.isEmpty || near.stop.modes.isEmpty || !wanted.isDisjoint(with: near.stop.modes)
        }
        let found = (local.found + fitting).sorted { $0.distance < $1.distance }.prefix(limit)
        var limits = operators.filter { $0.finder.maximumRadius < radius }.map {
            "\($0.title) looks no farther than \($0.finder.maximumRadius)"
        }
        if found.isEmpty, !remote.found.isEmpty {
            limits.append(
                "what calls there: \(Set(remote.found.flatMap(\.stop.modes)).sorted().joined(separator: ", "))")
        }
        return SearchResult(
            found: Array(found), warnings: local.failures, unavailable: remote.unavailable, limits: limits)
    }

    /// Looks into the directory, on a thread of its own, while the operators are asked.
    private func search<Found: Sendable>(
        _ look: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> DirectoryResult<Found>,
        asking question: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async throws(DirectoryFailure) -> (local: DirectoryResult<Found>, remote: SearchResult<Found>) {
        async let told = ask(question)
        let directory = directory
        let result: Result<DirectoryResult<Found>, DirectoryFailure>
        do throws(ThreadFailure) {
            result = try await DedicatedThread.run("look") {
                Result { () throws(DirectoryFailure) in try look(directory) }
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
        return (local, await told)
    }

    private func ask<Found: Sendable>(
        _ question: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async -> SearchResult<Found> {
        await withTaskGroup(of: (Int, Result<[Found], FeedFailure>).self) { group in
            for (index, asked) in operators.enumerated() {
                group.addTask {
                    do throws(FeedFailure) {
                        return (index, .success(try await question(asked.finder)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<[Found], FeedFailure>)] = []
            for await result in group { results.append(result) }
            var answer = SearchResult<Found>()
            for (index, result) in results.sorted(by: { $0.0 < $1.0 }) {
                switch result {
                case .success(let found): answer.found += found
                case .failure(let failure):
                    answer.unavailable.append(UnavailableOperator(title: operators[index].title, failure: failure))
                }
            }
            return answer
        }
    }
}
