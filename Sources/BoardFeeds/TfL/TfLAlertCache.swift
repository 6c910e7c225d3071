internal import BoardCore

/// A cache of the alerts of lines and stops, and the schedule of their requests. A pure value without input or output.
///
/// Alerts are cached by line, so that stops with the same lines share one request. Everything expires, and the numbers of
/// stops and lines are bounded.
struct TfLAlertCache: Sendable {
    /// The time between two requests for a line or a stop; TfL's caches hold alerts for one minute.
    static let interval: Duration = .seconds(120)
    /// How long alerts remain if requests fail.
    static let ttl: Duration = .seconds(600)
    /// The pause for a line that TfL does not know.
    static let unknownTTL: Duration = .seconds(12 * 3_600)
    /// How long a line belongs to a stop after its last prediction there: a suspended line has none, and a night bus has none
    /// all day.
    static let callingTTL: Duration = .seconds(24 * 3_600)

    /// As many as the stations whose structure ``TfLFeed`` caches.
    private static let maxStops = 64
    private static let maxLines = 256
    /// The most lines of one stop, both in requests and cached.
    private static let maxLinesPerStop = 40
    /// The most simultaneous status requests, however few lines each has.
    private static let maxLists = 4
    /// The longest list of lines, in bytes; TfL rejects path segments from about 260 characters on.
    private static let longestList = 200
    /// The longest plausible identifier of a line; TfL's own have up to 24 letters.
    private static let longestLine = 40

    /// A claimed request: it is not handed out again meanwhile.
    enum Request: Hashable, Sendable {
        /// `/Line/{ids}/Status`, on behalf of a stop.
        case status([String], of: String)
        /// `/StopPoint/{code}/Disruption`.
        case disruptions(String, isFamily: Bool)
    }

    /// The result of a request.
    enum Reply: Sendable {
        /// The alerts of each line.
        case status(TfLLineStatus)
        /// The disruptions of the stop.
        case disruptions([TfLDisruption])
    }

    /// A cached value with its schedule.
    private struct CachedValue<Value: Sendable>: Sendable {
        /// When the next request is due.
        var due: Instant
        var at: Instant?
        var value: [Value] = []

        /// The value if it has not expired.
        func value(at now: Instant) -> [Value] {
            at.map { now < $0 + TfLAlertCache.ttl } ?? false ? value : []
        }
    }

    private struct Stop: Sendable {
        var disruptions: CachedValue<TfLDisruption>
        /// When its lines' status is next due; lines first seen in between wait until then.
        var statusDue: Instant
        /// When each line was last predicted there.
        var calling: [Line: Instant] = [:]
    }

    private struct LineEntry: Sendable {
        var cached: CachedValue<Alert>
        /// The most lines in a request with this one. Halved when TfL rejects a list that contains it, until the one unknown line
        /// is isolated.
        var batchSize = TfLAlertCache.maxLinesPerStop
    }

    private var stops: [String: Stop] = [:]
    private var lines: [String: LineEntry] = [:]

    /// The number of entries.
    var size: (stops: Int, lines: Int) { (stops.count, lines.count) }

    /// The lines that were predicted at a stop within ``callingTTL``.
    func calling(at code: String, now: Instant) -> [Line] {
        stops[code]?.calling.filter { now < $0.value + Self.callingTTL }.map(\.key) ?? []
    }

    /// Stores that lines call at a cached stop.
    mutating func note(_ called: [Line], at code: String, now: Instant) {
        guard var stop = stops[code] else { return }
        for line in called { stop.calling[line] = now }
        stop.calling = stop.calling.filter { now < $0.value + Self.callingTTL }
        if stop.calling.count > Self.maxLinesPerStop {
            let newest = stop.calling.sorted { ($0.value, $0.key.id) > ($1.value, $1.key.id) }
            stop.calling = Dictionary(
                uniqueKeysWithValues: newest.prefix(Self.maxLinesPerStop).map { ($0.key, $0.value) })
        }
        stops[code] = stop
    }

