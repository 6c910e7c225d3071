package import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardStore

/// A search for stops in the stop directory, and at operators with a stop search.
///
/// All searches run in parallel, each operator with its own limit of a few seconds; one that fails costs a remark. With
/// such an operator the directory may be missing.
package struct StopSearch: Sendable {
    package struct SearchResult<Found: Sendable>: Sendable {
        /// The matches, best first.
        package var found: [Found] = []
        /// What was not searched or left out: a sentence each, without a period.
        fileprivate var omissions: [String] = []
        /// Whether the operators' limits excluded stops.
        package var isLimited = false
        /// The failed requests, with the operators' names for users.
        fileprivate var failures: [(title: String, failure: FeedFailure)] = []

        /// What failed, was not searched or left out: a sentence each, without a period. Without matches, the error of
        /// ``complete()`` has the failures.
        package var remarks: [String] { omissions + (found.isEmpty ? [] : failures.map(\.failure.detail)) }

        /// The matches.
        ///
        /// - Throws: ``ServiceError`` where there are none, but an operator did not respond.
        package func complete() throws(ServiceError) -> [Found] {
            guard found.isEmpty, !failures.isEmpty else { return found }
            let titles = failures.map(\.title).joined(separator: " and ")
            let details = failures.map(\.failure.detail).joined(separator: "; ")
            throw ServiceError(.unavailable, "no results, but \(titles) did not respond: \(details)")
        }
    }

    private struct SearchedOperator: Sendable {
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
            .compactMap { _, feed in
                feed.finder.map { SearchedOperator(title: feed.profile.title, finder: $0) }
            }
    }

    /// Whether only the directory is searched.
    package var isLocal: Bool { operators.isEmpty }

    /// Stops by name: from the directory and from operators, from both where there are too many.
    package func stops(matching text: String, limit: Int) async throws(ServiceError) -> SearchResult<ListedStop> {
        let (local, remote) = try await search { (directory) throws(DirectoryFailure) in
            try directory.search(text, limit: limit)
        } operators: { finder throws(FeedFailure) in
            try await finder.stops(matching: text, limit: limit)
        }
        let room = min(remote.found.count, max(limit - local.found.count, limit / 2))
        var result = remote
        result.found = Array(local.found.prefix(limit - room) + remote.found.prefix(room))
        result.omissions = local.failures.map(\.description)
        return result
    }

    /// Stops around a place, nearest first. Stops without modes match any.
    package func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(ServiceError) -> SearchResult<NearStop> {
        let (local, remote) = try await search { (directory) throws(DirectoryFailure) in
            try directory.near(place, within: radius, modes: modes, limit: limit)
        } operators: { finder throws(FeedFailure) in
            try await finder.stops(near: place, within: radius, limit: limit)
        }
        let wanted = Set(modes.map { $0.lowercased() })
        let fitting = remote.found.filter { near in
            wanted.isEmpty || near.stop.modes.isEmpty || !wanted.isDisjoint(with: near.stop.modes)
        }
        var result = remote
        result.found = Array((local.found + fitting).sorted { $0.distance < $1.distance }.prefix(limit))
        var limits = operators.filter { $0.finder.maximumRadius < radius }.map {
            "\($0.title) searches at most \($0.finder.maximumRadius) away"
        }
        if result.found.isEmpty, !remote.found.isEmpty {
            limits.append(
                "modes there: \(Set(remote.found.flatMap(\.stop.modes)).sorted().joined(separator: ", "))")
        }
        result.isLimited = !limits.isEmpty
        result.omissions = local.failures.map(\.description) + limits
        return result
    }

    /// Searches the directory on a thread of its own, in parallel with the operators.
    private func search<Found: Sendable>(
        _ localQuery: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> DirectoryResult<Found>,
        operators query: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async throws(ServiceError) -> (local: DirectoryResult<Found>, remote: SearchResult<Found>) {
        async let reported = searchOperators(query)
        let directory = directory
        let result = try await DedicatedThread.attempt {
            Result { () throws(DirectoryFailure) in try localQuery(directory) }
        }
        let local: DirectoryResult<Found>
        do throws(DirectoryFailure) {
            local = try result.get()
        } catch {
            guard error.kind == .missing, !isLocal else { throw ServiceError(error) }
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
                case .failure(let failure): merged.failures.append((operators[index].title, failure))
                }
            }
            return merged
        }
    }
}
