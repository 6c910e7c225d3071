/// A straight-line distance in metres.
public struct Metres: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Not negative.
    public let count: Double

    public init(_ count: Double) {
        self.count = count
    }

    public static func < (left: Metres, right: Metres) -> Bool {
        left.count < right.count
    }

    /// Half of Earth's circumference, rounded up: the largest distance between two places.
    public static let halfwayRoundEarth = Metres(20_100_000)

    /// The largest value shown: larger numbers would overflow an integer.
    private static let maximumShown = 1e12

    /// "120 m" to the nearest ten, "1.4 km" from a kilometre on; below ten metres to the metre. Values out of range are
    /// shown as the nearest valid one.
    public var description: String {
        let count = min(max(0, self.count), Self.maximumShown)
        if count < 9.5 { return "\(Int(count.rounded())) m" }
        let tens = Int((count / 10).rounded()) * 10
        if tens < 1_000 { return "\(tens) m" }
        let hundreds = Int((count / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}
