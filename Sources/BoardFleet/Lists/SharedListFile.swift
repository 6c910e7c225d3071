import BoardCore
import FoundationEssentials

/// The JSON form of a list: for each stop and field, the stamp and the texts of the value, and in `previous` those of
/// the value before.
///
///     {"version": 1, "stops": {"tfl:490": {"here": ["1795698000123-kitchen", "true"], …}}, "previous": {…}}
struct SharedListFile: Codable {
    static let version = 1
    /// The maximum number of removed stops in a message.
    static let maximumRemovals = 1_000
    /// The maximum number of fields of a stop.
    static let maximumFields = 40
    /// The maximum number of bytes of a field's name, and of texts of a value.
    private static let (maximumNameLength, maximumTexts) = (40, 64)

    typealias Fields = [String: [String]]

    var version: Int
    var stops: [String: Fields]
    var previous: [String: Fields]?

    /// The error for a list of another version: the end of a sentence that begins with the message.
    static func otherVersion(_ found: Int) -> PlainError {
        PlainError("has version \(found), and this boardd reads version \(version): update boardd on this board")
    }

    init(_ list: SharedList) {
        version = Self.version
        stops = [:]
        var replaced: [String: Fields] = [:]
        for (stop, entry) in list.entries {
            stops[stop.description] = entry.fields.mapValues { Self.texts($0.value) }
            let previous = entry.fields.compactMapValues { $0.previous.map(Self.texts) }
            if !previous.isEmpty { replaced[stop.description] = previous }
        }
        previous = replaced.isEmpty ? nil : replaced
    }

    private static func texts(_ value: SharedList.Value) -> [String] { [value.stamp.description] + value.texts }

    /// The list without malformed stops and values, and the number of these.
    var list: (list: SharedList, malformed: Int) {
        var list = SharedList()
        var malformed = 0
        for values in [stops, previous ?? [:]] {
            for (text, fields) in values {
                guard let stop = StopID(text), fields.count <= Self.maximumFields else {
                    malformed += 1
                    continue
                }
                for (name, texts) in fields {
                    guard let stamp = texts.first.flatMap({ HybridTimestamp($0) }),
                        name.utf8.count <= Self.maximumNameLength, texts.count <= Self.maximumTexts + 1
                    else {
                        malformed += 1
                        continue
                    }
                    let value = SharedList.Value(texts: Array(texts.dropFirst()), stamp: stamp)
                    list.entries[stop, default: SharedList.Entry()].merge(value, into: name)
                }
            }
        }
        return (list, malformed)
    }
}

extension SharedList {
    /// The error for a message that is not a list; like those of ``read(_:)``, it ends a sentence about the message.
    static let unreadable = PlainError("is unreadable")

    /// The message for other boards, of at most ``maximumSize`` bytes: see ``published``.
    var payload: [UInt8] { StableJSON.bytes(SharedListFile(published)) }

    /// Reads a message from another board.
    ///
    /// - Returns: the list, and the number of malformed stops and values that were skipped.
    static func read(_ payload: [UInt8]) throws(PlainError) -> (list: SharedList, malformed: Int) {
        let (list, malformed) = try file(payload).list
        let count = list.entries.values.count(where: \.isHere)
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
        guard let file = try? decoder.decode(SharedListFile.self, from: data) else {
            // A later version may have another form.
            guard let found = try? decoder.decode(Version.self, from: data), found.version != SharedListFile.version
            else { throw unreadable }
            throw SharedListFile.otherVersion(found.version)
        }
        guard file.version == SharedListFile.version else { throw SharedListFile.otherVersion(file.version) }
        return file
    }
}

// Stamps that are ahead of a clock that is certain: such a value would win until that time comes.
extension SharedList {
    /// The list without values whose stamps are ahead; and for each board that made one, how far its clock is ahead.
    func withoutFuture(at time: ListTime) -> (list: SharedList, ahead: [FleetName: Duration]) {
        var list = self
        var ahead: [FleetName: Duration] = [:]
        guard let latest, HybridClock.isAhead(latest, at: time) else { return (self, [:]) }
        for (stop, entry) in entries {
            for (name, field) in entry.fields where HybridClock.isAhead(field.value.stamp, at: time) {
                let stamp = field.value.stamp
                ahead[stamp.board] = max(ahead[stamp.board] ?? .zero, stamp.timestamp - time.timestamp)
                // The value that it replaced, unless that is ahead as well.
                list.entries[stop]?.fields[name] = field.previous.flatMap { previous in
                    HybridClock.isAhead(previous.stamp, at: time) ? nil : Field(previous)
                }
            }
            if list.entries[stop]?.fields.isEmpty == true { list.entries[stop] = nil }
        }
        return (list, ahead)
    }

