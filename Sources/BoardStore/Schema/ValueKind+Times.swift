internal import BoardCore

extension ValueKind<Duration> {
    /// A duration as "30s", "4m" or "1h": a whole number and a unit.
    static func duration(_ range: ClosedRange<Duration>) -> ValueKind {
        let allowed =
            "a duration from \(range.lowerBound.written) to \(range.upperBound.written), such as \"30s\" or \"4m\""
        return ValueKind(allowed: allowed) { (node) throws(ValueErrors) in
            guard case .text(let text) = node.value, let duration = Duration(written: text), range.contains(duration)
            else { throw .notAllowed(node) }
            return duration
        }
    }
}

extension Character {
    /// Whether it is one of 0 to 9.
    var isDigit: Bool { ("0"..."9").contains(self) }
}

extension ValueKind<Int> {
    /// A time of day as "22:30", in minutes after midnight.
    static let timeOfDay = ValueKind(allowed: "a time of day from \"00:00\" to \"23:59\"") {
        (node) throws(ValueErrors) in
        guard case .text(let text) = node.value, let minutes = Int(timeOfDay: text) else { throw .notAllowed(node) }
        return minutes
    }
}

extension ValueKind<Set<Weekday>> {
    /// A word for several days, or a list of days.
    static let days = {
        let allowed = "\"daily\", \"weekdays\", \"weekend\" or a list of days, such as [\"mon\", \"fri\"]"
        return ValueKind(allowed: allowed) { (node) throws(ValueErrors) in
            switch node.value {
            case .text(let text):
                guard let days = WeeklyWindow.days(called: text) else {
                    throw .notAllowed(node)
                }
                return days
            case .list(let nodes) where !nodes.isEmpty:
                return try list(nodes)
            default:
                throw .notAllowed(node)
            }
        }
    }()

    private static func list(_ nodes: [TOMLNode]) throws(ValueErrors) -> Set<Weekday> {
        let names = Weekday.allCases.map { "\($0)" }
        var days: Set<Weekday> = []
        var errors = ValueErrors(all: [])
        for node in nodes {
            guard case .text(let text) = node.value, let index = names.firstIndex(of: text) else {
                let allowed = names.map { "\"\($0)\"" }.joinedAsAlternatives()
                errors.all.append(.init(reason: .notAllowed, node: node, allowed: allowed))
                continue
            }
            if !days.insert(Weekday.allCases[index]).inserted {
                errors.all.append(.init(reason: .message("is a duplicate"), node: node))
            }
        }
        guard errors.all.isEmpty else { throw errors }
        return days
    }
}
