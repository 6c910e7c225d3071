/// A distance in metres, as the crow flies.
public struct Metres: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of metres; not negative.
    public let count: Double

    /// So many metres.
    public init(_ count: Double) {
        self.count = count
    }

    /// Whether `left` is the shorter one.
    public static func < (left: Metres, right: Metres) -> Bool {
        left.count < right.count
    }

    /// For people: "120 m" to the nearest ten, "1.4 km" from a kilometre on; below ten metres to the metre.
    public var description: String {
        if count < 9.5 { return "\(Int(count.rounded())) m" }
        let tens = Int((count / 10).rounded()) * 10
        if tens < 1_000 { return "\(tens) m" }
        let hundreds = Int((count / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}
