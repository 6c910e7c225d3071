/// A time zone: how far wall clocks in one place are ahead of UTC, at every moment.
///
/// A value read from the bytes of a TZif file (``init(tzif:)``) or from a POSIX rule (``init(posix:)``); where files are
/// is the daemon's business. Foundation's zones are not used, since they are right or nil by what else is linked.
public struct Zone: Hashable, Sendable, Codable {
    /// Moments from which another offset holds, in seconds since 1970, ascending.
    let changes: [Int64]
    /// Seconds ahead of UTC from each change on.
    let offsets: [Int]
    /// Seconds ahead of UTC before the first change.
    let firstOffset: Int
    /// What holds from the last change on, at all times where there is no change; nil: what the last change says.
    let rule: ZoneRule?

    /// Coordinated universal time.
    public static let utc = Zone(changes: [], offsets: [], firstOffset: 0, rule: nil)

    /// How far a wall clock is ahead of UTC at a moment; negative in the west.
    public func offset(at moment: Timestamp) -> Duration {
        .seconds(offsetSeconds(at: moment.seconds))
    }

    /// What a wall clock shows at a moment.
    public func localTime(at moment: Timestamp) -> LocalTime {
        LocalTime(secondsSince1970: moment.seconds + Int64(offsetSeconds(at: moment.seconds)))
    }

    /// The first moment after `moment` at which wall clocks are put forward or back, or nil where none is known.
    public func nextChange(after moment: Timestamp) -> Timestamp? {
        guard let seconds = nextChange(after: moment.seconds) else { return nil }
        return Timestamp(seconds: seconds)
    }

    /// Seconds ahead of UTC at `seconds` since 1970.
    func offsetSeconds(at seconds: Int64) -> Int {
        let index = firstChange(after: seconds)
        if index == changes.count, let rule { return rule.offset(at: seconds) }
        return index == 0 ? firstOffset : offsets[index - 1]
    }

    /// The first second after `seconds` at which the offset is another than just before.
    func nextChange(after seconds: Int64) -> Int64? {
        for index in firstChange(after: seconds)..<changes.count
        where offsetSeconds(at: changes[index]) != (index == 0 ? firstOffset : offsets[index - 1]) {
            return changes[index]
        }
        return rule?.nextChange(after: max(seconds, changes.last ?? seconds))
    }

    /// The index of the first change after `seconds`; the number of changes where there is none.
    private func firstChange(after seconds: Int64) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// MARK: - Kept over a restart

extension Zone {
    /// No clock is more than 26 hours from UTC (RFC 9636 §3.2).
    static let farthestOffset = 93_600
    /// The earliest moment that a file should name, and as far the other way (RFC 9636 §3.2).
    private static let farthestChange: Int64 = 1 << 59

    /// A zone that was kept.
    ///
    /// - Throws: `DecodingError` for one that no file can have told.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        let changes = try kept.decode([Int64].self, forKey: .changes)
        let offsets = try kept.decode([Int].self, forKey: .offsets)
        let first = try kept.decode(Int.self, forKey: .firstOffset)
        let rule = try kept.decodeIfPresent(ZoneRule.self, forKey: .rule)
        guard offsets.count == changes.count, zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 }),
            changes.allSatisfy({ $0.magnitude <= Self.farthestChange.magnitude })
        else { throw DecodingError.invalid("changes out of order", in: decoder) }
        guard (offsets + [first]).allSatisfy({ $0.magnitude <= Self.farthestOffset.magnitude }), rule?.isValid ?? true
        else { throw DecodingError.invalid("no offset of a clock", in: decoder) }
        self.init(changes: changes, offsets: offsets, firstOffset: first, rule: rule)
    }
}
