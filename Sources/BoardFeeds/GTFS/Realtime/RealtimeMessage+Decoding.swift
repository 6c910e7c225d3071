internal import BoardCore
internal import TransitRealtime

// What the generated types say, in terms of the board. A number or date that means nothing counts as not told.

extension Timestamp {
    /// Seconds since 1970 as a message has them; nil for 0, which stands for "unknown", and for what no clock will show.
    init?(realtime seconds: some BinaryInteger) {
        guard let seconds = Int64(exactly: seconds), Self.hasValue(seconds) else { return nil }
        self.init(seconds: seconds)
    }

    /// Whether a message that has so many seconds since 1970 means a moment.
    static func hasValue(_ seconds: Int64) -> Bool {
        // The year 3000: what is later are milliseconds, or a mistake.
        seconds > 0 && seconds < 32_503_680_000
    }
}

extension CivilDate {
    /// A day written as `20240209`; nil for any other text.
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

    /// As GTFS writes it: `20240209`.
    var gtfs: String {
        let number = String(year * 10_000 + month * 100 + day)
        return number.utf8.count == 8 ? number : String(repeating: "0", count: max(0, 8 - number.count)) + number
    }
}

extension TripDescriptor {
    init(_ told: TransitRealtime_TripDescriptor) {
        id = told.tripID
        route = told.routeID.isEmpty ? nil : told.routeID
        direction = told.hasDirectionID ? Int(told.directionID) : nil
        day = CivilDate(gtfs: told.startDate)
        start = Self.seconds(told.startTime)
        take(relationship: told.scheduleRelationship.rawValue)
    }

    /// Takes what becomes of the trip, by the number of that; unknown ones are not told.
    mutating func take(relationship number: Int) {
        guard let told = TransitRealtime_TripDescriptor.ScheduleRelationship(rawValue: number) else { return }
        relationship =
            switch told {
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
        // As most messages have it.
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
    init(_ told: TransitRealtime_VehiclePosition) {
        trip = TripDescriptor(told.trip)
        vehicle = told.vehicle.shown
        sequence = told.hasCurrentStopSequence ? Int(told.currentStopSequence) : nil
        stop = told.stopID.isEmpty ? nil : told.stopID
        status =
            switch told.currentStatus {
            case .incomingAt: .incoming
            case .stoppedAt: .stopped
            case .inTransitTo: .inTransit
            }
        madeAt = Timestamp(realtime: told.timestamp)
    }
}

extension TransitRealtime_VehicleDescriptor {
    /// What people can read on the vehicle, as far as it is told.
    var shown: String {
        [label, licensePlate, id].lazy.map(\.singleSpaced).first { !$0.isEmpty } ?? ""
    }
}

extension RealtimeAlert {
    /// The most times, selectors and translations of an alert, several times those of any that there is.
    static let mostParts = 20_000

    /// How many times, selectors and translations an alert has, by the field numbers of transit-realtime.proto: two bytes of a
    /// message may be one, of which the generated code makes two hundred.
    ///
    /// - Throws: ``WireFields/Fault`` where it is in no form, or there are more than ``mostParts``.
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

    init(_ told: TransitRealtime_Alert) {
        periods = told.activePeriod.map {
            ActivePeriod(start: Timestamp(realtime: $0.start), end: Timestamp(realtime: $0.end))
        }
        selectors = told.informedEntity.map(EntitySelector.init)
        effect =
            switch told.effect {
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
            switch told.severityLevel {
            case .info: .information
            case .warning: .minor
            case .severe: .severe
            case .unknownSeverity: nil
            }
        header = told.headerText.translation.map(Translation.init)
        description = told.descriptionText.translation.map(Translation.init)
    }
}

extension RealtimeAlert.EntitySelector {
    fileprivate init(_ told: TransitRealtime_EntitySelector) {
        agency = told.agencyID.isEmpty ? nil : told.agencyID
        route = told.routeID.isEmpty ? nil : told.routeID
        routeType = told.hasRouteType ? Int(told.routeType) : nil
        direction = told.hasDirectionID ? Int(told.directionID) : nil
        stop = told.stopID.isEmpty ? nil : told.stopID
        trip = told.hasTrip ? TripDescriptor(told.trip) : nil
    }
}

extension RealtimeAlert.Translation {
    /// Several times what a board shows of a notice, HTML included.
    private static let longest = 20_000

    fileprivate init(_ told: TransitRealtime_TranslatedString.Translation) {
        text = told.text.utf8.count > Self.longest ? String(told.text.unicodeScalars.prefix(Self.longest)) : told.text
        language = told.language.lowercased()
    }
}
