import BoardCore
import Synchronization

/// TfL's alerts, fetched alongside the departures at a low rate; their failures never affect departures.
final class TfLAlerts: Sendable {
    private let api: TfLAPI
    private let clock: any MachineClock
    private let disruptions: ResponseCache<[TfLDisruption]>
    private let schedule = Mutex(TfLAlertSchedule())

    init(_ api: TfLAPI, clock: any MachineClock) {
        self.api = api
        self.clock = clock
        disruptions = ResponseCache(
            ttl: TfLAlertSchedule.interval, capacity: TfLAlertSchedule.maximumStops, clock: clock)
    }

    /// The filter for the alerts of a request; for bus stops, with the lines that were predicted there.
    func alertFilter(of request: FeedRequest, _ plan: TfLRequestPlan) -> TfLAlertFilter {
        let now = clock.now()
        let calling = schedule.withLock { $0.calling(at: request.stop.code, now: now) }
        return TfLAlertFilter(request, plan, calling: calling)
    }

    /// Fetches what is older than two minutes. Failures are ignored, and earlier alerts remain.
    func refresh(_ alertFilter: TfLAlertFilter) async {
        let now = clock.now()
        let (code, isFamily) = (alertFilter.code, TfLRequestPlan.needsStructure(alertFilter.code))
        let lists = schedule.withLock { $0.claimDue(alertFilter, at: now) }
        async let lookup = disruptions.value(code) { try await api.disruptions(at: code, isFamily: isFamily) }
        _ = await lists.concurrentMap { ids in await self.fetch(ids, of: code) }
        _ = await lookup
    }

    func note(_ lines: [Line], at code: String) {
        let now = clock.now()
        schedule.withLock { $0.note(lines, at: code, now: now) }
    }

    /// - Parameter moment: the operator's clock, at which an alert must be active; nil if unknown.
    func alerts(for alertFilter: TfLAlertFilter, at moment: Timestamp?) -> [Alert] {
        let now = clock.now()
        let disruptions = disruptions.cached(alertFilter.code, within: TfLAlertSchedule.ttl) ?? []
        return schedule.withLock { $0.alerts(for: alertFilter, disruptions, now: now, at: moment) }
    }

    private func fetch(_ lines: [String], of code: String) async {
        let result = await Result(of: { () throws(FeedError) in try await api.status(of: lines) })
        let now = clock.now()
        schedule.withLock { $0.store(lines, of: code, result, at: now) }
    }
}

struct TfLAlertFilter: Hashable, Sendable {
    /// Rail lines, whose few identifiers are fixed. Their status is fetched even before a prediction names them, since
    /// a suspended line has no predictions.
    private static let railLines = Set(TfLFeed.shortLines.keys).subtracting(["london-overground"])
        .union(["dlr", "tram"])

    let code: String
    /// The requested lines; empty: all.
    let named: [String]
    /// The lines of interest that call there.
    let lines: [Line]
    /// The stops whose departures are fetched.
    let fetchedStops: Set<String>
    /// The contained stops whose alerts are not of interest.
    let excludedStops: Set<String>

    /// - Parameter calling: lines that call there, in addition to those of the plan.
    init(_ request: FeedRequest, _ plan: TfLRequestPlan, calling: [Line]) {
        code = request.stop.code
        let named = request.lines
        self.named = named
        lines = plan.lines + calling.filter { line in named.isEmpty || named.contains(where: line.isCalled) }
        fetchedStops = Set(plan.requests.map(\.code))
        excludedStops = plan.excludedStops
    }

    /// The identifiers of the lines whose status matters, in lower case and sorted.
    var lineIDs: [String] {
        var ids = Set(lines.map { $0.id.lowercased() })
        for name in named where !lines.contains(where: { $0.isCalled(name) }) {
            let id = Self.identifier(of: name)
            if Self.railLines.contains(id) { ids.insert(id) }
        }
        return ids.sorted()
    }

    /// The alerts for those disruptions that concern the request.
    func alerts(of disruptions: [TfLDisruption]) -> [Alert] {
        let mine = disruptions.filter { includes($0) }
        return mine.map { disruption in
            let severity: Alert.Severity =
                switch disruption.kind {
                case .information: .information
                case .partial: .minor
                case .closure: isClosed(by: disruption, among: mine) ? .severe : .minor
                }
            return Alert(
                disruption.text, lines: disruption.lines.isEmpty ? nil : disruption.lines, severity: severity,
                from: disruption.from, until: disruption.until)
        }
    }

