import BoardCore
import BoardStore

/// The time of searches in the stop directory, in this process.
enum SearchCost {
    /// The default number of stops in one response of the control socket.
    private static let limit = 20
    /// The number of rounds over all searches. The median of each search counts, so that a short interruption by another
    /// program has no effect.
    private static let rounds = 3
    /// The limit for 99 % of the searches.
    private static let goal = Duration.milliseconds(10)

    /// A line of the file of searches.
    private struct Search {
        enum Query {
            case search(String)
            case near(Coordinates, Metres, modes: [String])
            /// An identifier that no stop has: "did you mean".
            case meant(String)
        }

        let query: Query

        /// `search`, kind, text; `near`, kind, coordinates, metres, modes; `meant`, kind, text; separated by tabs.
        init?(_ line: Substring) {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 3 else { return nil }
            switch parts[0] {
            case "search": query = .search(parts[2])
            case "meant": query = .meant(parts[2])
            case "near":
                guard parts.count == 5, let point = try? Coordinates(written: parts[2]), let metres = Double(parts[3])
                else { return nil }
                query = .near(point, Metres(metres), modes: parts[4].split(separator: ",").map(String.init))
            default: return nil
            }
        }

        /// Whether the line begins with this word.
        func isA(_ word: String) -> Bool {
            switch query {
            case .search: word == "search"
            case .near: word == "near"
            case .meant: word == "meant"
            }
        }

        func run(_ directory: StopDirectory) throws(StoreError) {
            switch query {
            case .search(let text): _ = try directory.search(text, limit: limit)
            case .near(let point, let metres, let modes):
                _ = try directory.near(point, within: metres, modes: modes, limit: limit)
            case .meant(let text): _ = try directory.candidates(forStop: text)
            }
        }
    }

    /// Writes the rows.
    ///
    /// - Parameters:
    ///   - folder: the stop directory's.
    ///   - file: the searches, as `Benchmarks/searches.py` writes them.
    static func report(folder: String, file: String) {
        let searches = Files.read(file).split(separator: UInt8(ascii: "\n")).compactMap {
            Search(Substring(decoding: $0, as: UTF8.self))
        }
        let directory = StopDirectory(folder: folder)
        let stops = directory.editions().found.reduce(0) { $0 + $1.stops }
        do throws(StoreError) {
            for (word, name) in [("search", "by name or code"), ("near", "by position")] {
                let own = searches.filter { $0.isA(word) }
                let all = Percentiles(try measure(own, directory))
                BenchmarkRow(
                    what: "\(own.count) searches \(name) over \(stops) stops, in process",
                    measured: all.text, goal: "p99 <= \(goal.inMilliseconds.text(0)) ms", isMet: all.p99 <= goal
                ).write()
            }
            let meant = try measure(searches.filter { $0.isA("meant") }, directory)
            BenchmarkRow(
                what: "  \"did you mean\" for \(meant.count) stops that do not exist",
                measured: Percentiles(meant).text
            ).write()
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    /// The median time of each search.
    private static func measure(
        _ searches: [Search], _ directory: StopDirectory
    ) throws(StoreError) -> [Duration] {
        var took = searches.map { _ in [Duration]() }
        let clock = ContinuousClock()
        for _ in 0..<rounds {
            for (index, search) in searches.enumerated() {
                let began = clock.now
                try search.run(directory)
                took[index].append(clock.now - began)
            }
        }
        return took.map { $0.sorted()[rounds / 2] }
    }
}

/// Percentiles of times.
struct Percentiles {
    let p50: Duration
    let p99: Duration
    let max: Duration

    /// The percentiles of times in any order; zero if there are none.
    init(_ times: [Duration]) {
        let sorted = times.sorted()
        p50 = sorted.isEmpty ? .zero : sorted[sorted.count / 2]
        p99 = sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        max = sorted.last ?? .zero
    }

    var text: String {
        "p50 \(p50.inMilliseconds.text(2)), p99 \(p99.inMilliseconds.text(2)), max \(max.inMilliseconds.text(2)) ms"
    }
}

extension Duration {
    /// Milliseconds, with a fraction.
    var inMilliseconds: Double { inSeconds * 1e3 }
}
