/// A trip's name as New York's subway writes it: `036050_2..S07R`.
///
/// Six digits are the start in hundredths of a minute after midnight of the service day, the route and the direction
/// follow, then the path. Its timetable has more before it (`…Weekday-00_036050_2..S07R`), its messages often leave the
/// path out.
struct NYCTTripID: Hashable, Sendable {
    /// `036050_2..S`: the train, whatever its path.
    let train: String
    /// `07R`; empty where it is left out.
    let path: String

    /// A name in this form; nil for any other city's.
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

    /// The part of a timetable's name that messages have, too.
    init?(inTimetable text: String) {
        guard let dash = text.firstIndex(of: "_") else { return nil }
        self.init(text[text.index(after: dash)...])
    }

    /// Where the two dots before the direction end.
    private static func dots(in text: Substring) -> String.Index? {
        guard let first = text.firstIndex(of: ".") else { return nil }
        let second = text.index(after: first)
        return second < text.endIndex && text[second] == "." ? text.index(after: second) : nil
    }
}
