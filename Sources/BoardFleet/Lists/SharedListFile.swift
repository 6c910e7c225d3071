import BoardCore
import BoardStore
import FoundationEssentials

/// The JSON form of a list.
///
///     {"version": 2, "stops": {"tfl:490": {"last": {"at": "1795698000123-kitchen", "content": {"label": ["Home"]}},
///     "before": {…}}, "tfl:73": {"last": {"at": …, "content": null}}}, "order": {"last": {"at": …, "content": ["tfl:490"]}}}
struct SharedListFile: Codable {
    /// A part of a message; nil: it is malformed.
    struct Part<Value: Codable>: Codable {
        let value: Value?

        init(_ value: Value) { self.value = value }

        init(from decoder: any Decoder) { value = try? Value(from: decoder) }

        func encode(to encoder: any Encoder) throws { try value?.encode(to: encoder) }
    }

    static let version = 2
    /// The maximum number of removed stops in a message.
    static let maximumRemovals = 1_000

    var version: Int
    var stops: [String: Part<Register<SharedList.Values?>>]
    var order: Part<Register<[StopID]>>?

    /// The error for a list of another version: the end of a sentence that begins with the message.
    static func otherVersion(_ found: Int) -> PlainError {
        PlainError("has version \(found), and this boardd reads version \(version): update boardd on this board")
    }

    init(_ list: SharedList) {
        version = Self.version
        stops = Dictionary(list.entries.map { ($0.key.description, Part($0.value)) }) { first, _ in first }
        order = list.order.map { Part($0) }
    }

    /// The list without malformed parts, and the number of these.
    ///
    /// - Parameter isOwn: whether this board has written it, so that favourites may be of any size.
    func list(isOwn: Bool = false) -> (list: SharedList, malformed: Int) {
        var list = SharedList()
        for (text, entry) in stops {
            guard let stop = StopID(text), let entry = entry.value, isOwn || !SharedList.isTooLarge(entry) else {
                continue
            }
            // The later version is the last one, whatever the message says.
            list.entries[stop] = Register(entry.last).merged(with: entry)
        }
        if let order = order?.value, order.last.content.count <= Self.maximumRemovals + SharedList.maximumMergedCount {
            list.order = Register(order.last).merged(with: order)
        }
        let read = list.entries.count + (list.order == nil ? 0 : 1)
        return (list, stops.count + (order == nil ? 0 : 1) - read)
    }
}

extension SharedList {
    /// The error for a message that is not a list; like those of ``read(_:)``, it ends a sentence about the message.
    static let unreadable = PlainError("is unreadable")

    /// The message for other boards, of at most ``maximumSize`` bytes: see ``published``.
    var payload: [UInt8] { published.bytes }

    private var bytes: [UInt8] { StableJSON.bytes(SharedListFile(self)) }

    /// Reads a message from another board.
    ///
    /// - Returns: the list, and the number of malformed parts that were skipped.
    static func read(_ payload: [UInt8]) throws(PlainError) -> (list: SharedList, malformed: Int) {
        let (list, malformed) = try file(payload).list()
        let count = list.stops.count
        guard count <= maximumCount else {
            throw PlainError("has \(count) stops, and at most \(maximumCount) are read")
        }
        guard list.entries.count - count <= SharedListFile.maximumRemovals else { throw unreadable }
        return (list, malformed)
    }

    private static func file(_ payload: [UInt8]) throws(PlainError) -> SharedListFile {
        guard payload.count <= maximumSize else {
            throw PlainError("has \(payload.count) bytes, and at most \(maximumSize) are read")
        }
        struct Version: Codable { let version: Int }
        let (data, decoder) = (Data(payload), JSONDecoder())
        guard let found = try? decoder.decode(Version.self, from: data) else { throw unreadable }
        // A later version may have another form; earlier ones were never released.
        guard found.version <= SharedListFile.version else { throw SharedListFile.otherVersion(found.version) }
        guard found.version == SharedListFile.version else { throw unreadable }
        guard let file = try? decoder.decode(SharedListFile.self, from: data) else { throw unreadable }
        return file
    }
}

// Stamps that are ahead of a clock that is certain: such a value would win until that time comes.
extension SharedList {
    /// The list without versions whose stamps are ahead; and for each board that made one, how far its clock is ahead.
    func withoutFuture(at time: ListTime) -> (list: SharedList, ahead: [FleetName: Duration]) {
        var list = self
        var ahead: [FleetName: Duration] = [:]
        func current<Content>(_ register: Register<Content>) -> Register<Content>? {
            let stamp = register.last.at
            guard HybridClock.isAhead(stamp, at: time) else { return register }
            ahead[stamp.board] = max(ahead[stamp.board] ?? .zero, stamp.timestamp - time.timestamp)
            // What it replaced, unless that is ahead as well.
            return register.before.flatMap { HybridClock.isAhead($0.at, at: time) ? nil : Register($0) }
        }
        list.entries = entries.compactMapValues { current($0) }
        list.order = order.flatMap { current($0) }
        return (list, ahead)
    }

