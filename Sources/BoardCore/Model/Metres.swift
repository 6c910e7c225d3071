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

    /// Half of Earth's circumference, and a little: no two places are farther apart.
    public static let halfwayRoundEarth = Metres(20_100_000)

    /// The most that is told, a million million metres: what is more would not fit into a whole number.
    private static let maximumShown = 1e12

    /// For people: "120 m" to the nearest ten, "1.4 km" from a kilometre on; below ten metres to the metre. What is no
    /// distance, or beyond everything, is told as the nearest that is one.
    public var description: String {
        let count = min(max(0, self.count), Self.maximumShown)
        if count < 9.5 { return "\(Int(count.rounded())) m" }
        let tens = Int((count / 10).rounded()) * 10
        if tens < 1_000 { return "\(tens) m" }
        let hundreds = Int((count / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}
