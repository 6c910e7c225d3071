/// A time zone: the UTC offset of local time at every moment.
///
/// Parsed from the bytes of a TZif file (``init(tzif:)``) or from a POSIX rule (``init(posix:)``); the daemon finds the
/// files. Foundation's zones are not used: whether they work depends on what else is linked.
public struct Zone: Hashable, Sendable, Codable {
    /// Moments at which the offset changes, in seconds since 1970, ascending.
    let changes: [Int64]
    /// The UTC offset in seconds, starting at each change.
    let offsets: [Int]
    /// The UTC offset in seconds before the first change.
    let firstOffset: Int
    /// The rule after the last change, or at all times without changes; nil: the last offset continues.
    let rule: ZoneRule?

    public static let utc = Zone(changes: [], offsets: [], firstOffset: 0, rule: nil)

    /// The UTC offset at a moment; negative in the west.
    public func offset(at moment: Timestamp) -> Duration { .seconds(offsetSeconds(at: moment.seconds)) }

    public func localTime(at moment: Timestamp) -> LocalTime {
        LocalTime(secondsSince1970: moment.seconds + Int64(offsetSeconds(at: moment.seconds)))
    }

    /// The zone for a span of time only: with the changes in it, and the offsets before and after them.
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

    /// The index of the first change after `seconds`; the number of changes if there is none.
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
    package static let maximumOffset = 93_600
    /// The limit of change times in a file, in both directions (RFC 9636 §3.2).
    private static let farthestChange: Int64 = 1 << 59

    /// Whether a file can contain the values.
    package var isValid: Bool {
        offsets.count == changes.count && zip(changes, changes.dropFirst()).allSatisfy { $0 < $1 }
            && changes.allSatisfy { $0.magnitude <= Self.farthestChange.magnitude }
            && (offsets + [firstOffset]).allSatisfy { $0.magnitude <= Self.maximumOffset.magnitude }
            && rule?.isValid ?? true
    }
}

extension PlainError {
    /// The magic number of RFC 9636 is missing.
    fileprivate static let notTZif = PlainError("not a time zone file (RFC 9636)")
    /// The bytes end before the length in their header.
    fileprivate static let truncated = PlainError("time zone file ends too early")

    /// The bytes violate RFC 9636.
    fileprivate static func malformed(_ what: String) -> PlainError { PlainError("damaged time zone file: \(what)") }
}

extension Zone {
    /// The moments at which a wall clock shows a local time.
    public enum Meaning: Hashable, Sendable {
        /// One moment, the usual case.
        case unique(Timestamp)
        /// The clock was put back: it shows the time twice (or more often; then the first and the last).
        case ambiguous(earlier: Timestamp, later: Timestamp)
        /// The clock was put forward over this time: the moment by the offset before the change.
        case skipped(Timestamp)
    }

    public func timestamps(of local: LocalTime) -> Meaning {
        // No clock is more than 26 hours from UTC (RFC 9636 §3.2), so only the offsets of these hours can apply.
        let wall = local.secondsSince1970
        let before = offsetSeconds(at: wall - 93_600)
        var candidates = [before]
        var moment = wall - 93_600
        while let change = nextChange(after: moment), change <= wall + 93_600 {
            candidates.append(offsetSeconds(at: change))
            moment = change
        }
        let matches = Set(candidates).filter { offsetSeconds(at: wall - Int64($0)) == $0 }
        guard let largest = matches.max(), let smallest = matches.min() else {
            return .skipped(Timestamp(seconds: wall - Int64(offsetBeforeGap(wall, before))))
        }
        let earlier = Timestamp(seconds: wall - Int64(largest))
        return largest == smallest
            ? .unique(earlier) : .ambiguous(earlier: earlier, later: Timestamp(seconds: wall - Int64(smallest)))
    }

    /// The moment at which a wall clock shows `local`; of two moments the one nearest to `moment`.
    public func timestamp(of local: LocalTime, nearest moment: Timestamp) -> Timestamp {
        switch timestamps(of: local) {
        case .unique(let only), .skipped(let only): only
        case .ambiguous(let earlier, let later): moment - earlier <= later - moment ? earlier : later
        }
    }

    /// The offset before the change that skipped `wall`.
    private func offsetBeforeGap(_ wall: Int64, _ first: Int) -> Int {
        var before = first
        var moment = wall - 93_600
        while let change = nextChange(after: moment) {
            let after = offsetSeconds(at: change)
            if change + Int64(before) <= wall, wall < change + Int64(after) { return before }
            guard change <= wall + 93_600 else { break }
            before = after
            moment = change
        }
        return before
    }
}

extension Zone {
    /// The zone in a whole TZif file of /usr/share/zoneinfo, versions 1 to 4 (RFC 9636). Throws for anything that is
    /// not well-formed; no input traps.
    public init(tzif bytes: Span<UInt8>) throws {
        var start = 0
        var header = try TZifHeader(bytes, at: &start)
        guard header.version >= UInt8(ascii: "2") else {
            self = try Self.block(bytes, header, at: &start, timeSize: 4, rule: nil)
            return
        }
        // The first block of a newer file is for older readers, and may be empty: the second one is complete.
        start += header.size(timeSize: 4)
        header = try TZifHeader(bytes, at: &start)
        var end = start + header.size(timeSize: 8)
        let rule = try Self.footer(bytes, at: &end)
        self = try Self.block(bytes, header, at: &start, timeSize: 8, rule: rule)
    }

