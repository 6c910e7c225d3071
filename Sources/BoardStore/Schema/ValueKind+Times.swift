internal import BoardCore

extension ValueKind<Duration> {
    /// A duration as "30s", "4m" or "1h": a whole number and a unit.
    static func duration(_ range: ClosedRange<Duration>) -> ValueKind {
        ValueKind(allowed: allowed(range)) { (node) throws(ValueErrors) in
            guard case .text(let text) = node.value, let duration = Duration(written: text), range.contains(duration)
            else { throw .notAllowed(node) }
            return duration
        }
    }

    /// A duration as ``duration(_:)``, or a number of minutes: 4.
    static func minutes(_ range: ClosedRange<Duration>) -> ValueKind {
        ValueKind(allowed: allowed(range) + ", or a number of minutes") { (node) throws(ValueErrors) in
            guard let text = node.numberOrText, let duration = Duration(written: text) ?? Duration(written: text + "m"),
                range.contains(duration)
            else { throw .notAllowed(node) }
            return duration
        }
    }

    private static func allowed(_ range: ClosedRange<Duration>) -> String {
        "a duration from \(range.lowerBound.written) to \(range.upperBound.written), such as \"30s\" or \"4m\""
    }
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
        let days = try ValueErrors.collect(nodes, isSame: ==) { (node) throws(ValueErrors) -> Weekday in
            guard case .text(let text) = node.value, let index = names.firstIndex(of: text) else {
                throw .notAllowed(node, allowed: names.map { "\"\($0)\"" }.joinedAsAlternatives())
            }
            return Weekday.allCases[index]
        }
        return Set(days)
    }
}

extension ValueKind<[WeeklyWindow]> {
    /// Days and hours in one text, or a list of such texts without duplicates.
    static let windows = ValueKind(
        allowed: "days, hours or both, such as \"weekdays 06:30-09:30\", or a list of such texts"
    ) { (node) throws(ValueErrors) in
        let nodes: [TOMLNode]
        switch node.value {
        case .text: nodes = [node]
        case .list(let elements) where !elements.isEmpty: nodes = elements
        default: throw .notAllowed(node)
        }
        return try ValueErrors.collect(nodes, isSame: ==) { (element) throws(ValueErrors) in
            guard case .text(let text) = element.value else {
                throw .notAllowed(element, allowed: "a text such as \"weekdays 06:30-09:30\"")
            }
            do throws(WeeklyWindowFault) {
                return try WeeklyWindow(written: text)
            } catch {
                throw .message(error.description, element)
            }
        }
    }
}