    /// Claims the requests that are due.
    mutating func claimDue(_ alertFilter: TfLAlertFilter, isFamily: Bool, at now: Instant) -> [Request] {
        var requests: [Request] = []
        var stop = stops[alertFilter.code] ?? Stop(disruptions: CachedValue(due: now), statusDue: now)
        if stop.disruptions.due <= now {
            stop.disruptions.due = now + Self.interval
            requests.append(.disruptions(alertFilter.code, isFamily: isFamily))
        }
        if stop.statusDue <= now {
            // If there are too many, those that have waited longest.
            let never = Instant(microseconds: .min)
            let waiting = alertFilter.lineIDs.filter(Self.isLine).map { (due: lines[$0]?.cached.due ?? never, id: $0) }
            let due = waiting.filter { $0.due <= now }.sorted { $0 < $1 }.prefix(Self.maxLinesPerStop)
            let lists = lists(of: due.map(\.id)).prefix(Self.maxLists)
            for id in lists.joined() {
                lines[id, default: LineEntry(cached: CachedValue(due: now))].cached.due = now + Self.interval
            }
            if !lists.isEmpty { stop.statusDue = now + Self.interval }
            requests += lists.map { .status($0.sorted(), of: alertFilter.code) }
        }
        stops[alertFilter.code] = stop
        evict()
        return requests
    }

    /// Stores the result of a request. After a failure the previous alerts remain until they expire.
    mutating func store(_ request: Request, _ result: Result<Reply, FeedFailure>, at now: Instant) {
        switch (request, result) {
        case (.disruptions(let code, _), .success(.disruptions(let disruptions))):
            stops[code]?.disruptions.value = disruptions
            stops[code]?.disruptions.at = now
        case (.status(let ids, _), .success(.status(let status))):
            for id in ids {
                lines[id]?.cached.value = status.alerts[id] ?? []
                lines[id]?.cached.at = now
                lines[id]?.batchSize = Self.maxLinesPerStop
            }
        case (_, .failure(let failure)):
            fail(request, failure, at: now)
        default:
            break
        }
    }

    /// The cached, unexpired alerts that the filter selects.
    func alerts(for alertFilter: TfLAlertFilter, now: Instant, at moment: Timestamp?) -> [Alert] {
        var list = TfLAlertList()
        list.add(alertFilter.alerts(of: stops[alertFilter.code]?.disruptions.value(at: now) ?? []))
        for id in alertFilter.lineIDs { list.add(lines[id]?.cached.value(at: now) ?? []) }
        return list.alerts(at: moment)
    }

    private mutating func fail(_ request: Request, _ failure: FeedFailure, at now: Instant) {
        var next: Instant?
        switch failure.kind {
        // The caller has gone; the next one may send the request at once.
        case .cancelled: next = now
        case .rateLimited(let wait?): next = now + min(max(wait, Self.interval), Self.unknownTTL)
        default: break
        }
        switch request {
        case .disruptions(let code, _):
            if let next { stops[code]?.disruptions.due = next }
        case .status(let ids, let code):
            if let next {
                stops[code]?.statusDue = next
                for id in ids { lines[id]?.cached.due = next }
            }
            guard failure.kind == .unknownStop || failure.kind == .status(400) else { return }
            if let only = ids.first, ids.count == 1 {
                // A line that TfL knew before is retried as usual.
                if lines[only]?.cached.at == nil { lines[only]?.cached.due = now + Self.unknownTTL }
            } else {
                for id in ids { lines[id]?.batchSize = (ids.count + 1) / 2 }
            }
        }
    }

    /// Splits lines into lists for one request each.
    private func lists(of ids: some Sequence<String>) -> [[String]] {
        var lists: [[String]] = []
        var length = 0
        var room = 0
        for id in ids {
            let limit = lines[id]?.batchSize ?? Self.maxLinesPerStop
            if let last = lists.indices.last, room > 0, lists[last].count < limit,
                length + 1 + id.utf8.count <= Self.longestList
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

    /// Whether an identifier may occur in a list of lines.
    private static func isLine(_ id: String) -> Bool {
        (1...longestLine).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Evicts the entries that were requested longest ago.
    private mutating func evict() {
        while stops.count > Self.maxStops,
            let oldest = stops.min(by: { ($0.value.disruptions.due, $0.key) < ($1.value.disruptions.due, $1.key) })
        {
            stops[oldest.key] = nil
        }
        while lines.count > Self.maxLines,
            let oldest = lines.min(by: { ($0.value.cached.due, $0.key) < ($1.value.cached.due, $1.key) })
        {
            lines[oldest.key] = nil
        }
    }
}
