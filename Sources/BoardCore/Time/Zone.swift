/// A time zone: the UTC offset of local time at every moment.
///
/// Parsed from the bytes of a TZif file (``init(tzif:)``) or from a POSIX rule (``init(posix:)``); the daemon finds the
/// files. Foundation's zones are not used: whether they work depends on what else is linked.
public struct Zone: Hashable, Sendable, Codable {
    /// Moments at which the offset changes, in seconds since 1970, ascending.
    let changes: [Int64]
    /// The UTC offset in seconds from each change on.
    let offsets: [Int]
    /// The UTC offset in seconds before the first change.
    let firstOffset: Int
    /// The rule after the last change, or at all times without changes; nil: the last offset continues.
    let rule: ZoneRule?

    public static let utc = Zone(changes: [], offsets: [], firstOffset: 0, rule: nil)

    /// The UTC offset at a moment; negative in the west.
    public func offset(at moment: Timestamp) -> Duration {
        .seconds(offsetSeconds(at: moment.seconds))
    }

    public func localTime(at moment: Timestamp) -> LocalTime {
        LocalTime(secondsSince1970: moment.seconds + Int64(offsetSeconds(at: moment.seconds)))
    }

    /// The zone of a span of time alone: with the changes in it, and with the offset before and after them.
    public func excerpt(from moment: Timestamp, for duration: Duration) -> Zone {
        var changes: [Int64] = []
        let end = (moment + duration).seconds
        while let next = nextChange(after: changes.last ?? moment.seconds), next <= end, changes.count < 4 {
            changes.append(next)
        }
        return Zone(
            changes: changes, offsets: changes.map(offsetSeconds), firstOffset: offsetSeconds(at: moment.seconds),
            rule: nil)
    }

    func offsetSeconds(at seconds: Int64) -> Int {
        let index = firstChange(after: seconds)
        if index == changes.count, let rule { return rule.offset(at: seconds) }
        return index == 0 ? firstOffset : offsets[index - 1]
    }

    /// The first second after `seconds` at which the UTC offset changes; nil if none is known.
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

    /// No clock is more than 26 hours from UTC (RFC 9636 §3.2).
    package static let farthestOffset = 93_600
    /// The limit of change times in a file, in both directions (RFC 9636 §3.2).
    private static let farthestChange: Int64 = 1 << 59

    /// Whether a file can contain the values.
    package var isValid: Bool {
        offsets.count == changes.count && zip(changes, changes.dropFirst()).allSatisfy { $0 < $1 }
            && changes.allSatisfy { $0.magnitude <= Self.farthestChange.magnitude }
            && (offsets + [firstOffset]).allSatisfy { $0.magnitude <= Self.farthestOffset.magnitude }
            && rule?.isValid ?? true
    }
}
