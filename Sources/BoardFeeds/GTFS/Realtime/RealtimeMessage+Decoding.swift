internal import BoardCore
internal import TransitRealtime

// Conversions from generated types. An invalid number or date counts as missing.

extension Timestamp {
    /// A message's seconds since 1970; nil for 0, which means "unknown", and for implausible values.
    init?(realtime seconds: some BinaryInteger) {
        guard let seconds = Int64(exactly: seconds), Self.hasValue(seconds) else { return nil }
        self.init(seconds: seconds)
    }

    /// Whether a message's seconds since 1970 are a plausible time.
    static func hasValue(_ seconds: Int64) -> Bool {
        // Before the year 3000: larger values are milliseconds or a mistake.
        seconds > 0 && seconds < 32_503_680_000
    }
}

extension CivilDate {
    /// Parses `20240209`; nil for any other text.
    init?(gtfs text: String) {
        guard text.utf8.count == 8 else { return nil }
        var number = 0
        for byte in text.utf8 {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// The GTFS form: `20240209`.
    var gtfs: String {
        let number = String(year * 10_000 + month * 100 + day)
        return number.utf8.count == 8 ? number : String(repeating: "0", count: max(0, 8 - number.count)) + number
    }
}

extension TripDescriptor {
    init(_ message: TransitRealtime_TripDescriptor) {
        id = message.tripID
        route = message.routeID.isEmpty ? nil : message.routeID
        direction = message.hasDirectionID ? Int(message.directionID) : nil
        day = CivilDate(gtfs: message.startDate)
        start = Self.seconds(message.startTime)
        set(relationship: message.scheduleRelationship.rawValue)
    }

    /// Sets the relationship by its number; ignores unknown numbers.
    mutating func set(relationship number: Int) {
        guard let value = TransitRealtime_TripDescriptor.ScheduleRelationship(rawValue: number) else { return }
        relationship =
            switch value {
            case .scheduled: .scheduled
            case .added, .new: .added
            case .unscheduled: .unscheduled
            case .canceled: .canceled
            case .replacement: .replacement
            case .duplicated: .duplicated
            case .deleted: .deleted
            }
    }

    /// `7:05:00` or `25:10:00` in seconds; nil for any other text.
    static func seconds(_ text: String) -> Int? {
        // Most messages have no start time.
        if text.isEmpty { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { part in
            part.count <= 3 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2], minutes < 60,
            seconds < 60
        else { return nil }
        return hours * 3_600 + minutes * 60 + seconds
    }
}

extension VehiclePosition {
    init(_ message: TransitRealtime_VehiclePosition) {
        trip = TripDescriptor(message.trip)
        vehicle = message.vehicle.shown
        sequence = message.hasCurrentStopSequence ? Int(message.currentStopSequence) : nil
        stop = message.stopID.isEmpty ? nil : message.stopID
        status =
            switch message.currentStatus {
            case .incomingAt: .incoming
            case .stoppedAt: .stopped
            case .inTransitTo: .inTransit
            }
        madeAt = Timestamp(realtime: message.timestamp)
    }
}

extension TransitRealtime_VehicleDescriptor {
    /// The label, licence plate or ID, whichever comes first.
    var shown: String {
        [label, licensePlate, id].lazy.map(\.singleSpaced).first { !$0.isEmpty } ?? ""
    }
}

extension RealtimeAlert {
    /// The most periods, selectors and translations of an alert, several times those of real alerts.
    static let mostParts = 20_000

    /// Counts the periods, selectors and translations of an alert, by the field numbers of transit-realtime.proto: two
    /// bytes of a message may be one, for which the generated code needs two hundred bytes.
    ///
    /// - Throws: ``WireFields/Fault`` if it is malformed, or has more than ``mostParts``.
    static func parts(in alert: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) -> Int {
        var count = 0
        var fields = WireFields(alert)
        while let field = try fields.next(in: bytes) {
            count += 1
            if field.number == 10 || field.number == 11 {
                var translations = WireFields(field.range)
                while try translations.next(in: bytes) != nil { count += 1 }
            }
        }
        guard count <= mostParts else { throw WireFields.Fault(place: alert.lowerBound) }
        return count
    }

    init(_ message: TransitRealtime_Alert) {
        periods = message.activePeriod.map {
            ActivePeriod(start: Timestamp(realtime: $0.start), end: Timestamp(realtime: $0.end))
        }
        selectors = message.informedEntity.map(EntitySelector.init)
        effect =
            switch message.effect {
            case .noService: .noService
            case .reducedService: .reducedService
            case .significantDelays: .significantDelays
            case .detour: .detour
            case .additionalService: .additionalService
            case .modifiedService: .modifiedService
            case .stopMoved: .stopMoved
            case .noEffect: .noEffect
            case .accessibilityIssue: .accessibilityIssue
            case .otherEffect, .unknownEffect: .other
            }
        severity =
            switch message.severityLevel {
            case .info: .information
            case .warning: .minor
            case .severe: .severe
            case .unknownSeverity: nil
            }
        header = message.headerText.translation.map(Translation.init)
        description = message.descriptionText.translation.map(Translation.init)
    }
}

extension RealtimeAlert.EntitySelector {
    fileprivate init(_ message: TransitRealtime_EntitySelector) {
        agency = message.agencyID.isEmpty ? nil : message.agencyID
        route = message.routeID.isEmpty ? nil : message.routeID
        routeType = message.hasRouteType ? Int(message.routeType) : nil
        direction = message.hasDirectionID ? Int(message.directionID) : nil
        stop = message.stopID.isEmpty ? nil : message.stopID
        trip = message.hasTrip ? TripDescriptor(message.trip) : nil
    }
}

extension RealtimeAlert.Translation {
    /// Several times what the board shows of an alert, including HTML.
    private static let longest = 20_000

    fileprivate init(_ message: TransitRealtime_TranslatedString.Translation) {
        text =
            message.text.utf8.count > Self.longest
            ? String(message.text.unicodeScalars.prefix(Self.longest)) : message.text
        language = message.language.lowercased()
    }
}