    /// Whether a disruption concerns the stop or a fetched part of it, and a line of interest.
    private func includes(_ disruption: TfLDisruption) -> Bool {
        guard let place = disruption.place else { return isOfInterest(disruption.lines) }
        // Departures of an entrance or a platform are not fetched, but those of its station may be.
        let isOfExcludedStation = disruption.station.isSomeAnd(excludedStops.contains)
        let isElsewhere = excludedStops.contains(place) || !fetchedStops.contains(place) && isOfExcludedStation
        return !isElsewhere && isOfInterest(disruption.lines)
    }

    private func isOfInterest(_ ids: [String]) -> Bool {
        if ids.isEmpty || named.isEmpty { return true }
        let mine = Set(lineIDs)
        return ids.contains { id in mine.contains(id) || named.contains(where: Line(id: id, name: id).isCalled) }
    }

    /// Whether the whole stop is closed: by itself, or each of the fetched stops with the same text.
    private func isClosed(by disruption: TfLDisruption, among all: [TfLDisruption]) -> Bool {
        let closed = all.filter { $0.kind == .closure && $0.text == disruption.text }.map { $0.place ?? code }
        return closed.contains(code) || fetchedStops.isSubset(of: closed)
    }

    /// A line's identifier as TfL derives it from the name: "Waterloo & City" is `waterloo-city`.
    private static func identifier(of name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0 != "line" && $0 != "and" }
        return words.joined(separator: "-")
    }
}

/// The cached alerts of lines, and the schedule of their requests. A pure value.
///
/// Unlike in ``ResponseCache``, one request serves many lines: alerts are cached by line, so stops with the same lines
/// share requests, and a rejected list is halved. Everything expires, and the numbers of stops and lines are limited.
struct TfLAlertSchedule: Sendable {
    /// The time between two requests for a line or a stop; TfL's caches hold alerts for one minute.
    static let interval: Duration = .seconds(120)
    /// How long alerts remain if requests fail.
    static let ttl: Duration = .seconds(600)
    /// The pause for a line that TfL does not know.
    static let unknownTTL: Duration = .seconds(12 * 3_600)
    /// How long a line belongs to a stop after its last prediction there: a suspended line has none, and a night bus
    /// has none all day.
    static let callingTTL: Duration = .seconds(24 * 3_600)

    /// As many as the stations whose structure ``TfLFeed`` caches.
    static let maximumStops = 64
    private static let maximumLines = 256
    /// The most lines of one stop, both in requests and cached.
    private static let maximumLinesPerStop = 40
    /// The most simultaneous status requests, however few lines each has.
    private static let maximumLists = 4
    /// The longest list of lines, in bytes; TfL rejects path segments of about 260 characters and more.
    private static let maximumListBytes = 200
    /// The longest plausible identifier of a line; TfL's own have up to 24 letters.
    private static let maximumLineIDLength = 40

    private struct Stop: Sendable {
        /// When its status was last requested or found fresh.
        var usedAt: Instant
        /// When its lines' status is next due; lines first seen in between wait until then.
        var due: Instant
        /// When each line was last predicted there.
        var calling: [Line: Instant] = [:]
    }

    private struct LineEntry: Sendable {
        /// When the next request is due.
        var due: Instant
        /// When the alerts were received; nil: never.
        var at: Instant?
        var alerts: [Alert] = []
        /// The most lines in a request with this one. Halved when TfL rejects a list that contains it, until the one
        /// unknown line is isolated.
        var batchSize = TfLAlertSchedule.maximumLinesPerStop
    }

    private var stops: [String: Stop] = [:]
    private var lines: [String: LineEntry] = [:]

    var size: (stops: Int, lines: Int) { (stops.count, lines.count) }

    /// The lines that were predicted at a stop within ``callingTTL``.
    func calling(at code: String, now: Instant) -> [Line] {
        stops[code]?.calling.filter { now < $0.value + Self.callingTTL }.map(\.key) ?? []
    }

    /// Records that lines call at a cached stop.
    mutating func note(_ called: [Line], at code: String, now: Instant) {
        guard var stop = stops[code] else { return }
        for line in called { stop.calling[line] = now }
        stop.calling = stop.calling.filter { now < $0.value + Self.callingTTL }
        if stop.calling.count > Self.maximumLinesPerStop {
            let newest = stop.calling.sorted { ($0.value, $0.key.id) > ($1.value, $1.key.id) }
            stop.calling = Dictionary(
                uniqueKeysWithValues: newest.prefix(Self.maximumLinesPerStop).map { ($0.key, $0.value) })
        }
        stops[code] = stop
    }

