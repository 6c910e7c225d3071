internal import BoardCore

/// What was told of lines and stops, and when to ask again. Pure; it knows instants, not transports.
///
/// What is said of a line is kept by the line, so that stops with the same lines share one question. Everything is kept
/// for a time only, and of a bounded number of stops and lines.
struct TfLAlertCache: Sendable {
    /// The time between two questions about a line or a stop; TfL's caches hold alerts for one minute.
    static let interval: Duration = .seconds(120)
    /// How long something is true that could not be confirmed.
    static let life: Duration = .seconds(600)
    /// How long a line that TfL does not know is left alone.
    static let unknownTTL: Duration = .seconds(12 * 3_600)
    /// How long a line is one of a pole's after its last vehicle was predicted there: a suspended line has none, and a
    /// night bus none all day.
    static let callingTTL: Duration = .seconds(24 * 3_600)

    /// As many as TfL's feed keeps structures of.
    private static let mostStops = 64
    private static let mostLines = 256
    /// The most lines of one stop that are asked about, and remembered to call there.
    private static let mostLinesOfStop = 40
    /// The most lists of lines that are asked about at once, however few lines they may have.
    private static let mostLists = 4
    /// The longest list of lines; TfL refuses parts of a path from about 260 characters on.
    private static let longestList = 200
    /// The longest identifier that may be a line's; TfL's own have up to 24 letters.
    private static let longestLine = 40

    /// A question, claimed for whoever asks it: nobody else asks it in the meantime.
    enum Request: Hashable, Sendable {
        /// `/Line/{ids}/Status`, because of a stop.
        case status([String], of: String)
        /// `/StopPoint/{code}/Disruption`.
        case disruptions(String, isFamily: Bool)
    }

    /// What an errand brought.
    enum Reply: Sendable {
        /// The alerts of each line.
        case status(TfLLineStatus)
        /// The notices of the stop.
        case disruptions([TfLDisruption])
    }

    /// What was told, and when.
    private struct CachedValue<Value: Sendable>: Sendable {
        /// When it is to be asked next.
        var due: Instant
        var at: Instant?
        var value: [Value] = []

        /// What is still true.
        func value(at now: Instant) -> [Value] {
            at.map { now < $0 + TfLAlertCache.life } ?? false ? value : []
        }
    }

    private struct Stop: Sendable {
        var disruptions: CachedValue<TfLDisruption>
        /// When its lines may be asked about next: those that were seen in between wait for the others.
        var statusDue: Instant
        /// The lines that were predicted there, and when last.
        var calling: [Line: Instant] = [:]
    }

    private struct LineEntry: Sendable {
        var cached: CachedValue<Alert>
        /// With how many others at most it is asked about: fewer, when TfL refused a list that it was in, until the one
        /// line is found that TfL does not know.
        var batchSize = TfLAlertCache.mostLinesOfStop
    }

    private var stops: [String: Stop] = [:]
    private var lines: [String: LineEntry] = [:]

    /// How much is remembered.
    var size: (stops: Int, lines: Int) { (stops.count, lines.count) }

    /// The lines that were predicted at a stop of late.
    func calling(at code: String, now: Instant) -> [Line] {
        stops[code]?.calling.filter { now < $0.value + Self.callingTTL }.map(\.key) ?? []
    }

    /// Remembers that lines call at a stop that was asked about before.
    mutating func note(_ called: [Line], at code: String, now: Instant) {
        guard var stop = stops[code] else { return }
        for line in called { stop.calling[line] = now }
        stop.calling = stop.calling.filter { now < $0.value + Self.callingTTL }
        if stop.calling.count > Self.mostLinesOfStop {
            let newest = stop.calling.sorted { ($0.value, $0.key.id) > ($1.value, $1.key.id) }
            stop.calling = Dictionary(
                uniqueKeysWithValues: newest.prefix(Self.mostLinesOfStop).map { ($0.key, $0.value) })
        }
        stops[code] = stop
    }

