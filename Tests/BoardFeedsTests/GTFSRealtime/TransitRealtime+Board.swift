import BoardCore
import TransitRealtime

@testable import BoardFeeds

// The messages of SwiftProtobuf in terms of the board: what the reader of the product must find, too.

extension TripDescriptor {
    init(witness: TransitRealtime_TripDescriptor) {
        self.init()
        id = witness.tripID
        route = witness.routeID.isEmpty ? nil : witness.routeID
        direction = witness.hasDirectionID ? Int(witness.directionID) : nil
        day = CivilDate(gtfs: witness.startDate)
        start = Self.seconds(witness.startTime)
        relationship =
            switch witness.scheduleRelationship {
            case .scheduled: .scheduled
            case .added, .new: .added
            case .unscheduled: .unscheduled
            case .canceled: .canceled
            case .replacement: .replacement
            case .duplicated: .duplicated
            case .deleted: .deleted
            }
    }
}

extension VehiclePosition {
    /// - Parameter message: the time of the whole message, which counts where the position has none.
    init(witness: TransitRealtime_VehiclePosition, message: Timestamp?) {
        self.init(trip: TripDescriptor(witness: witness.trip))
        vehicle = witness.vehicle.name
        sequence = witness.hasCurrentStopSequence ? Int(witness.currentStopSequence) : nil
        stop = witness.stopID.isEmpty ? nil : witness.stopID
        isStopped = witness.currentStatus == .stoppedAt
        madeAt = Timestamp(realtime: witness.timestamp) ?? message
    }
}

extension TransitRealtime_VehicleDescriptor {
    var name: String { [label, licensePlate, id].map(\.plainText).first { !$0.isEmpty } ?? "" }
}

extension RealtimeAlert {
    init(witness: TransitRealtime_Alert) {
        self.init()
        periods = witness.activePeriod.map {
            ActivePeriod(start: Timestamp(realtime: $0.start), end: Timestamp(realtime: $0.end))
        }
        selectors = witness.informedEntity.map { selector in
            EntitySelector(
                agency: selector.agencyID.isEmpty ? nil : selector.agencyID,
                route: selector.routeID.isEmpty ? nil : selector.routeID,
                routeType: selector.hasRouteType ? Int(selector.routeType) : nil,
                direction: selector.hasDirectionID ? Int(selector.directionID) : nil,
                stop: selector.stopID.isEmpty ? nil : selector.stopID,
                trip: selector.hasTrip ? TripDescriptor(witness: selector.trip) : nil)
        }
        effectSeverity =
            switch witness.effect {
            case .noService: .severe
            case .additionalService, .noEffect, .accessibilityIssue: .information
            case .reducedService, .significantDelays, .detour, .modifiedService, .stopMoved, .otherEffect,
                .unknownEffect:
                .minor
            }
        severity =
            switch witness.severityLevel {
            case .info: .information
            case .warning: .minor
            case .severe: .severe
            case .unknownSeverity: nil
            }
        header = witness.headerText.translation.map { LocalizedText(text: $0.text, language: $0.language.lowercased()) }
        description = witness.descriptionText.translation.map {
            LocalizedText(text: $0.text, language: $0.language.lowercased())
        }
    }
}

extension TripDescriptor {
    /// `7:05:00` or `25:10:00` in seconds; nil for any other text.
    static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
        return hours * 3_600 + minutes * 60 + seconds
    }
}
