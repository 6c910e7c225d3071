internal import BoardCore

/// What was told of lines and stops, and when to ask again. Pure; it knows instants, not transports.
///
/// What is said of a line is kept by the line, so that stops with the same lines share one question. Everything is kept
/// for a time only, and of a bounded number of stops and lines.
struct TfLAlertLedger: Sendable {
    /// The time between two questions about a line or a stop; TfL's caches hold alerts for one minute.
    static let interval: Duration = .seconds(120)
    /// How long something is true that could not be confirmed.
    static let life: Duration = .seconds(600)
    /// How long a line that TfL does not know is left alone.
    static let unknownLife: Duration = .seconds(12 * 3_600)
    /// How long a line is one of a pole's after its last vehicle was predicted there: a suspended line has none, and a
    /// night bus none all day.
    static let callingLife: Duration = .seconds(24 * 3_600)

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
    enum Errand: Hashable, Sendable {
        /// `/Line/{ids}/Status`, because of a stop.
        case status([String], of: String)
        /// `/StopPoint/{code}/Disruption`.
        case notices(String, isFamily: Bool)
    }

    /// What an errand brought.
    enum News: Sendable {
        /// The alerts of each line.
        case status(TfLLineStatus)
        /// The notices of the stop.
        case notices([TfLNotice])
    }

    /// What was told, and when.
    private struct Told<Value: Sendable>: Sendable {
        /// When it is to be asked next.
        var due: Instant
        var at: Instant?
        var value: [Value] = []

        /// What is still true.
        func value(at now: Instant) -> [Value] {
            at.map { now < $0 + TfLAlertLedger.life } ?? false ? value : []
        }
    }

    private struct Stop: Sendable {
        var notices: Told<TfLNotice>
        /// When its lines may be asked about next: those that were seen in between wait for the others.
        var statusDue: Instant
        /// The lines that were predicted there, and when last.
        var calling: [Line: Instant] = [:]
    }

    private struct LineEntry: Sendable {
        var told: Told<Alert>
        /// With how many others at most it is asked about: fewer, when TfL refused a list that it was in, until the one
        /// line is found that TfL does not know.
        var mostTogether = TfLAlertLedger.mostLinesOfStop
    }

    private var stops: [String: Stop] = [:]
    private var lines: [String: LineEntry] = [:]

    /// How much is remembered.
    var size: (stops: Int, lines: Int) { (stops.count, lines.count) }

    /// The lines that were predicted at a stop of late.
    func calling(at code: String, now: Instant) -> [Line] {
        stops[code]?.calling.filter { now < $0.value + Self.callingLife }.map(\.key) ?? []
    }

    /// Remembers that lines call at a stop that was asked about before.
    mutating func note(_ called: [Line], at code: String, now: Instant) {
        guard var stop = stops[code] else { return }
        for line in called { stop.calling[line] = now }
        stop.calling = stop.calling.filter { now < $0.value + Self.callingLife }
        if stop.calling.count > Self.mostLinesOfStop {
            let newest = stop.calling.sorted { ($0.value, $0.key.id) > ($1.value, $1.key.id) }
            stop.calling = Dictionary(
                uniqueKeysWithValues: newest.prefix(Self.mostLinesOfStop).map { ($0.key, $0.value) })
        }
        stops[code] = stop
    }

    /// Claims what is to be asked now.
    mutating func take(_ concern: TfLConcern, isFamily: Bool, at now: Instant) -> [Errand] {
        var errands: [Errand] = []
        var stop = stops[concern.code] ?? Stop(notices: Told(due: now), statusDue: now)
        if stop.notices.due <= now {
            stop.notices.due = now + Self.interval
            errands.append(.notices(concern.code, isFamily: isFamily))
        }
        if stop.statusDue <= now {
            // Where there are too many, those that have waited longest.
            let never = Instant(microseconds: .min)
            let waiting = concern.lineIDs.filter(Self.isLine).map { (due: lines[$0]?.told.due ?? never, id: $0) }
            let due = waiting.filter { $0.due <= now }.sorted { $0 < $1 }.prefix(Self.mostLinesOfStop)
            let lists = lists(of: due.map(\.id)).prefix(Self.mostLists)
            for id in lists.joined() {
                lines[id, default: LineEntry(told: Told(due: now))].told.due = now + Self.interval
            }
            if !lists.isEmpty { stop.statusDue = now + Self.interval }
            errands += lists.map { .status($0.sorted(), of: concern.code) }
        }
        stops[concern.code] = stop
        forget()
        return errands
    }

    /// Takes down what an errand brought. A failure leaves what is known, as long as it may be true.
    mutating func settle(_ errand: Errand, _ result: Result<News, FeedFailure>, at now: Instant) {
        switch (errand, result) {
        case (.notices(let code, _), .success(.notices(let notices))):
            stops[code]?.notices.value = notices
            stops[code]?.notices.at = now
        case (.status(let ids, _), .success(.status(let status))):
            for id in ids {
                lines[id]?.told.value = status.alerts[id] ?? []
                lines[id]?.told.at = now
                lines[id]?.mostTogether = Self.mostLinesOfStop
            }
        case (_, .failure(let failure)):
            fail(errand, failure, at: now)
        default:
            break
        }
    }

    /// What is known and still true of what concerns a question.
    func alerts(for concern: TfLConcern, now: Instant, at moment: Timestamp?) -> [Alert] {
        var list = TfLAlertList()
        list.add(concern.alerts(of: stops[concern.code]?.notices.value(at: now) ?? []))
        for id in concern.lineIDs { list.add(lines[id]?.told.value(at: now) ?? []) }
        return list.alerts(at: moment)
    }

    private mutating func fail(_ errand: Errand, _ failure: FeedFailure, at now: Instant) {
        var next: Instant?
        switch failure.kind {
        // Whoever asked has gone; the next may ask at once.
        case .cancelled: next = now
        case .throttled(let wait?): next = now + min(max(wait, Self.interval), Self.unknownLife)
        default: break
        }
        switch errand {
        case .notices(let code, _):
            if let next { stops[code]?.notices.due = next }
        case .status(let ids, let code):
            if let next {
                stops[code]?.statusDue = next
                for id in ids { lines[id]?.told.due = next }
            }
            guard failure.kind == .unknownStop || failure.kind == .status(400) else { return }
            if let only = ids.first, ids.count == 1 {
                // One that TfL knew before is only missed.
                if lines[only]?.told.at == nil { lines[only]?.told.due = now + Self.unknownLife }
            } else {
                for id in ids { lines[id]?.mostTogether = (ids.count + 1) / 2 }
            }
        }
    }

    /// Lines in lists that may be asked for together.
    private func lists(of ids: some Sequence<String>) -> [[String]] {
        var lists: [[String]] = []
        var length = 0
        var room = 0
        for id in ids {
            let most = lines[id]?.mostTogether ?? Self.mostLinesOfStop
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
            let oldest = stops.min(by: { ($0.value.notices.due, $0.key) < ($1.value.notices.due, $1.key) })
        {
            stops[oldest.key] = nil
        }
        while lines.count > Self.mostLines,
            let oldest = lines.min(by: { ($0.value.told.due, $0.key) < ($1.value.told.due, $1.key) })
        {
            lines[oldest.key] = nil
        }
    }
}