    /// Gives versions whose stamps are ahead the present stamp, which other boards accept: this board merged or made
    /// them before its own time was certain.
    mutating func restampFuture(at time: ListTime, stamp: HybridTimestamp) {
        func restamped<Content>(_ register: Register<Content>) -> Register<Content> {
            guard HybridClock.isAhead(register.last.at, at: time) else { return register }
            let before = register.before.flatMap { HybridClock.isAhead($0.at, at: time) ? nil : $0 }
            return Register(.init(at: stamp, content: register.last.content), before: before)
        }
        entries = entries.mapValues { restamped($0) }
        order = order.map { restamped($0) }
    }
}

// What is removed because of its age, and what fits into a message.
extension SharedList {
    /// How long a replaced version is stored, so that the change can be undone.
    static let undoPeriod = Duration.seconds(7 * 86_400)
    /// How long a removal is stored; a board that was off for longer may add the stop again.
    static let removalPeriod = Duration.seconds(90 * 86_400)
    /// The maximum number of stops in a list.
    static let maximumCount = 100
    /// The maximum after a merge: two boards with full lists may have begun the list at the same time.
    static let maximumMergedCount = 2 * maximumCount
    /// The maximum size of a message in bytes, as for every message of the fleet.
    static let maximumSize = 65_536

    /// The maximum size of a favourite in a message: of its keys and texts in bytes.
    private static let maximumFavouriteSize = 4_096

    static func isTooLarge(_ entry: Register<Values?>) -> Bool {
        [entry.last.content, entry.before?.content].contains { values in
            let texts = (values ?? [:]).map { $0.value.reduce($0.key.utf8.count) { $0 + $1.utf8.count } }
            return texts.reduce(0, +) > maximumFavouriteSize
        }
    }

    /// Whether it has more stops than correctly working boards can produce.
    var isTooLarge: Bool { stops.count > Self.maximumMergedCount }

    /// The list without replaced versions and removals that are too old.
    func pruned(at time: Timestamp) -> SharedList {
        var list = self
        for (stop, entry) in entries {
            let age = time - entry.last.at.timestamp
            if age > Self.undoPeriod { list.entries[stop]?.before = nil }
            if entry.last.content == nil, age > Self.removalPeriod { list.entries[stop] = nil }
        }
        if order.isSomeAnd({ time - $0.last.at.timestamp > Self.undoPeriod }) { list.order?.before = nil }
        return list
    }

    /// The list without the oldest removals, if there are more than a message may have.
    var withoutExcessiveRemovals: SharedList { without(removals.dropLast(SharedListFile.maximumRemovals)) }

    /// The removed stops, the oldest first.
    private var removals: [StopID] {
        entries.filter { $0.value.last.content == nil }.sorted {
            ($0.value.last.at, $0.key.description) < ($1.value.last.at, $1.key.description)
        }.map(\.key)
    }

    private func without(_ stops: some Sequence<StopID>) -> SharedList {
        var list = self
        for stop in stops { list.entries[stop] = nil }
        return list
    }

    /// The list as it is published: without what does not fit into a message. First favourites that are too large are left
    /// out, then the replaced versions, the oldest removals, and the last stops.
    var published: SharedList {
        var list = withoutExcessiveRemovals.without(stops.dropFirst(Self.maximumCount))
        list.entries = list.entries.filter { !Self.isTooLarge($0.value) }
        guard list.bytes.count > Self.maximumSize else { return list }
        list.entries = list.entries.mapValues { Register($0.last) }
        list.order = list.order.map { Register($0.last) }
        let dispensable = list.removals + list.stops.reversed()
        // The fewest that must be left out.
        var (fewest, most) = (0, dispensable.count)
        while fewest < most {
            let middle = (fewest + most) / 2
            let fits = list.without(dispensable.prefix(middle)).bytes.count <= Self.maximumSize
            if fits { most = middle } else { fewest = middle + 1 }
        }
        return list.without(dispensable.prefix(fewest))
    }

    /// The stops that do not fit into a message.
    var excess: [StopID] {
        let published = self.published
        return stops.filter { !published.contains($0) }
    }
}
