internal import BoardCore

/// Which requests tell what leaves from a station, an interchange or a pair of poles.
///
/// A rail station is its Elizabeth line and Overground lines, one request a line. An interchange is that, its tube, DLR
/// and tram stations, and its bus stops pole by pole, since areas have no arrivals of their own. Where a person named
/// lines of interest, only those are asked for; where none of them calls, all.
struct TfLRequestPlan: Hashable, Sendable {
    /// One request.
    enum Request: Hashable, Sendable {
        /// `/StopPoint/{code}/Arrivals`.
        case arrivals(String)
        /// `/StopPoint/{code}/ArrivalDepartures?lineIds={line}`.
        case rail(String, Line)

        /// The stop that it asks for.
        var code: String {
            switch self {
            case .arrivals(let code), .rail(let code, _): code
            }
        }
    }

    /// The most poles that are asked for: with the quota without a key, 12 poles can be polled every 30 s.
    static let mostPoles = 12

    /// The lines that are told by ArrivalDepartures alone. `london-overground` was all of the Overground until
    /// November 2024.
    static let railLines: Set<String> = [
        "elizabeth", "london-overground", "liberty", "lioness", "mildmay", "suffragette", "weaver", "windrush",
    ]

    /// The name of what was asked for.
    let name: String?
    /// The requests, in the order of the answer.
    let parts: [Request]
    /// The lines of interest that the parts tell of; empty where that is not known.
    let lines: [Line]
    /// The stops inside of it that are not asked for, by their codes.
    let excludedStops: Set<String>

    /// Whether a stop of this code has parts that must be known first.
    static func needsStructure(_ code: String) -> Bool {
        let folded = code.uppercased()
        return folded.hasPrefix("910G") || folded.hasPrefix("HUB") || isArea(folded)
    }

    /// Whether a code is that of poles that belong together: NaPTAN's number of the county (490 is London, 210 Hertfordshire,
    /// where London's buses go too; from 900 on there are none) and a G.
    private static func isArea(_ code: String) -> Bool {
        guard code.utf8.dropFirst(3).first == UInt8(ascii: "G"), let county = UInt(code.prefix(3)) else { return false }
        return county < 900
    }

    /// The plan for `code`, which may be somewhere inside `stop`: TfL answers for some stations with their interchange.
    init(for code: String, in stop: TfLStopPoint, lines: [String]) {
        let wanted = stop.find(code) ?? stop
        name = wanted.name
        var found = Found()
        found.walk(wanted, isRoot: true)
        let interesting = found.all.filter { _, known in
            lines.isEmpty || known.contains { line in lines.contains(where: line.isCalled) }
        }
        let chosen = (interesting.isEmpty ? found.all : interesting).map(\.part)
        var poles = 0
        let parts = chosen.limitedCompactMap(upTo: ResponseLimits.lookups) { part in
            guard case .arrivals(let code) = part, !code.hasPrefix("940G") else { return part }
            poles += 1
            return poles <= Self.mostPoles ? part : nil
        }
        // Some stations are known to TfL without lines; the plain question costs little and may tell something.
        self.parts = parts.isEmpty ? [.arrivals(code)] : parts
        var seen: Set<Line> = []
        self.lines = found.all.filter { parts.contains($0.part) }.flatMap(\.lines).filter { line in
            (lines.isEmpty || lines.contains(where: line.isCalled)) && seen.insert(line).inserted
        }
        excludedStops = Set(found.all.map(\.part.code)).subtracting(self.parts.map(\.code))
    }

    /// The plan for a pole or a station that is one request, of whose lines nothing is known.
    init(forPole code: String) {
        name = nil
        parts = [.arrivals(code)]
        lines = []
        excludedStops = []
    }

    /// The lines of `code`, somewhere inside `stop`, that its requests can tell of, each once.
    static func lines(of code: String, in stop: TfLStopPoint) -> [Line] {
        let wanted = stop.find(code) ?? stop
        guard needsStructure(code) else { return wanted.lines }
        var found = Found()
        found.walk(wanted, isRoot: true)
        var seen: Set<Line> = []
        return found.all.flatMap(\.lines).filter { seen.insert($0).inserted }
    }

    /// What a walk has found: each request with the lines that it tells about.
    private struct Found {
        /// The most requests that are found; the largest interchange has 60.
        private static let most = 256

        var all: [(part: Request, lines: [Line])] = []

        mutating func walk(_ stop: TfLStopPoint, isRoot: Bool) {
            if stop.kind == "NaptanRailStation" || stop.code.hasPrefix("910G") {
                let rail = stop.lines.filter {
                    TfLRequestPlan.railLines.contains($0.id) || stop.railLines.contains($0.id)
                }
                for line in rail { add(.rail(stop.code, line), [line]) }
                // Somebody who names a rail station waits for its trains, not for the buses in front of it.
                if isRoot { return }
            } else if stop.code.hasPrefix("940G") {
                add(.arrivals(stop.code), stop.lines)
            } else if stop.kind == "NaptanPublicBusCoachTram" {
                add(.arrivals(stop.code), stop.lines)
            }
            for child in stop.children { walk(child, isRoot: false) }
        }

        private mutating func add(_ part: Request, _ lines: [Line]) {
            if all.count < Self.most, !all.contains(where: { $0.part == part }) { all.append((part, lines)) }
        }
    }
}