    /// Claims what is to be asked now.
    mutating func claimDue(_ alertFilter: TfLAlertFilter, isFamily: Bool, at now: Instant) -> [Request] {
        var requests: [Request] = []
        var stop = stops[alertFilter.code] ?? Stop(disruptions: CachedValue(due: now), statusDue: now)
        if stop.disruptions.due <= now {
            stop.disruptions.due = now + Self.interval
            requests.append(.disruptions(alertFilter.code, isFamily: isFamily))
        }
        if stop.statusDue <= now {
            // Where there are too many, those that have waited longest.
            let never = Instant(microseconds: .min)
            let waiting = alertFilter.lineIDs.filter(Self.isLine).map { (due: lines[$0]?.cached.due ?? never, id: $0) }
            let due = waiting.filter { $0.due <= now }.sorted { $0 < $1 }.prefix(Self.mostLinesOfStop)
            let lists = lists(of: due.map(\.id)).prefix(Self.mostLists)
            for id in lists.joined() {
                lines[id, default: LineEntry(cached: CachedValue(due: now))].cached.due = now + Self.interval
            }
            if !lists.isEmpty { stop.statusDue = now + Self.interval }
            requests += lists.map { .status($0.sorted(), of: alertFilter.code) }
        }
        stops[alertFilter.code] = stop
        forget()
        return requests
    }

    /// Takes down what an errand brought. A failure leaves what is known, as long as it may be true.
    mutating func store(_ request: Request, _ result: Result<Reply, FeedFailure>, at now: Instant) {
        switch (request, result) {
        case (.disruptions(let code, _), .success(.disruptions(let disruptions))):
            stops[code]?.disruptions.value = disruptions
            stops[code]?.disruptions.at = now
        case (.status(let ids, _), .success(.status(let status))):
            for id in ids {
                lines[id]?.cached.value = status.alerts[id] ?? []
                lines[id]?.cached.at = now
                lines[id]?.batchSize = Self.mostLinesOfStop
            }
        case (_, .failure(let failure)):
            fail(request, failure, at: now)
        default:
            break
        }
    }

    /// What is known and still true of what concerns a question.
    func alerts(for alertFilter: TfLAlertFilter, now: Instant, at moment: Timestamp?) -> [Alert] {
        var list = TfLAlertList()
        list.add(alertFilter.alerts(of: stops[alertFilter.code]?.disruptions.value(at: now) ?? []))
        for id in alertFilter.lineIDs { list.add(lines[id]?.cached.value(at: now) ?? []) }
        return list.alerts(at: moment)
    }

    private mutating func fail(_ request: Request, _ failure: FeedFailure, at now: Instant) {
        var next: Instant?
        switch failure.kind {
        // Whoever asked has gone; the next may ask at once.
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
                // One that TfL knew before is only missed.
                if lines[only]?.cached.at == nil { lines[only]?.cached.due = now + Self.unknownTTL }
            } else {
                for id in ids { lines[id]?.batchSize = (ids.count + 1) / 2 }
            }
        }
    }

    /// Lines in lists that may be asked for together.
    private func lists(of ids: some Sequence<String>) -> [[String]] {
        var lists: [[String]] = []
        var length = 0
        var room = 0
        for id in ids {
            let most = lines[id]?.batchSize ?? Self.mostLinesOfStop
            if let last = lists.indices.last, room > 0, lists[last].count < most,
                length + 1 + id.utf8.count <= Self.longestList
            {
                lists[last].append(id)
                length += 1 + id.utf8.count
                room = min(room - 1, most - lists[last].count)
            } else {
                lists.append([id])
                length = id.utf8.count
                room = most - 1
            }
        }
        return lists
    }

    /// Whether something may stand in a list of lines.
    private static func isLine(_ id: String) -> Bool {
        (1...longestLine).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Lets go of those that nobody has asked about for longest.
    private mutating func forget() {
        while stops.count > Self.mostStops,
            let oldest = stops.min(by: { ($0.value.disruptions.due, $0.key) < ($1.value.disruptions.due, $1.key) })
        {
            stops[oldest.key] = nil
        }
        while lines.count > Self.mostLines,
            let oldest = lines.min(by: { ($0.value.cached.due, $0.key) < ($1.value.cached.due, $1.key) })
        {
            lines[oldest.key] = nil
        }
    }
}
