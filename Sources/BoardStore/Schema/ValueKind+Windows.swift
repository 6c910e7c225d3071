internal import BoardCore

extension ValueKind<[WeeklyWindow]> {
    /// Days and hours in one text, or a list of such texts, of which none says the same as another.
    static let windows = ValueKind(
        allowed: "days, hours or both, such as \"weekdays 06:30-09:30\", or a list of such texts"
    ) { (node) throws(Refusals) in
        let nodes: [TOMLNode]
        switch node.value {
        case .text: nodes = [node]
        case .list(let elements) where !elements.isEmpty: nodes = elements
        default: throw .notAllowed(node)
        }
        var windows: [WeeklyWindow] = []
        var refusals = Refusals(all: [])
        for element in nodes {
            guard case .text(let text) = element.value else {
                refusals.all.append(.init(reason: .notAllowed, node: element, allowed: example))
                continue
            }
            do throws(WindowFault) {
                let window = try WeeklyWindow(written: text)
                if windows.contains(window) {
                    refusals.all.append(.init(reason: .because("is there twice"), node: element))
                }
                windows.append(window)
            } catch {
                refusals.all.append(.init(reason: .because(error.sentence), node: element))
            }
        }
        guard refusals.all.isEmpty else { throw refusals }
        return windows
    }

    private static let example = "a text such as \"weekdays 06:30-09:30\""
}

/// Why a text is no part of a week.
enum WindowFault: Error {
    /// There is nothing in it.
    case empty
    /// A word is none for days.
    case days(String)
    /// A day is named twice.
    case twice(String)
    /// What should be hours is not.
    case hours(String)

    /// What is wrong and what is allowed, as the end of a sentence about the text.
    var sentence: String {
        let days = Weekday.allCases.map { "\($0)" }
        let groups = WeeklyWindow.groups.map(\.name)
        switch self {
        case .empty: return "is empty: write days, hours or both, such as \"weekdays 06:30-09:30\""
        case .days(let found):
            let question = Spelling.nearest(to: found, of: groups + days).map { "did you mean \($0)? " } ?? ""
            return "has \"\(found)\" for days; \(question)allowed: \(groups.joined(separator: ", ")), "
                + "or some of \(days.joined(separator: ",")) with commas and no blanks"
        case .twice(let day): return "has \(day) twice"
        case .hours(let found):
            return "has \"\(found)\" for hours, which must be two times of day such as 06:30-09:30, "
                + "or 22:00-02:00 to end on the next day"
        }
    }
}

extension WeeklyWindow {
    /// The words for several days.
    static let groups: [(name: String, days: Set<Weekday>)] = [
        ("daily", Set(Weekday.allCases)),
        ("weekdays", [.mon, .tue, .wed, .thu, .fri]),
        ("weekend", [.sat, .sun]),
    ]

    /// Reads "weekdays 06:30-09:30", "mon,fri 22:00-02:00", "weekend" or "06:30-09:30". Days alone are whole days, hours
    /// alone are daily; hours that end before they begin end on the next day.
    init(written text: String) throws(WindowFault) {
        var parts = text.split(separator: " ")
        guard !parts.isEmpty else { throw .empty }
        var days = Set(Weekday.allCases)
        if let word = parts.first, word.first?.isDigit != true {
            days = try Self.days(String(word))
            parts.removeFirst()
        }
        guard let hours = parts.first else {
            self.init(from: 0, to: 0, days: days)
            return
        }
        let ends = hours.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 1, ends.count == 2, let from = ends.first.flatMap(Int.init(timeOfDay:)),
            // The end of a day is also its last minute's end.
            let to = ends.last.flatMap({ $0 == "24:00" ? 0 : Int(timeOfDay: $0) })
        else { throw .hours(parts.joined(separator: " ")) }
        self.init(from: from, to: to, days: days)
    }

    /// As the file has it; what ``init(written:)`` reads back as the same.
    var written: String {
        let names = Weekday.allCases.filter(days.contains).map { "\($0)" }.joined(separator: ",")
        let days = Self.groups.first { $0.days == self.days }?.name ?? names
        return from == 0 && to == 0 ? days : "\(days) \(from.asTimeOfDay)-\(to.asTimeOfDay)"
    }

    private static func days(_ text: String) throws(WindowFault) -> Set<Weekday> {
        if let group = groups.first(where: { $0.name == text }) { return group.days }
        var days: Set<Weekday> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let day = Weekday.allCases.first(where: { "\($0)" == name }) else {
                throw .days(name.isEmpty ? text : String(name))
            }
            guard days.insert(day).inserted else { throw .twice("\(day)") }
        }
        return days
    }
}

extension Int {
    /// Minutes after midnight as "06:30".
    fileprivate var asTimeOfDay: String {
        [self / 60, self % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
