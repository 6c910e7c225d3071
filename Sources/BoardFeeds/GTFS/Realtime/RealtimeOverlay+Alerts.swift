internal import BoardCore

extension RealtimeOverlay {
    /// The most alerts of a stop: ten times those of a large station on a bad day.
    private static let mostAlerts = 200

    /// The alerts of a stop: of the stop, of the routes and directions that serve it, and of their agencies.
    ///
    /// - Parameters:
    ///   - stop: a requested stop.
    ///   - language: the preferred language ("de"), if the operator has several.
    ///   - now: alerts that ended before are left out; the text of a future alert has its start.
    func alerts(at stop: StopID, language: String, now: Timestamp) -> [Alert] {
        let places = index.timetable.places(of: stop.code)
        var seen: Set<Alert> = []
        var alerts: [Alert] = []
        for realtimeAlert in realtimeAlerts where alerts.count < Self.mostAlerts {
            guard let period = realtimeAlert.periods.current(at: now), let scope = scope(of: realtimeAlert, places)
            else { continue }
            let text = realtimeAlert.text(in: language)
            guard !text.isEmpty else { continue }
            let alert = Alert(
                text, scope: scope, severity: realtimeAlert.severity ?? realtimeAlert.effectSeverity, in: period,
                now: now)
            if seen.insert(alert).inserted { alerts.append(alert) }
        }
        return alerts
    }

    /// The scope of an alert at the stop; nil if it does not concern the stop. One selector must match, and all fields of
    /// a selector.
    private func scope(of realtimeAlert: RealtimeAlert, _ places: [Int]) -> Alert.Scope? {
        let timetable = index.timetable
        let own = Set(places + places.compactMap { timetable.places[$0].parent }).map { timetable.places[$0].id }
        let routeDirections = places.reduce(into: Set<RealtimeIndex.RouteDirection>()) {
            $0.formUnion(index.routeDirections[$1] ?? [])
        }
        var lines: [String] = []
        for selector in realtimeAlert.selectors where selector != RealtimeAlert.EntitySelector() {
            if let stop = selector.stop, !own.contains(stop) { continue }
            let touched = routeDirections.filter {
                selector.concerns($0, timetable) && concerns(selector.trip, $0, places)
            }
            if touched.isEmpty {
                // An alert for a stop without service is shown, too.
                if selector.isStopOnly { return .stop }
                continue
            }
            // An alert for the whole stop or agency concerns all lines.
            if selector.route == nil, selector.routeType == nil, selector.trip == nil { return .stop }
            for route in Set(touched.map(\.route)).sorted() {
                // Users configure the name, operators the identifier.
                for name in [timetable.routes[route].id, timetable.routes[route].name] where !lines.contains(name) {
                    lines.append(name)
                }
            }
        }
        return lines.isEmpty ? nil : .lines(lines)
    }

    /// Whether a selector's trip has this route and direction and calls at the stop; true without a trip.
    private func concerns(
        _ descriptor: TripDescriptor?, _ own: RealtimeIndex.RouteDirection, _ places: [Int]
    ) -> Bool {
        guard let descriptor else { return true }
        let timetable = index.timetable
        if descriptor.id.isEmpty {
            return descriptor.route.map { $0 == timetable.routes[own.route].id } ?? false
                && (descriptor.direction == nil || descriptor.direction == own.direction)
        }
        return index.candidates(descriptor.id).contains { trip in
            timetable.trips[trip].route == own.route && timetable.trips[trip].direction == own.direction
                && timetable.calls(of: trip).contains { places.contains(Int($0.place)) }
        }
    }
}

extension RealtimeAlert.EntitySelector {
    fileprivate var isStopOnly: Bool {
        var rest = self
        rest.stop = nil
        return stop != nil && rest == RealtimeAlert.EntitySelector()
    }

    fileprivate func concerns(_ routeDirection: RealtimeIndex.RouteDirection, _ timetable: Timetable) -> Bool {
        let own = timetable.routes[routeDirection.route]
        // A feed with one agency may omit it in its timetable.
        if let agency, !own.agency.isEmpty, own.agency != agency { return false }
        if let route, route != own.id { return false }
        if let routeType, routeType != own.type { return false }
        if let direction, let ownDirection = routeDirection.direction, direction != ownDirection { return false }
        return true
    }
}

extension RealtimeAlert {
    /// The header, and the description unless it repeats the header.
    fileprivate func text(in language: String) -> String {
        AlertText.joined(Self.choice(header, language), Self.choice(description, language))
    }

    /// The text in the preferred language, else the one without a language, else the first. Plain text is preferred to
    /// HTML ("en-html"). An empty translation is ignored.
    private static func choice(_ all: [Translation], _ language: String) -> String {
        let nonEmpty = all.filter { !AlertText.joined(unescaped($0.text), "").isEmpty }
        let plain = nonEmpty.filter { !$0.language.hasSuffix("-html") }
        let texts = plain.isEmpty ? nonEmpty : plain
        let preferred = language.lowercased()
        let choice =
            texts.first { $0.language == preferred }
            ?? texts.first { $0.language.split(separator: "-").first == preferred.split(separator: "-").first }
            ?? texts.first { $0.language.isEmpty } ?? texts.first
        return unescaped(choice?.text ?? "")
    }

    /// Some operators write a backslash and an n for a line break.
    private static func unescaped(_ text: String) -> String {
        text.replacing("\\n", with: " ").replacing("\\r", with: " ")
    }
}
