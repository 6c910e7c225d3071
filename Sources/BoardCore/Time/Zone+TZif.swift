extension Zone {
    /// The zone in a whole TZif file of /usr/share/zoneinfo, versions 1 to 4 (RFC 9636). Throws for anything that is
    /// not well-formed; no input traps.
    public init(tzif bytes: Span<UInt8>) throws(ZoneError) {
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
    ) throws(ZoneError) -> Zone {
        guard start + header.size(timeSize: timeSize) <= bytes.count else { throw .truncated }
        guard header.leaps == 0 else { throw .countsLeapSeconds }
        guard header.types > 0, header.designations > 0 else { throw .malformed("it has no local time type") }
        guard header.isUTC == 0 || header.isUTC == header.types,
            header.isStandard == 0 || header.isStandard == header.types
        else { throw .malformed("its indicators do not match its types") }
        let indexes = start + header.times * timeSize
        let types = indexes + header.times
        var offsets: [Int] = []
        for type in 0..<header.types {
            let place = types + type * 6
            let offset = Int(Int32(truncatingIfNeeded: bytes.bigEndian(at: place, width: 4)))
            // The range of RFC 9636 §3.2: the limits of POSIX rules, and an hour of daylight saving.
            guard (-89_999...93_599).contains(offset) else { throw .malformed("an offset of \(offset) s") }
            guard bytes[place + 4] <= 1, Int(bytes[place + 5]) < header.designations
            else { throw .malformed("local time type \(type)") }
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
            guard type < offsets.count else { throw .malformed("transition \(index) to an undefined type") }
            if let last = changes.last, change <= last { throw .malformed("transition \(index) is out of order") }
            changes.append(change)
            followers.append(offsets[type])
        }
        return Zone(changes: changes, offsets: followers, firstOffset: offsets[0], rule: rule)
    }

    /// The rule between the two newlines at `start`; nil where it is empty (RFC 9636 §3.3).
    private static func footer(_ bytes: Span<UInt8>, at start: inout Int) throws(ZoneError) -> ZoneRule? {
        guard start < bytes.count else { throw .truncated }
        guard bytes.has("\n", at: start) else { throw .malformed("no newline before the rule") }
        start += 1
        var text = ""
        while start < bytes.count, !bytes.has("\n", at: start) {
            text.unicodeScalars.append(Unicode.Scalar(bytes[start]))
            start += 1
        }
        guard start < bytes.count else { throw .truncated }
        return text.isEmpty ? nil : try ZoneRule(text)
    }
}

/// The header of a data block (RFC 9636 §3.1).
private struct TZifHeader {
    let version: UInt8
    let isUTC, isStandard, leaps, times, types, designations: Int

    init(_ bytes: Span<UInt8>, at start: inout Int) throws(ZoneError) {
        let magic: [Unicode.Scalar] = ["T", "Z", "i", "f"]
        for (index, letter) in magic.enumerated() where start + index < bytes.count {
            guard bytes.has(letter, at: start + index) else { throw .notTZif }
        }
        guard start + 44 <= bytes.count else { throw bytes.count == 0 ? .notTZif : .truncated }
        version = bytes[start + 4]
        guard version == 0 || version >= UInt8(ascii: "2") else { throw .malformed("version \(version)") }
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
