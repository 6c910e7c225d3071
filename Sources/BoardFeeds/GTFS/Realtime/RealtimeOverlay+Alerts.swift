internal import BoardCore

extension RealtimeOverlay {
    /// The most alerts of a stop: ten times what a large station has on a bad day.
    private static let mostAlerts = 200

    /// What people at a stop should know: of the stop, of the ways that serve it, of their agencies.
    ///
    /// - Parameters:
    ///   - stop: one of the stops of interest.
    ///   - language: the language that is wanted ("de"), where an operator writes several.
    ///   - now: alerts that were over before are left out; one that is still to come says so.
    func alerts(at stop: StopID, language: String, now: Timestamp) -> [Alert] {
        let places = index.timetable.places(of: stop.code)
        var seen: Set<Alert> = []
        var alerts: [Alert] = []
        for notice in realtimeAlerts where alerts.count < Self.mostAlerts {
            guard let period = notice.periods.current(at: now), let scope = scope(of: notice, places) else { continue }
            let text = notice.text(in: language)
            guard !text.isEmpty else { continue }
            let alert = Alert(text, scope: scope, severity: notice.alertSeverity, in: period, now: now)
            if seen.insert(alert).inserted { alerts.append(alert) }
        }
        return alerts
    }

    /// What of the stop an alert is about; nil: nothing. It is about whatever one of its selectors says, and a selector
    /// about what all of its parts say.
    private func scope(of notice: RealtimeAlert, _ places: [Int]) -> Alert.Scope? {
        let timetable = index.timetable
        let own = Set(places + places.compactMap { timetable.places[$0].parent }).map { timetable.places[$0].id }
        let routeDirections = places.reduce(into: Set<RealtimeIndex.RouteDirection>()) {
            $0.formUnion(index.routeDirections[$1] ?? [])
        }
        var lines: [String] = []
        for selector in notice.selectors where selector != RealtimeAlert.EntitySelector() {
            if let stop = selector.stop, !own.contains(stop) { continue }
            let touched = routeDirections.filter {
                selector.concerns($0, timetable) && concerns(selector.trip, $0, places)
            }
            if touched.isEmpty {
                // Of a stop that nothing serves just now all the same.
                if selector.isOfStopAlone { return .stop }
                continue
            }
            // What is told of the whole stop or the whole agency is told to all.
            if selector.route == nil, selector.routeType == nil, selector.trip == nil { return .stop }
            for route in Set(touched.map(\.route)).sorted() {
                // People write the name, operators the identifier.
                for name in [timetable.routes[route].id, timetable.routes[route].name] where !lines.contains(name) {
                    lines.append(name)
                }
            }
        }
        return lines.isEmpty ? nil : .lines(lines)
    }

    /// Whether a trip that is named goes this way and calls at the stop; none is named: whether or not.
    private func concerns(_ told: TripDescriptor?, _ way: RealtimeIndex.RouteDirection, _ places: [Int]) -> Bool {
        guard let told else { return true }
        let timetable = index.timetable
        if told.id.isEmpty {
            return told.route.map { $0 == timetable.routes[way.route].id } ?? false
                && (told.direction == nil || told.direction == way.direction)
        }
        return index.candidates(told.id).contains { trip in
            timetable.trips[trip].route == way.route && timetable.trips[trip].direction == way.direction
                && timetable.calls(of: trip).contains { places.contains(Int($0.place)) }
        }
    }
}

extension RealtimeAlert.EntitySelector {
    /// Whether it names a stop and nothing else.
    fileprivate var isOfStopAlone: Bool {
        var rest = self
        rest.stop = nil
        return stop != nil && rest == RealtimeAlert.EntitySelector()
    }

    /// Whether a way is of the agency, the route, the kind and the direction that it names.
    fileprivate func concerns(_ way: RealtimeIndex.RouteDirection, _ timetable: Timetable) -> Bool {
        let own = timetable.routes[way.route]
        // A feed with one agency need not name it in its timetable.
        if let agency, !own.agency.isEmpty, own.agency != agency { return false }
        if let route, route != own.id { return false }
        if let routeType, routeType != own.type { return false }
        if let direction, let wayDirection = way.direction, direction != wayDirection { return false }
        return true
    }
}

extension RealtimeAlert {
    /// How much it matters: what the operator says of that, else what becomes of the service.
    fileprivate var alertSeverity: Alert.Severity {
        if let severity { return severity }
        return switch effect {
        case .noService: .severe
        case .reducedService, .significantDelays, .detour, .modifiedService, .stopMoved, .other: .minor
        case .additionalService, .noEffect, .accessibilityIssue: .information
        }
    }

    /// Its words: the header, and the description unless it says the same again.
    fileprivate func text(in language: String) -> String {
        AlertText.joined(Self.choice(header, language), Self.choice(description, language))
    }

    /// The text in the language that is wanted, else the one of no language, else the first; of one language, plain text
    /// before what is marked as HTML ("en-html"). A translation without words counts as none.
    private static func choice(_ all: [Translation], _ language: String) -> String {
        let worded = all.filter { !AlertText.joined(unescaped($0.text), "").isEmpty }
        let plain = worded.filter { !$0.language.hasSuffix("-html") }
        let texts = plain.isEmpty ? worded : plain
        let wanted = language.lowercased()
        let choice =
            texts.first { $0.language == wanted }
            ?? texts.first { $0.language.split(separator: "-").first == wanted.split(separator: "-").first }
            ?? texts.first { $0.language.isEmpty } ?? texts.first
        return unescaped(choice?.text ?? "")
    }

    /// Some write a backslash and an n where a line ends.
    private static func unescaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, next == "n" || next == "r" {
                rest.removeFirst()
                result.append(" ")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
