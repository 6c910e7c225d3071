import BoardCore

/// A GTFS-Realtime alert with all its languages, active periods and informed entities.
struct RealtimeAlert: Hashable, Sendable {
    /// An informed entity: all of its fields must match.
    struct EntitySelector: Hashable, Sendable {
        var agency: String?
        var route: String?
        var routeType: Int?
        var direction: Int?
        var stop: String?
        var trip: TripDescriptor?
    }

    var periods: [ActivePeriod] = []
    var selectors: [EntitySelector] = []
    /// `severity_level`; nil if unknown.
    var severity: Alert.Severity?
    /// The severity that `effect` implies.
    var effectSeverity = Alert.Severity.minor
    var header: [LocalizedText] = []
    var description: [LocalizedText] = []
}

// MARK: - Decoding

// Field numbers: https://gtfs.org/documentation/realtime/reference/. As in all protobuf, the last of several values
// counts, parts of a message are merged, and an unknown enumeration value is ignored.

extension RealtimeAlert {
    /// The most periods, selectors and translations of an alert together, several times what any published one has: two
    /// bytes of a message can be one of them.
    static let maximumParts = 20_000
    private static let severities: [UInt64: Alert.Severity] = [2: .information, 3: .minor, 4: .severe]
    /// NO_SERVICE is severe; ADDITIONAL_SERVICE, NO_EFFECT and ACCESSIBILITY_ISSUE are for information.
    private static let effects: [UInt64: Alert.Severity] = [
        1: .severe, 2: .minor, 3: .minor, 4: .minor, 5: .information, 6: .minor, 7: .minor, 8: .minor, 9: .minor,
        10: .information, 11: .information,
    ]

    /// - Throws: ``WireError`` if the bytes are malformed, or there are more than ``maximumParts`` parts.
    init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            guard parts < Self.maximumParts else { throw WireError(place: field.range.lowerBound) }
            switch field.number {
            case 1: periods.append(try ActivePeriod(field.range, of: bytes))
            case 5: selectors.append(try EntitySelector(field.range, of: bytes))
            case 7: effectSeverity = Self.effects[field.value] ?? effectSeverity
            case 10: try Self.read(field.range, of: bytes, into: &header)
            case 11: try Self.read(field.range, of: bytes, into: &description)
            case 14 where field.value == 1: severity = nil
            case 14: severity = Self.severities[field.value] ?? severity
            default: break
            }
        }
    }

    var parts: Int { periods.count + selectors.count + header.count + description.count }

    private static func read(
        _ range: Range<Int>, of bytes: Span<UInt8>, into translations: inout [LocalizedText]
    ) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            guard translations.count < maximumParts else { throw WireError(place: field.range.lowerBound) }
            if field.number == 1 { translations.append(try LocalizedText(field.range, of: bytes)) }
        }
    }
}

extension ActivePeriod {
    fileprivate init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var (start, end): (Timestamp?, Timestamp?) = (nil, nil)
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: start = Timestamp(realtime: field.value)
            case 2: end = Timestamp(realtime: field.value)
            default: break
            }
        }
        self.init(start: start, end: end)
    }
}

extension RealtimeAlert.EntitySelector {
    fileprivate init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: agency = try WireFields.nonEmptyText(field.range, of: bytes)
            case 2: route = try WireFields.nonEmptyText(field.range, of: bytes)
            case 3: routeType = Int(Int32(truncatingIfNeeded: field.value))
            case 4:
                var trip = trip ?? TripDescriptor()
                try trip.read(field.range, of: bytes)
                self.trip = trip
            case 5: stop = try WireFields.nonEmptyText(field.range, of: bytes)
            case 6: direction = Int(UInt32(truncatingIfNeeded: field.value))
            default: break
            }
        }
    }
}

extension LocalizedText {
    /// The longest text, in Unicode scalars: several times what a board shows of an alert, HTML included.
    private static let maximumLength = 20_000

    fileprivate init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireError) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1:
                let whole = try WireFields.text(field.range, of: bytes)
                text =
                    field.range.count > Self.maximumLength
                    ? String(whole.unicodeScalars.prefix(Self.maximumLength)) : whole
            case 2: language = try WireFields.text(field.range, of: bytes).lowercased()
            default: break
            }
        }
    }
}

// MARK: - Alerts of a stop

extension RealtimeOverlay {
    /// The most alerts of a stop: ten times what a large station has on a bad day.
    private static let maximumAlerts = 200

    /// The alerts for a stop, for the routes and directions that serve it, and for their agencies.
    ///
    /// - Parameters:
    ///   - stop: a requested stop.
    ///   - language: the preferred language ("de"), if the operator has several.
    ///   - now: alerts that ended before are left out; a future alert has its start.
    func alerts(at stop: StopID, language: String, now: Timestamp) -> [Alert] {
        let places = index.timetable.places(of: stop.code)
        var seen: Set<Alert> = []
        var alerts: [Alert] = []
        for realtimeAlert in realtimeAlerts where alerts.count < Self.maximumAlerts {
            guard let period = realtimeAlert.periods.current(at: now), let lines = lines(of: realtimeAlert, places)
            else { continue }
            let text = realtimeAlert.text(in: language)
            guard !text.isEmpty else { continue }
            let alert = Alert(
                text, lines: lines.isEmpty ? nil : lines,
                severity: realtimeAlert.severity ?? realtimeAlert.effectSeverity, in: period,
                now: now)
            if seen.insert(alert).inserted { alerts.append(alert) }
        }
        return alerts
    }

    /// The lines of an alert at the stop, none if it concerns the whole stop; nil if it does not concern the stop. One selector must match, in all its
    /// fields.
    private func lines(of realtimeAlert: RealtimeAlert, _ places: [Int]) -> [String]? {
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
                if selector.isStopOnly { return [] }
                continue
            }
            // An alert for the whole stop or agency concerns all lines.
            if selector.route == nil, selector.routeType == nil, selector.trip == nil { return [] }
            for route in Set(touched.map(\.route)).sorted() {
                // Users configure names, operators send identifiers.
                for name in [timetable.routes[route].id, timetable.routes[route].name] where !lines.contains(name) {
                    lines.append(name)
                }
            }
        }
        return lines.isEmpty ? nil : lines
    }

    /// Whether a selector's trip has this route and direction and calls at the stop; true without a trip.
    private func concerns(_ descriptor: TripDescriptor?, _ own: RealtimeIndex.RouteDirection, _ places: [Int]) -> Bool {
        guard let descriptor else { return true }
        let timetable = index.timetable
        if descriptor.id.isEmpty {
            return descriptor.route.isSomeAnd { $0 == timetable.routes[own.route].id }
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

    /// The text in the preferred language. Plain text is preferred to HTML ("en-html"). An empty translation is ignored.
    private static func choice(_ all: [LocalizedText], _ language: String) -> String {
        let nonEmpty = all.filter { !AlertText.joined($0.text).isEmpty }
        let plain = nonEmpty.filter { !$0.language.hasSuffix("-html") }
        return (plain.isEmpty ? nonEmpty : plain).choice(language)
    }
}
