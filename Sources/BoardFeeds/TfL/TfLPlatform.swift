/// The interpretation of TfL's `platformName`: a stop's letter ("N"), a platform with a compass word ("Northbound -
/// Platform 4"), a compass word alone, as also for trams ("Eastbound Platform"), "Platform Unknown".
struct TfLPlatform: Hashable, Sendable {
    private static let directions = [
        "Northbound", "Southbound", "Eastbound", "Westbound", "Inner Rail", "Outer Rail",
    ]
    /// Letters of bus stops are "N", "LF", "KX1"; longer texts are names.
    private static let longestLetter = 3

    /// The letter on a bus stop.
    let letter: String?
    /// The platform's number or letter, or the bus stop's letter.
    let platform: String?
    /// The direction in the name.
    let direction: String?

    /// Parses a `platformName`; everything is nil if it is absent.
    init(_ name: String?, isBus: Bool) {
        guard let name else {
            (letter, platform, direction) = (nil, nil, nil)
            return
        }
        letter = isBus && name.utf8.count <= Self.longestLetter ? name : nil
        direction = Self.directions.first { name.hasPrefix($0) }
        let words = name.split(separator: " ")
        if let word = words.lastIndex(of: "Platform"), words.index(after: word) < words.endIndex {
            let number = words[words.index(after: word)]
            platform = number == "Unknown" ? nil : String(number)
        } else {
            let hasNoNumber = direction.map { [$0, "\($0) Platform"].contains(name) } ?? (name == "Unknown")
            platform = hasNoNumber ? nil : name
        }
    }
}
