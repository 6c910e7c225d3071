/// A `trip_id` of New York's subway: `036050_2..S07R`.
///
/// Six digits are the start in hundredths of a minute after midnight of the service day; the route, the direction and the
/// path follow. The timetable adds a prefix (`…Weekday-00_036050_2..S07R`); messages often omit the path.
struct NYCTTripID: Hashable, Sendable {
    /// `036050_2..S`: the ID without the path.
    let train: String
    /// `07R`; empty if omitted.
    let path: String

    /// Parses an ID of this form; nil for other operators' IDs.
    init?(_ text: Substring) {
        let start = Array(text.utf8.prefix(7))
        guard start.count == 7, start[6] == UInt8(ascii: "_"),
            start.dropLast().allSatisfy({ (0x30...0x39).contains($0) }), let dots = Self.dots(in: text),
            dots < text.endIndex
        else { return nil }
        let afterDirection = text.index(after: dots)
        train = String(text[..<afterDirection])
        path = String(text[afterDirection...])
    }

    /// Parses a timetable's ID, without its prefix.
    init?(inTimetable text: String) {
        guard let dash = text.firstIndex(of: "_") else { return nil }
        self.init(text[text.index(after: dash)...])
    }

    /// The index after the two dots before the direction.
    private static func dots(in text: Substring) -> String.Index? {
        guard let first = text.firstIndex(of: ".") else { return nil }
        let second = text.index(after: first)
        return second < text.endIndex && text[second] == "." ? text.index(after: second) : nil
    }
}
