internal import BoardCore

// What is removed with its age, and what a message has room for.
extension SharedList {
    /// How long a replaced value is stored, so that the change can be undone.
    static let undoPeriod = Duration.seconds(7 * 86_400)
    /// How long a removal is stored; a board that was off for longer may add the stop again.
    static let removalPeriod = Duration.seconds(90 * 86_400)
    /// The most stops of a list.
    static let maximumCount = 100
    /// The most stops after a merge: two boards with full lists may have begun the list at once.
    static let maximumMergedCount = 2 * maximumCount
    /// The most bytes of a message, as for every message of the fleet.
    static let maximumSize = 65_536

    /// Whether it has more stops, or fields of a stop, than boards that work as intended can have.
    var isTooLarge: Bool {
        entries.values.count(where: \.isHere) > Self.maximumMergedCount
            || entries.values.contains { $0.fields.count > SharedListFile.maximumFields }
    }

    /// The list without replaced values, and without removals, that are too old.
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

    /// The list without the oldest removals, where there are more than a message may have.
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

    /// The list as it is published: without what a message has no room for. First the replaced values are left out, then the
    /// values of removed stops, the oldest removals, and the last stops.
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

    /// The stops that a message has no room for.
    var excess: [StopID] {
        let published = self.published
        return order.filter { published.entries[$0] == nil }
    }

    /// An upper limit of the bytes of the message.
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

    /// The bytes of a text in JSON, with quotes and escapes.
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
