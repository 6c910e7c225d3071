internal import BoardCore
internal import BoardFormats

/// The requests for the departures of a station, an interchange or a pair of bus stops.
///
/// A rail station takes one request for each Elizabeth line or Overground line. An interchange takes those, its tube, DLR
/// and tram stations, and each of its bus stops, since areas have no arrivals of their own. If the user named lines, only
/// those are fetched; if none of them calls, all.
struct TfLRequestPlan: Hashable, Sendable {
    enum Request: Hashable, Sendable {
        /// `/StopPoint/{code}/Arrivals`.
        case arrivals(String)
        /// `/StopPoint/{code}/ArrivalDepartures?lineIds={line}`.
        case rail(String, Line)

        var code: String {
            switch self {
            case .arrivals(let code), .rail(let code, _): code
            }
        }

        /// Identifies the request within a plan.
        var id: String {
            switch self {
            case .arrivals(let code): code
            case .rail(let code, let line): "\(code)/\(line.id)"
            }
        }
    }

    /// The most bus stops: within the quota without a key, 12 can be polled every 30 s.
    static let maxPoles = 12

    /// The lines that only ArrivalDepartures covers. `london-overground` was all of the Overground until November 2024.
    static let railLines: Set<String> = [
        "elizabeth", "london-overground", "liberty", "lioness", "mildmay", "suffragette", "weaver", "windrush",
    ]

    let name: String?
    /// The requests, in the order of the response.
    let requests: [Request]
    /// The lines of interest that the requests cover; empty if unknown.
    let lines: [Line]
    /// The codes of the contained stops that are not fetched.
    let excludedStops: Set<String>

    /// Whether a stop of this code has parts, which must be fetched first.
    static func needsStructure(_ code: String) -> Bool {
        let folded = code.uppercased()
        return folded.hasPrefix("910G") || folded.hasPrefix("HUB") || isArea(folded)
    }

    /// Whether a code is that of a group of bus stops: NaPTAN's number of the county (490 is London, 210 Hertfordshire, where
    /// London's buses go too; from 900 on there are none) and a G.
    private static func isArea(_ code: String) -> Bool {
        guard code.utf8.dropFirst(3).first == UInt8(ascii: "G"), let county = UInt(code.prefix(3)) else { return false }
        return county < 900
    }

    /// The plan for `code`, which may be inside `stop`: for some stations TfL returns their interchange.
    init(for code: String, in stop: TfLStopPoint, lines: [String]) {
        let selected = stop.find(code) ?? stop
        name = selected.name
        var result = Walk()
        result.walk(selected, isRoot: true)
        let interesting = result.all.filter { _, calling in
            lines.isEmpty || calling.contains { line in lines.contains(where: line.isCalled) }
        }
        let chosen = (interesting.isEmpty ? result.all : interesting).map(\.request)
        var poles = 0
        let requests = chosen.limitedCompactMap(upTo: ResponseLimits.lookups) { request in
            guard case .arrivals(let code) = request, !code.hasPrefix("940G") else { return request }
            poles += 1
            return poles <= Self.maxPoles ? request : nil
        }
        // Some stations have no lines in TfL's data; a plain request costs little and may return departures.
        self.requests = requests.isEmpty ? [.arrivals(code)] : requests
        var seen: Set<Line> = []
        self.lines = result.all.filter { requests.contains($0.request) }.flatMap(\.lines).filter { line in
            (lines.isEmpty || lines.contains(where: line.isCalled)) && seen.insert(line).inserted
        }
        excludedStops = Set(result.all.map(\.request.code)).subtracting(self.requests.map(\.code))
    }

    /// The plan for a bus stop or a station that takes one request, whose lines are unknown.
    init(forPole code: String) {
        name = nil
        requests = [.arrivals(code)]
        lines = []
        excludedStops = []
    }

    /// The distinct lines of `code`, inside `stop`, that its requests can return.
    static func lines(of code: String, in stop: TfLStopPoint) -> [Line] {
        let selected = stop.find(code) ?? stop
        guard needsStructure(code) else { return selected.lines }
        var result = Walk()
        result.walk(selected, isRoot: true)
        return result.all.flatMap(\.lines).uniqued()
    }

    /// The result of a walk: each request with its lines.
    private struct Walk {
        /// The most requests; the largest interchange has 60.
        private static let limit = 256

        var all: [(request: Request, lines: [Line])] = []

        mutating func walk(_ stop: TfLStopPoint, isRoot: Bool) {
            if stop.kind == "NaptanRailStation" || stop.code.hasPrefix("910G") {
                let rail = stop.lines.filter {
                    TfLRequestPlan.railLines.contains($0.id) || stop.railLines.contains($0.id)
                }
                for line in rail { add(.rail(stop.code, line), [line]) }
                // The user of a rail station waits for its trains, not for the buses in front of it.
                if isRoot { return }
            } else if stop.code.hasPrefix("940G") || stop.kind == "NaptanPublicBusCoachTram" {
                add(.arrivals(stop.code), stop.lines)
            }
            for child in stop.children { walk(child, isRoot: false) }
        }

        private mutating func add(_ request: Request, _ lines: [Line]) {
            if all.count < Self.limit, !all.contains(where: { $0.request == request }) { all.append((request, lines)) }
        }
    }
}
