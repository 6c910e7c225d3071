internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads

/// A search for stops: in the stop directory, and by the operators that search theirs themselves.
///
/// All are asked at once, an operator for its own few seconds; one that gives no answer costs a remark. Where an operator
/// is asked there need be no directory.
struct OperatorSearch: Sendable {
    /// What came of asking.
    struct Answer<Found: Sendable>: Sendable {
        /// What was found, best first.
        var found: [Found] = []
        /// The files of the directory that gave no answer beside the others.
        var remarks: [DirectoryFailure] = []
        /// The operators that gave none.
        var silences: [Silence] = []
        /// What was not looked for, or left out: a sentence each, without its end.
        var limits: [String] = []

        /// Why finding nothing does not mean that there is nothing; nil where it does, or something was found.
        var doubt: String? {
            guard found.isEmpty, !silences.isEmpty else { return nil }
            let titles = silences.map(\.title).joined(separator: " and ")
            return "nothing was found, but \(titles) gave no answer"
        }
    }

    /// An operator that gave no answer.
    struct Silence: Sendable {
        /// Its name for people.
        let title: String
        let failure: FeedFailure
    }

    private struct Asked: Sendable {
        let feed: FeedName
        let title: String
        let finder: any StopFinder
    }

    private let directory: StopDirectory
    private let asked: [Asked]

    /// The directory, and the operators among these feeds; of all of them those in use alone, since a question tells them what a
    /// person looks for.
    init(_ directory: StopDirectory, _ feeds: [FeedName: any DepartureFeed], using used: Set<FeedName>) {
        self.directory = directory
        asked = feeds.filter { used.contains($0.key) }.sorted { $0.key.description < $1.key.description }
            .compactMap { name, feed in
                feed.finder.map { Asked(feed: name, title: feed.profile.title, finder: $0) }
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
        let operators = FeedAssembly.operators(of: loaded.feeds).filter { known in
            known.declaration.searchesStops && (all || used.contains(known.declaration.name))
        }
        var feeds: [FeedName: any DepartureFeed] = [:]
        if !operators.isEmpty, let assembly = try? FeedAssembly(source: .live(record: nil), clock: SystemClock()) {
            // One that cannot be made keeps no other back.
            for known in operators { feeds[known.declaration.name] = try? assembly.feed(known, loaded.feeds) }
        }
        self.init(directory, feeds, using: Set(feeds.keys))
    }

    /// Whether only the directory is asked.
    var isLocal: Bool { asked.isEmpty }

    /// What asks a feed's operator itself; nil where its list is in the directory.
    func finder(of feed: FeedName) -> (any StopFinder)? { asked.first { $0.feed == feed }?.finder }

    /// Stops by their names: of the directory and of operators, of both where there is more than enough.
    func stops(matching text: String, limit: Int) async throws(DirectoryFailure) -> Answer<ListedStop> {
        let (mine, theirs) = try await search { (directory) throws(DirectoryFailure) in
            try directory.search(text, limit: limit)
        } asking: { finder throws(FeedFailure) in
            try await finder.stops(matching: text, limit: limit)
        }
        let room = min(theirs.found.count, max(limit - mine.found.count, limit / 2))
        return Answer(
            found: Array(mine.found.prefix(limit - room) + theirs.found.prefix(room)), remarks: mine.failures,
            silences: theirs.silences)
    }

    /// Stops around a place, nearest first. What operators say nothing of may call.
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int
    ) async throws(DirectoryFailure) -> Answer<NearStop> {
        let (mine, theirs) = try await search { (directory) throws(DirectoryFailure) in
            try directory.near(place, within: radius, modes: modes, limit: limit)
        } asking: { finder throws(FeedFailure) -> [NearStop] in
            try await finder.stops(near: place, within: radius, limit: limit).map {
                NearStop(stop: $0.stop, distance: $0.distance)
            }
        }
        let wanted = Set(modes.map { $0.lowercased() })
        let fitting = theirs.found.filter { near in
            wanted.isEmpty || near.stop.modes.isEmpty || !wanted.isDisjoint(with: near.stop.modes)
        }
        let found = (mine.found + fitting).sorted { $0.distance < $1.distance }.prefix(limit)
        var limits = asked.filter { $0.finder.reach < radius }.map {
            "\($0.title) looks no farther than \($0.finder.reach)"
        }
        if found.isEmpty, !theirs.found.isEmpty {
            limits.append(
                "what calls there: \(Set(theirs.found.flatMap(\.stop.modes)).sorted().joined(separator: ", "))")
        }
        return Answer(
            found: Array(found), remarks: mine.failures, silences: theirs.silences, limits: limits)
    }

    /// Looks into the directory, on a thread of its own, while the operators are asked.
    private func search<Found: Sendable>(
        _ look: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> DirectoryAnswer<Found>,
        asking question: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async throws(DirectoryFailure) -> (mine: DirectoryAnswer<Found>, theirs: Answer<Found>) {
        async let told = ask(question)
        let directory = directory
        let result: Result<DirectoryAnswer<Found>, DirectoryFailure>
        do throws(ThreadFailure) {
            result = try await DedicatedThread.run("look") {
                Result { () throws(DirectoryFailure) in try look(directory) }
            }
        } catch {
            result = .failure(DirectoryFailure(.other("\(error)"), file: directory.folder))
        }
        let mine: DirectoryAnswer<Found>
        do throws(DirectoryFailure) {
            mine = try result.get()
        } catch {
            guard error.kind == .missing, !isLocal else { throw error }
            mine = DirectoryAnswer(found: [])
        }
        return (mine, await told)
    }

    private func ask<Found: Sendable>(
        _ question: @escaping @Sendable (any StopFinder) async throws(FeedFailure) -> [Found]
    ) async -> Answer<Found> {
        await withTaskGroup(of: (Int, Result<[Found], FeedFailure>).self) { group in
            for (index, asked) in asked.enumerated() {
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
            var answer = Answer<Found>()
            for (index, result) in results.sorted(by: { $0.0 < $1.0 }) {
                switch result {
                case .success(let found): answer.found += found
                case .failure(let failure):
                    answer.silences.append(Silence(title: asked[index].title, failure: failure))
                }
            }
            return answer
        }
    }
}