    /// Gives values whose stamps are ahead the present stamp, which other boards accept: this board merged or made them
    /// before its own time was certain.
    mutating func restampFuture(at time: ListTime, stamp: HybridTimestamp) {
        for (stop, entry) in entries {
            for (name, field) in entry.fields where HybridClock.isAhead(field.value.stamp, at: time) {
                let previous = field.previous.flatMap { HybridClock.isAhead($0.stamp, at: time) ? nil : $0 }
                entries[stop]?.fields[name] = Field(Value(texts: field.value.texts, stamp: stamp), previous: previous)
            }
        }
    }
}

// What is removed because of its age, and what fits into a message.
extension SharedList {
    /// How long a replaced value is stored, so that the change can be undone.
    static let undoPeriod = Duration.seconds(7 * 86_400)
    /// How long a removal is stored; a board that was off for longer may add the stop again.
    static let removalPeriod = Duration.seconds(90 * 86_400)
    /// The maximum number of stops in a list.
    static let maximumCount = 100
    /// The maximum after a merge: two boards with full lists may have begun the list at the same time.
    static let maximumMergedCount = 2 * maximumCount
    /// The maximum size of a message in bytes, as for every message of the fleet.
    static let maximumSize = 65_536

    /// Whether it has more stops, or fields of a stop, than correctly working boards can produce.
    var isTooLarge: Bool {
        entries.values.count(where: \.isHere) > Self.maximumMergedCount
            || entries.values.contains { $0.fields.count > SharedListFile.maximumFields }
    }

    /// The list without replaced values and removals that are too old.
    func pruned(at time: Timestamp) -> SharedList {
        var list = self
        for (stop, entry) in entries {
            var entry = entry
            if !entry.isHere, let removal = entry.fields[Self.here] {
                let age = time - removal.value.stamp.timestamp
                if age > Self.removalPeriod {
                    list.entries[stop] = nil
                    continue
                }
                if age > Self.undoPeriod { entry.fields = [Self.here: removal] }
            }
            for (name, field) in entry.fields
            where field.previous != nil && time - field.value.stamp.timestamp > Self.undoPeriod {
                entry.fields[name]?.previous = nil
            }
            list.entries[stop] = entry
        }
        return list
    }

    /// The list without the oldest removals, if there are more than a message may have.
    var withoutExcessiveRemovals: SharedList {
        var list = self
        for stop in removals.dropLast(SharedListFile.maximumRemovals) { list.entries[stop] = nil }
        return list
    }

    /// The removed stops, the oldest first.
    private var removals: [StopID] {
        entries.filter { !$0.value.isHere }.sorted { left, right in
            let (one, other) = (left.value.fields[Self.here]?.value.stamp, right.value.fields[Self.here]?.value.stamp)
            guard let one, let other, one != other else { return left.key.description < right.key.description }
            return one < other
        }.map(\.key)
    }

    /// The list as it is published: without what does not fit into a message. First the replaced values are left out,
    /// then the values of removed stops, the oldest removals, and the last stops.
    var published: SharedList {
        var list = self
        for stop in order.dropFirst(Self.maximumCount) { list.entries[stop] = nil }
        guard list.estimatedSize > Self.maximumSize else { return list }
        for (stop, entry) in list.entries {
            let fields = entry.isHere ? entry.fields : entry.fields.filter { $0.key == Self.here }
            list.entries[stop]?.fields = fields.mapValues { Field($0.value) }
        }
        for stop in list.removals + list.order.reversed() {
            guard list.estimatedSize > Self.maximumSize else { break }
            list.entries[stop] = nil
        }
        return list
    }

    /// The stops that do not fit into a message.
    var excess: [StopID] {
        let published = self.published
        return order.filter { published.entries[$0] == nil }
    }

    /// An upper bound for the size of the message in bytes.
    var estimatedSize: Int {
        64
            + entries.reduce(0) { size, item in
                let last = item.value.fields.reduce(0) { $0 + Self.size($1.key, $1.value.value) }
                let previous = item.value.fields.reduce(0) { size, field in
                    size + (field.value.previous.map { Self.size(field.key, $0) } ?? 0)
                }
                let name = Self.size(item.key.description) + 4
                return size + name + last + (previous > 0 ? name + previous : 0)
            }
    }

    private static func size(_ name: String, _ value: Value) -> Int {
        // With the board's name: it is at most 63 letters after 15 digits, a point and 5 digits.
        value.texts.reduce(size(name) + value.stamp.description.utf8.count + 7) { $0 + size($1) + 1 }
    }

    /// The size of a text in JSON in bytes, with quotes and escapes.
    private static func size(_ text: String) -> Int {
        text.utf8.reduce(2) { size, byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): size + 2
            case 0..<32: size + 6
            default: size + 1
            }
        }
    }
}
