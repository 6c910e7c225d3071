package import BoardCore
import BoardFeeds
import BoardIO
package import BoardStore

/// A search for stops in the stop directory, and at operators with a stop search.
///
/// All searches run in parallel, each operator with its own time limit of a few seconds; a failure becomes a remark.
/// With such an operator, the directory may be missing.
package struct StopSearch: Sendable {
    package struct SearchResult<Found: Sendable>: Sendable {
        /// The matches, best first.
        package var found: [Found] = []
        /// What was not searched or left out: one sentence each, without a full stop.
        fileprivate var omissions: [String] = []
        /// Whether the operators' limits excluded stops.
        package var isLimited = false
        /// The failed requests, with the operators' names for users.
        fileprivate var failures: [(title: String, failure: FeedError)] = []

        /// What failed, was not searched or left out: one sentence each, without a full stop. Without matches,
        /// ``complete()`` throws the failures instead.
        package var remarks: [String] { omissions + (found.isEmpty ? [] : failures.map(\.failure.detail)) }

        /// The matches.
        ///
        /// - Throws: ``ServiceError`` if there are none and an operator did not respond.
        package func complete() throws(ServiceError) -> [Found] {
            guard found.isEmpty, !failures.isEmpty else { return found }
            let titles = failures.map(\.title).joined(separator: " and ")
            let details = failures.map(\.failure.detail).joined(separator: "; ")
            guard failures.contains(where: { !$0.failure.isOfKey }) else { throw ServiceError(.notAllowed, details) }
            throw ServiceError(.unavailable, "no results, but \(titles) did not respond: \(details)")
        }
    }

    private let directory: StopDirectory
    private let operators: [(title: String, finder: any StopFinder)]

    /// Searches the directory, and the operators of the feeds in use: a request tells an operator what a user searches
    /// for.
    init(_ directory: StopDirectory, _ feeds: [FeedName: any DepartureFeed], using used: Set<FeedName>) {
        self.directory = directory
        operators = feeds.filter { used.contains($0.key) }.sorted { $0.key.description < $1.key.description }
            .compactMap { _, feed in feed.finder.map { (feed.profile.title, $0) } }
    }

    /// Whether only the directory is searched.
    package var isLocal: Bool { operators.isEmpty }

    /// Stops by name: from the directory and from operators; some of both if there are too many.
    package func stops(matching text: String, limit: Int) async throws(ServiceError) -> SearchResult<ListedStop> {
        let (local, remote) = try await search {
            try $0.search(text, limit: limit)
        } operators: { finder throws(FeedError) in
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
        let (local, remote) = try await search {
            try $0.near(place, within: radius, modes: modes, limit: limit)
        } operators: { finder throws(FeedError) in
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
            limits.append("modes there: \(Set(remote.found.flatMap(\.stop.modes)).sorted().joined(separator: ", "))")
        }
        result.isLimited = !limits.isEmpty
        result.omissions = local.failures.map(\.description) + limits
        return result
    }

    /// Searches the directory on a thread of its own, in parallel with the operators.
    private func search<Found: Sendable>(
        _ localQuery: @escaping @Sendable (StopDirectory) throws -> DirectoryResult<Found>,
        operators query: @escaping @Sendable (any StopFinder) async throws(FeedError) -> [Found]
    ) async throws(ServiceError) -> (local: DirectoryResult<Found>, remote: SearchResult<Found>) {
        async let reported = searchOperators(query)
        let local: DirectoryResult<Found>
        do throws(ServiceError) {
            local = try await directory.read(localQuery)
        } catch {
            guard error.kind == .noDirectory, !isLocal else { throw error }
            local = DirectoryResult(found: [])
        }
        return (local, await reported)
    }

    private func searchOperators<Found: Sendable>(
        _ query: @escaping @Sendable (any StopFinder) async throws(FeedError) -> [Found]
    ) async -> SearchResult<Found> {
        await withTaskGroup(of: (Int, Result<[Found], FeedError>).self) { group in
            for (index, searched) in operators.enumerated() {
                group.addTask { [finder = searched.finder] in
                    do throws(FeedError) {
                        return (index, .success(try await query(finder)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<[Found], FeedError>)] = []
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

extension StopDirectory {
    /// Runs a query on a thread of its own.
    package func read<Value: Sendable>(
        _ query: @escaping @Sendable (StopDirectory) throws -> Value
    ) async throws(ServiceError) -> Value {
        try await DedicatedThread.attempt { try query(self) }
    }

    /// What is wrong with a stop, as the end of a sentence that begins with it; nil if its feed's list has the stop, or
    /// there is no list. An operator may respond to an unknown stop as in an outage. Blocks for a few queries.
    package func missingReason(of stop: StopID) -> String? {
        do throws(StoreError) {
            guard try self.stop(stop) == nil else { return nil }
            let near = try candidates(forStop: stop.description, limit: Candidate.maximumCount).found
            // Operators ignore the case of a code.
            if near.contains(where: { $0.id.code.lowercased() == stop.code.lowercased() }) { return nil }
            let names = near.map { "\($0.id) (\($0.name))" }
            let suggestion = names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
            let end = names.isEmpty ? "; search for it with" : " Search for it with"
            return
                "is not in the list of stops of \(stop.feed)\(suggestion)\(end) `boardd stops search NAME`, or fetch "
                + "a newer list with `boardd stops update`"
        } catch {
            // Without a list there is no result; `boardd stops` reports its faults.
            return nil
        }
    }
}

/// Resolves `--stop` to stops of a line: by code, short number, name, or by the station or area that they are part of.
package struct RouteStopMatcher: Sendable {
    private let route: RouteEntry
    private let directory: StopDirectory

    package init(route: RouteEntry, directory: StopDirectory) {
        self.route = route
        self.directory = directory
    }

    /// The matching stops. Blocks for a few queries.
    ///
    /// - Throws: ``ServiceError`` with stops of the line if none matches.
    package func find(_ text: String) throws(ServiceError) -> Set<String> {
        let calls = route.directions.flatMap(\.branches).flatMap(\.stops)
        let wanted = text.lowercased()
        let called = calls.filter { call in
            call.stop.lowercased() == wanted || StopID(call.stop)?.code.lowercased() == wanted
        }
        if !called.isEmpty { return Set(called.map(\.stop)) }
        // Names of the line's own stops take precedence over those of others.
        let named = calls.filter { $0.name.lowercased().hasPrefix(wanted) }
        if !named.isEmpty { return Set(named.map(\.stop)) }
        // Without a directory only the line's own stops are searched.
        let listed = (try? StopResolver(directory: directory).find(text).get()) ?? []
        let related = Set(
            listed.flatMap { stop in
                [stop.id] + (stop.parent.map { [$0] } ?? []) + ((try? directory.parts(of: stop.id)) ?? []).map(\.id)
            }.map(\.description))
        let onLine = related.intersection(calls.map(\.stop))
        if !onLine.isEmpty { return onLine }
        throw error(of: text, listed.first, calls)
    }

    private func error(of text: String, _ stop: ListedStop?, _ calls: [RouteEntry.Call]) -> ServiceError {
        let line = "line \(route.name)"
        guard let stop else {
            return ServiceError(.notFound, "\(line) has no stop \"\(text)\"", candidates: candidates(like: text, calls))
        }
        return ServiceError(
            .notFound, "\(line) does not call at \(stop.id) \(stop.name)",
            candidates: stop.coordinates.map { candidates(near: $0, calls) } ?? [])
    }

    /// The line's stops nearest to a place.
    private func candidates(near place: Coordinates, _ calls: [RouteEntry.Call]) -> [Candidate] {
        let near = calls.compactMap { call in
            Coordinates(latitude: call.latitude, longitude: call.longitude).map { (call, place.distance(to: $0)) }
        }
        return first(near.sorted { $0.1 < $1.1 }.map(\.0))
    }

    /// The line's stops whose names contain a word of the text.
    private func candidates(like text: String, _ calls: [RouteEntry.Call]) -> [Candidate] {
        let words = text.lowercased().split(separator: " ").filter { $0.count > 2 }
        return first(calls.filter { call in words.contains { call.name.lowercased().contains($0) } })
    }

    private func first(_ calls: [RouteEntry.Call]) -> [Candidate] {
        var seen: Set<String> = []
        return calls.filter { seen.insert($0.stop).inserted }.prefix(Candidate.maximumCount).map { call in
            Candidate(id: call.stop, name: call.letter.map { "\(call.name) \($0)" } ?? call.name)
        }
    }
}
