/// The place of an entry in a list: a fraction in base 62, so that there is always a place between two others and a
/// move changes one entry. Ordered as text.
struct FractionalIndex: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// In digits: longer ones are not read.
    static let maximumLength = 128

    private static let base = 62
    /// How far a new place is from its neighbour, in units of its last digit, if there is room: enough for as many more
    /// places, and for thousands of insertions in a row before another extension.
    private static let step = 61
    /// How many digits are appended when there is no room.
    private static let extensionLength = 3

    /// Digits and letters, in ASCII order; the last is not 0, since there would be no place below it.
    let description: String

    /// Parses digits and letters; nil for anything else.
    init?(_ text: some StringProtocol) {
        guard (1...Self.maximumLength).contains(text.utf8.count), text.last != "0",
            text.utf8.allSatisfy({ Self.digit($0) != nil })
        else { return nil }
        description = String(text)
    }

    private init(_ digits: [UInt8]) { description = String(decoding: digits.map(Self.letter), as: UTF8.self) }

    var length: Int { description.utf8.count }

    /// From 0 to 61.
    private var digits: [UInt8] { description.utf8.compactMap(Self.digit) }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    /// A place between two others.
    ///
    /// - Parameters:
    ///   - lower: nil: before all.
    ///   - upper: nil: after all, as for one that is not above `lower`.
    static func between(_ lower: FractionalIndex?, _ upper: FractionalIndex?) -> FractionalIndex {
        if let lower, let upper, upper <= lower { return between(lower, nil) }
        var length = max(lower?.length ?? 0, upper?.length ?? 0, 1)
        while true {
            if let place = between(lower?.digits ?? [], upper?.digits, length: length) { return FractionalIndex(place) }
            length += extensionLength
        }
    }

    /// Places for a whole list, in order, with room between them.
    static func evenly(_ count: Int) -> [FractionalIndex] {
        // Two digits leave room between fewer than 62 entries, three between more.
        let length = count < base ? 2 : 3
        let units = (0..<length).reduce(1) { units, _ in units * base }
        return (0..<max(0, count)).map { index in
            var value = (index + 1) * units / (count + 1)
            if value % base == 0 { value += 1 }
            var digits: [UInt8] = []
            for _ in 0..<length {
                digits.insert(UInt8(value % base), at: 0)
                value /= base
            }
            return FractionalIndex(digits)
        }
    }

    /// Digits of this length between two fractions; nil if there is no room.
    private static func between(_ lower: [UInt8], _ upper: [UInt8]?, length: Int) -> [UInt8]? {
        let low = padded(lower, to: length)
        let high = padded(upper ?? [], to: length)
        // The difference in units of the last digit, up to a limit beyond which its exact value has no effect.
        var room = upper == nil ? 1 : 0
        for (from, to) in zip(low, high) { room = min(room * base + Int(to) - Int(from), 1 << 40) }
        guard room >= 2 else { return nil }
        // The longer neighbour is the newer one, and the next insertion is likely on its other side again.
        let isUp = lower.count >= upper?.count ?? 0
        for distance in [min(step, room / 2), min(step, room / 2) + 1] where distance < room {
            let place = isUp ? sum(low, distance) : sum(high, -distance)
            if place.last != 0 { return place }
        }
        return nil
    }

    private static func sum(_ digits: [UInt8], _ units: Int) -> [UInt8] {
        var digits = digits
        var rest = units
        for index in digits.indices.reversed() where rest != 0 {
            let value = Int(digits[index]) + rest
            let digit = (value % base + base) % base
            digits[index] = UInt8(digit)
            rest = (value - digit) / base
        }
        return digits
    }

    private static func padded(_ digits: [UInt8], to length: Int) -> [UInt8] {
        digits + [UInt8](repeating: 0, count: max(0, length - digits.count))
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 36
        default: nil
        }
    }

    private static func letter(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<10: UInt8(ascii: "0") + digit
        case 10..<36: UInt8(ascii: "A") + digit - 10
        default: UInt8(ascii: "a") + digit - 36
        }
    }
}