    /// The data block at `start` (RFC 9636 §3.2).
    private static func block(
        _ bytes: Span<UInt8>, _ header: TZifHeader, at start: inout Int, timeSize: Int, rule: ZoneRule?
    ) throws -> Zone {
        guard start + header.size(timeSize: timeSize) <= bytes.count else { throw PlainError.truncated }
        // The board's timestamps do not count leap seconds.
        guard header.leaps == 0 else {
            throw PlainError("time zone file counts leap seconds; use the file that is not under right/")
        }
        guard header.types > 0, header.designations > 0 else { throw PlainError.malformed("it has no local time type") }
        guard header.isUTC == 0 || header.isUTC == header.types,
            header.isStandard == 0 || header.isStandard == header.types
        else { throw PlainError.malformed("its indicators do not match its types") }
        let indexes = start + header.times * timeSize
        let types = indexes + header.times
        var offsets: [Int] = []
        for type in 0..<header.types {
            let place = types + type * 6
            let offset = Int(Int32(truncatingIfNeeded: bytes.bigEndian(at: place, width: 4)))
            // The range of RFC 9636 §3.2: the limits of POSIX rules, and an hour of daylight saving.
            guard (-89_999...93_599).contains(offset) else { throw PlainError.malformed("an offset of \(offset) s") }
            guard bytes[place + 4] <= 1, Int(bytes[place + 5]) < header.designations
            else { throw PlainError.malformed("local time type \(type)") }
            offsets.append(offset)
        }
        var changes: [Int64] = []
        var followers: [Int] = []
        changes.reserveCapacity(header.times)
        followers.reserveCapacity(header.times)
        for index in 0..<header.times {
            let raw = bytes.bigEndian(at: start + index * timeSize, width: timeSize)
            let change = timeSize == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
            let type = Int(bytes[indexes + index])
            guard type < offsets.count else { throw PlainError.malformed("transition \(index) to an undefined type") }
            if let last = changes.last, change <= last {
                throw PlainError.malformed("transition \(index) is out of order")
            }
            changes.append(change)
            followers.append(offsets[type])
        }
        return Zone(changes: changes, offsets: followers, firstOffset: offsets[0], rule: rule)
    }

    /// The rule between the two newlines at `start`; nil if it is empty (RFC 9636 §3.3).
    private static func footer(_ bytes: Span<UInt8>, at start: inout Int) throws -> ZoneRule? {
        guard start < bytes.count else { throw PlainError.truncated }
        guard bytes.has("\n", at: start) else { throw PlainError.malformed("no newline before the rule") }
        start += 1
        var text = ""
        while start < bytes.count, !bytes.has("\n", at: start) {
            text.unicodeScalars.append(Unicode.Scalar(bytes[start]))
            start += 1
        }
        guard start < bytes.count else { throw PlainError.truncated }
        return text.isEmpty ? nil : try ZoneRule(text)
    }
}

/// The header of a data block (RFC 9636 §3.1).
private struct TZifHeader {
    let version: UInt8
    let isUTC, isStandard, leaps, times, types, designations: Int

    init(_ bytes: Span<UInt8>, at start: inout Int) throws {
        let magic: [Unicode.Scalar] = ["T", "Z", "i", "f"]
        for (index, letter) in magic.enumerated() where start + index < bytes.count {
            guard bytes.has(letter, at: start + index) else { throw PlainError.notTZif }
        }
        guard start + 44 <= bytes.count else { throw bytes.count == 0 ? PlainError.notTZif : PlainError.truncated }
        version = bytes[start + 4]
        guard version == 0 || version >= UInt8(ascii: "2") else { throw PlainError.malformed("version \(version)") }
        isUTC = Int(bytes.bigEndian(at: start + 20, width: 4))
        isStandard = Int(bytes.bigEndian(at: start + 24, width: 4))
        leaps = Int(bytes.bigEndian(at: start + 28, width: 4))
        times = Int(bytes.bigEndian(at: start + 32, width: 4))
        types = Int(bytes.bigEndian(at: start + 36, width: 4))
        designations = Int(bytes.bigEndian(at: start + 40, width: 4))
        start += 44
    }

    /// The length of the block in bytes; at most about 2³⁷, so that it cannot overflow.
    func size(timeSize: Int) -> Int {
        times * (timeSize + 1) + types * 6 + designations + leaps * (timeSize + 4) + isStandard + isUTC
    }
}

extension Span<UInt8> {
    /// The big-endian number in the `width` bytes at `start`, which must exist.
    fileprivate func bigEndian(at start: Int, width: Int) -> UInt64 {
        (start..<start + width).reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