    /// Claims the lists of lines whose status is due: a list is not returned again meanwhile.
    mutating func claimDue(_ alertFilter: TfLAlertFilter, at now: Instant) -> [[String]] {
        var stop = stops[alertFilter.code] ?? Stop(usedAt: now, due: now)
        stop.usedAt = now
        var lists: [[String]] = []
        if stop.due <= now {
            // If there are too many, those that have waited longest.
            let never = Instant(microseconds: .min)
            let waiting = alertFilter.lineIDs.filter(Self.isLine).map { (due: lines[$0]?.due ?? never, id: $0) }
            let due = waiting.filter { $0.due <= now }.sorted { $0 < $1 }.prefix(Self.maximumLinesPerStop)
            lists = Array(self.lists(of: due.map(\.id)).prefix(Self.maximumLists))
            for id in lists.joined() { lines[id, default: LineEntry(due: now)].due = now + Self.interval }
            if !lists.isEmpty { stop.due = now + Self.interval }
        }
        stops[alertFilter.code] = stop
        evict()
        return lists.map { $0.sorted() }
    }

    /// Stores the result of a request. After a failure the previous alerts remain until they expire.
    ///
    /// - Parameter code: the stop for which the list was claimed.
    mutating func store(_ ids: [String], of code: String, _ result: Result<TfLLineStatus, FeedError>, at now: Instant) {
        switch result {
        case .success(let status):
            for id in ids {
                lines[id]?.alerts = status.alerts[id] ?? []
                lines[id]?.at = now
                lines[id]?.batchSize = Self.maximumLinesPerStop
            }
        case .failure(let failure): fail(ids, of: code, failure, at: now)
        }
    }

    /// The unexpired alerts that the filter selects, with those of `disruptions`.
    func alerts(
        for alertFilter: TfLAlertFilter, _ disruptions: [TfLDisruption], now: Instant, at moment: Timestamp?
    ) -> [Alert] {
        var list = AlertList()
        list.add(alertFilter.alerts(of: disruptions))
        for id in alertFilter.lineIDs {
            if let line = lines[id], let at = line.at, now < at + Self.ttl { list.add(line.alerts) }
        }
        return list.alerts(at: moment)
    }

    private mutating func fail(_ ids: [String], of code: String, _ failure: FeedError, at now: Instant) {
        var next: Instant?
        switch failure.kind {
        // The caller has gone; the next one may send the request at once.
        case .cancelled: next = now
        case .rateLimited(let wait?): next = now + min(max(wait, Self.interval), Self.unknownTTL)
        default: break
        }
        if let next {
            stops[code]?.due = next
            for id in ids { lines[id]?.due = next }
        }
        guard failure.kind.isPermanent else { return }
        if let only = ids.first, ids.count == 1 {
            // A line that TfL knew before is retried as usual.
            if lines[only]?.at == nil { lines[only]?.due = now + Self.unknownTTL }
        } else {
            for id in ids { lines[id]?.batchSize = (ids.count + 1) / 2 }
        }
    }

    private func lists(of ids: some Sequence<String>) -> [[String]] {
        var lists: [[String]] = []
        var length = 0
        var room = 0
        for id in ids {
            let limit = lines[id]?.batchSize ?? Self.maximumLinesPerStop
            if let last = lists.indices.last, room > 0, lists[last].count < limit,
                length + 1 + id.utf8.count <= Self.maximumListBytes
            {
                lists[last].append(id)
                length += 1 + id.utf8.count
                room = min(room - 1, limit - lists[last].count)
            } else {
                lists.append([id])
                length = id.utf8.count
                room = limit - 1
            }
        }
        return lists
    }

    private static func isLine(_ id: String) -> Bool {
        (1...maximumLineIDLength).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isDigit || byte == UInt8(ascii: "-")
            }
    }

    /// Evicts the entries that were used longest ago.
    private mutating func evict() {
        while stops.count > Self.maximumStops,
            let oldest = stops.min(by: { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) })
        {
            stops[oldest.key] = nil
        }
        while lines.count > Self.maximumLines,
            let oldest = lines.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) })
        {
            lines[oldest.key] = nil
        }
    }
}
