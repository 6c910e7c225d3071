internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// What operators find that search their stops themselves, beside what the stop directory has.
///
/// They are asked at once, and each within its own few seconds; one that gives no answer costs a remark.
struct OperatorSearch: Sendable {
    /// What came of asking.
    struct Answer<Found: Sendable>: Sendable {
        /// What was found, the best of each operator first.
        var found: [Found] = []
        /// Why some gave no answer.
        var failures: [FeedFailure] = []
    }

    private let finders: [any StopFinder]

    /// The operators among these feeds; of all of them those in use alone, since a question tells them what a person
    /// looks for.
    init(_ feeds: [FeedName: any DepartureFeed], using used: Set<FeedName>) {
        finders = feeds.filter { used.contains($0.key) }.sorted { $0.key.description < $1.key.description }
            .compactMap { $0.value.finder }
    }

    /// The operators of a configuration.
    ///
    /// - Parameter all: those as well of which no stop is a favourite.
    static func configured(_ option: ConfigurationOption, all: Bool) -> OperatorSearch {
        let loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try option.load()
        } catch {
            // Faulty files are `boardd check`'s business.
            loaded = error.partial
        }
        let used = all ? Set(loaded.feeds.keys) : Set(loaded.favourites.map(\.stop.feed))
        guard !used.isEmpty,
            let feeds = try? FeedAssembly(source: .live(record: nil), clock: SystemClock()).feeds(loaded.feeds)
        else { return OperatorSearch([:], using: []) }
        return OperatorSearch(feeds, using: used)
    }

    /// Whether there is nobody to be asked.
    var isEmpty: Bool { finders.isEmpty }

    /// Stops by their names.
    func stops(matching text: String, limit: Int) async -> Answer<ListedStop> {
        await ask { finder throws(FeedFailure) in try await finder.stops(matching: text, limit: limit) }
    }

    /// Stops around a place, nearest first.
    func stops(near place: Coordinates, within radius: Metres, limit: Int) async -> Answer<NearStop> {
        var answer = await ask { finder throws(FeedFailure) -> [NearStop] in
            try await finder.stops(near: place, within: radius, limit: limit).map {
                NearStop(stop: $0.stop, distance: $0.distance)
            }
        }
        answer.found.sort { $0.distance < $1.distance }
        return answer
    }

    private func ask<Found: Sendable>(
        _ question: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async -> Answer<Found> {
        await withTaskGroup(of: (Int, Result<[Found], FeedFailure>).self) { group in
            for (index, finder) in finders.enumerated() {
                group.addTask {
                    do throws(FeedFailure) {
                        return (index, .success(try await question(finder)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<[Found], FeedFailure>)] = []
            for await result in group { results.append(result) }
            var answer = Answer<Found>()
            for (_, result) in results.sorted(by: { $0.0 < $1.0 }) {
                switch result {
                case .success(let found): answer.found += found
                case .failure(let failure): answer.failures.append(failure)
                }
            }
            return answer
        }
    }
}

extension [ListedStop] {
    /// So many of what the directory has and of what operators found: of both, where there is more than enough.
    func together(with others: [ListedStop], limit: Int) -> [ListedStop] {
        let room = Swift.min(others.count, Swift.max(limit - count, limit / 2))
        return Array(prefix(limit - room) + others.prefix(room))
    }
}

extension [NearStop] {
    /// So many of what the directory has and of what operators found, nearest first. What they say nothing of may call.
    func together(with others: [NearStop], of modes: [String], limit: Int) -> [NearStop] {
        let wanted = Set(modes.map { $0.lowercased() })
        let fitting = others.filter { near in
            wanted.isEmpty || near.stop.modes.isEmpty || !wanted.isDisjoint(with: near.stop.modes)
        }
        return Array((self + fitting).sorted { $0.distance < $1.distance }.prefix(limit))
    }
}
