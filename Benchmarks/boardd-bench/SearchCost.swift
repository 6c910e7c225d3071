internal import BoardCore
internal import BoardStore

/// How long the questions to the stop directory take, in this process.
enum SearchCost {
    /// Stops of one answer, as the control socket gives them unless told otherwise; and the most that it gives.
    private static let usual = 20, most = 100
    /// Each question is asked so often, in rounds over all of them; its median counts, so that another program that
    /// takes the processor for a moment is not measured.
    private static let rounds = 3
    /// The most that the hundredth part of the questions may take.
    private static let goal = Duration.milliseconds(10)

    /// A line of the file of questions.
    private struct Search {
        enum Query {
            case search(String)
            case near(Coordinates, Metres, modes: [String])
            /// An identifier that no stop has: "did you mean".
            case meant(String)
        }

        let matter: Query
        let kind: String

        /// `search`, kind, text; `near`, kind, coordinates, metres, modes; `meant`, kind, text; with tabs between them.
        init?(_ line: Substring) {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 3 else { return nil }
            kind = parts[1]
            switch parts[0] {
            case "search": matter = .search(parts[2])
            case "meant": matter = .meant(parts[2])
            case "near":
                guard parts.count == 5, let point = try? Coordinates(written: parts[2]), let metres = Double(parts[3])
                else { return nil }
                matter = .near(point, Metres(metres), modes: parts[4].split(separator: ",").map(String.init))
            default: return nil
            }
        }

        /// Whether it begins with this word.
        func isA(_ word: String) -> Bool {
            switch matter {
            case .search: word == "search"
            case .near: word == "near"
            case .meant: word == "meant"
            }
        }

        /// Asks; gives how many stops were found.
        func ask(_ directory: StopDirectory, limit: Int) throws(DirectoryFailure) -> Int {
            switch matter {
            case .search(let text): try directory.search(text, limit: limit).found.count
            case .near(let point, let metres, let modes):
                try directory.near(point, within: metres, modes: modes, limit: limit).found.count
            case .meant(let text): try directory.candidates(forStop: text).found.count
            }
        }
    }

    /// Writes the rows.
    ///
    /// - Parameters:
    ///   - folder: the stop directory's.
    ///   - file: the questions, as `Benchmarks/questions.py` writes them.
    static func report(folder: String, file: String) {
        let questions = Files.read(file).split(separator: UInt8(ascii: "\n")).compactMap {
            Search(Substring(decoding: $0, as: UTF8.self))
        }
        let directory = StopDirectory(folder: folder)
        let stops = directory.editions().found.reduce(0) { $0 + $1.stops }
        do throws(DirectoryFailure) {
            for (word, name) in [("search", "by name or code"), ("near", "by place")] {
                let own = questions.filter { $0.isA(word) }
                let times = try measure(own, directory, limit: usual)
                let times100 = try measure(own, directory, limit: most)
                let all = Percentiles(times.map(\.took))
                Result(
                    what: "\(own.count) questions \(name) over \(stops) stops, in process",
                    measured: all.text, goal: "p99 <= \(goal.inMilliseconds.text(0)) ms", isMet: all.p99 <= goal
                ).write()
                Result(
                    what: "  the same with \(most) stops an answer instead of \(usual)",
                    measured: Percentiles(times100.map(\.took)).text
                ).write()
                Result(what: "  p99 by kind, ms (found on average)", measured: kinds(times)).write()
            }
            let meant = try measure(questions.filter { $0.isA("meant") }, directory, limit: usual)
            Result(
                what: "  \"did you mean\" for \(meant.count) stops that are not there",
                measured: Percentiles(meant.map(\.took)).text
            ).write()
        } catch {
            print("boardd-bench: \(error)")
        }
    }

    private struct Measurement {
        let kind: String
        let took: Duration
        let found: Int
    }

    private static func measure(
        _ questions: [Search], _ directory: StopDirectory, limit: Int
    ) throws(DirectoryFailure) -> [Measurement] {
        var took = questions.map { _ in [Duration]() }
        var found = questions.map { _ in 0 }
        let clock = ContinuousClock()
        for _ in 0..<rounds {
            for (place, question) in questions.enumerated() {
                let began = clock.now
                found[place] = try question.ask(directory, limit: limit)
                took[place].append(clock.now - began)
            }
        }
        return questions.indices.map { place in
            Measurement(kind: questions[place].kind, took: took[place].sorted()[rounds / 2], found: found[place])
        }
    }

    private static func kinds(_ times: [Measurement]) -> String {
        let byKind = Dictionary(grouping: times, by: \.kind)
        return byKind.map { kind, times in (kind, Percentiles(times.map(\.took)), times.reduce(0) { $0 + $1.found }) }
            .sorted { $0.1.p99 > $1.1.p99 }
            .map { kind, spread, found in
                "\(kind) \(spread.p99.inMilliseconds.text(2)) (\((Double(found) / Double(spread.count)).text(0)))"
            }
            .joined(separator: ", ")
    }
}

/// How times are spread.
struct Percentiles {
    let count: Int
    let p50: Duration
    let p99: Duration
    let max: Duration

    /// Of times in any order; of none, zero.
    init(_ times: [Duration]) {
        let sorted = times.sorted()
        count = sorted.count
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
