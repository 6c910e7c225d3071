// swift-format-ignore-file
// The names of fields are literals that cannot be divided, and a name that SwiftProtobuf requires begins with an underscore.
package import SwiftProtobuf

// GTFS-Realtime as far as a departure board reads it: the field numbers of the public specification
// (https://gtfs.org/documentation/realtime/reference/), nothing that no board shows. SwiftProtobuf reads and writes the bytes. Written by
// hand, since the types that its generator makes are seven times as long.

/// A field that can be absent.
@propertyWrapper
package struct Field<Value: FieldValue>: Equatable, Sendable {
    package var value: Value?
    package var wrappedValue: Value {
        get { value ?? Value() }
        set { value = newValue }
    }

    package init() {}
}

/// What a field can have, by the functions of SwiftProtobuf for it. `init()` makes the default.
package protocol FieldValue: Equatable, Sendable {
    init()
    static func decode<D: SwiftProtobuf.Decoder>(_ value: inout Self?, from decoder: inout D) throws
    func visit<V: Visitor>(_ visitor: inout V, number: Int) throws
}

extension String: FieldValue {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout String?, from decoder: inout D) throws {
        try decoder.decodeSingularStringField(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularStringField(value: self, fieldNumber: number)
    }
}

extension Bool: FieldValue {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout Bool?, from decoder: inout D) throws {
        try decoder.decodeSingularBoolField(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularBoolField(value: self, fieldNumber: number)
    }
}

extension Int32: FieldValue {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout Int32?, from decoder: inout D) throws {
        try decoder.decodeSingularInt32Field(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularInt32Field(value: self, fieldNumber: number)
    }
}

extension Int64: FieldValue {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout Int64?, from decoder: inout D) throws {
        try decoder.decodeSingularInt64Field(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularInt64Field(value: self, fieldNumber: number)
    }
}

extension UInt32: FieldValue {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout UInt32?, from decoder: inout D) throws {
        try decoder.decodeSingularUInt32Field(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularUInt32Field(value: self, fieldNumber: number)
    }
}

extension UInt64: FieldValue {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout UInt64?, from decoder: inout D) throws {
        try decoder.decodeSingularUInt64Field(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularUInt64Field(value: self, fieldNumber: number)
    }
}

package protocol RealtimeEnum: SwiftProtobuf.Enum, FieldValue, _ProtoNameProviding where RawValue == Int {}

extension RealtimeEnum {
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout Self?, from decoder: inout D) throws {
        try decoder.decodeSingularEnumField(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularEnumField(value: self, fieldNumber: number)
    }
}

/// What is done with the fields of a message, in the order of their numbers.
package protocol FieldAction {
    mutating func field(_ number: Int, _ value: inout (some FieldValue)?) throws
    mutating func list(_ number: Int, _ values: inout [some RealtimeRecord]) throws
}

/// Decodes one field.
private struct Decoding<D: SwiftProtobuf.Decoder>: FieldAction {
    let number: Int
    var decoder: D

    mutating func field<Value: FieldValue>(_ number: Int, _ value: inout Value?) throws {
        if number == self.number { try Value.decode(&value, from: &decoder) }
    }
    mutating func list(_ number: Int, _ values: inout [some RealtimeRecord]) throws {
        if number == self.number { try decoder.decodeRepeatedMessageField(value: &values) }
    }
}

/// Hands every field that is present to a visitor.
private struct Visiting<V: Visitor>: FieldAction {
    var visitor: V

    mutating func field(_ number: Int, _ value: inout (some FieldValue)?) throws {
        try value?.visit(&visitor, number: number)
    }
    mutating func list(_ number: Int, _ values: inout [some RealtimeRecord]) throws {
        if !values.isEmpty { try visitor.visitRepeatedMessageField(value: values, fieldNumber: number) }
    }
}

/// A message, without the base protocol of generated messages, whose `==` calls itself where there is none.
package protocol RealtimeRecord: SwiftProtobuf.Message, Hashable, FieldValue, _ProtoNameProviding {
    mutating func handOver(to action: inout some FieldAction) throws
}

extension RealtimeRecord {
    package static var protoMessageName: String { "transit_realtime.\(Self.self)" }
    /// Unknown fields are not stored.
    package var unknownFields: UnknownStorage {
        get { UnknownStorage() }
        set { _ = newValue }
    }
    package mutating func decodeMessage<D: SwiftProtobuf.Decoder>(decoder: inout D) throws {
        while let number = try decoder.nextFieldNumber() {
            var action = Decoding(number: number, decoder: decoder)
            try handOver(to: &action)
            decoder = action.decoder
        }
    }
    package func traverse<V: Visitor>(visitor: inout V) throws {
        var (copy, action) = (self, Visiting(visitor: visitor))
        try copy.handOver(to: &action)
        visitor = action.visitor
    }
    package func isEqualTo(message: any SwiftProtobuf.Message) -> Bool { message as? Self == self }
    package static func decode<D: SwiftProtobuf.Decoder>(_ value: inout Self?, from decoder: inout D) throws {
        try decoder.decodeSingularMessageField(value: &value)
    }
    package func visit<V: Visitor>(_ visitor: inout V, number: Int) throws {
        try visitor.visitSingularMessageField(value: self, fieldNumber: number)
    }
}

package struct TransitRealtime_FeedMessage: RealtimeRecord {
    @Field package var header: TransitRealtime_FeedHeader
    package var entity: [TransitRealtime_FeedEntity] = []
    package static let _protobuf_nameMap = _NameMap(bytecode: "\0\u{1}header\0\u{1}entity\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_header.value)
        try action.list(2, &entity)
    }
}

package struct TransitRealtime_FeedHeader: RealtimeRecord {
    @Field package var gtfsRealtimeVersion: String
    @Field package var incrementality: Incrementality
    @Field package var timestamp: UInt64
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{3}gtfs_realtime_version\0\u{1}incrementality\0\u{1}timestamp\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_gtfsRealtimeVersion.value)
        try action.field(2, &_incrementality.value)
        try action.field(3, &_timestamp.value)
    }

    package enum Incrementality: Int, RealtimeEnum {
        case fullDataset = 0, differential
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{2}\0FULL_DATASET\0\u{1}DIFFERENTIAL\0")
        package init() { self = .fullDataset }
    }
}

package struct TransitRealtime_FeedEntity: RealtimeRecord {
    @Field package var id: String
    @Field package var isDeleted: Bool
    @Field package var tripUpdate: TransitRealtime_TripUpdate
    @Field package var vehicle: TransitRealtime_VehiclePosition
    @Field package var alert: TransitRealtime_Alert
    package var hasTripUpdate: Bool { _tripUpdate.value != nil }
    package var hasVehicle: Bool { _vehicle.value != nil }
    package var hasAlert: Bool { _alert.value != nil }
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{1}id\0\u{3}is_deleted\0\u{3}trip_update\0\u{1}vehicle\0\u{1}alert\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_id.value)
        try action.field(2, &_isDeleted.value)
        try action.field(3, &_tripUpdate.value)
        try action.field(4, &_vehicle.value)
        try action.field(5, &_alert.value)
    }
}

package struct TransitRealtime_TripUpdate: RealtimeRecord {
    @Field package var trip: TransitRealtime_TripDescriptor
    package var stopTimeUpdate: [StopTimeUpdate] = []
    @Field package var vehicle: TransitRealtime_VehicleDescriptor
    @Field package var timestamp: UInt64
    @Field package var delay: Int32
    @Field package var tripProperties: TripProperties
    package var hasDelay: Bool { _delay.value != nil }
    package var hasTimestamp: Bool { _timestamp.value != nil }
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{1}trip\0\u{3}stop_time_update\0\u{1}vehicle\0\u{1}timestamp\0\u{1}delay\0\u{3}trip_properties\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_trip.value)
        try action.list(2, &stopTimeUpdate)
        try action.field(3, &_vehicle.value)
        try action.field(4, &_timestamp.value)
        try action.field(5, &_delay.value)
        try action.field(6, &_tripProperties.value)
    }

    package struct StopTimeEvent: RealtimeRecord {
        @Field package var delay: Int32
        @Field package var time: Int64
        package var hasDelay: Bool { _delay.value != nil }
        package static let _protobuf_nameMap = _NameMap(bytecode: "\0\u{1}delay\0\u{1}time\0")
        package init() {}

        package mutating func handOver(to action: inout some FieldAction) throws {
            try action.field(1, &_delay.value)
            try action.field(2, &_time.value)
        }
    }

    package struct StopTimeUpdate: RealtimeRecord {
        @Field package var stopSequence: UInt32
        @Field package var arrival: StopTimeEvent
        @Field package var departure: StopTimeEvent
        @Field package var stopID: String
        @Field package var scheduleRelationship: ScheduleRelationship
        @Field package var stopTimeProperties: StopTimeProperties
        package var hasStopSequence: Bool { _stopSequence.value != nil }
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{3}stop_sequence\0\u{1}arrival\0\u{1}departure\0\u{3}stop_id\0\u{3}schedule_relationship\0\u{3}stop_time_properties\0")
        package init() {}

        package mutating func handOver(to action: inout some FieldAction) throws {
            try action.field(1, &_stopSequence.value)
            try action.field(2, &_arrival.value)
            try action.field(3, &_departure.value)
            try action.field(4, &_stopID.value)
            try action.field(5, &_scheduleRelationship.value)
            try action.field(6, &_stopTimeProperties.value)
        }

        package enum ScheduleRelationship: Int, RealtimeEnum {
            case scheduled = 0, skipped, noData, unscheduled
            package static let _protobuf_nameMap = _NameMap(
                bytecode: "\0\u{2}\0SCHEDULED\0\u{1}SKIPPED\0\u{1}NO_DATA\0\u{1}UNSCHEDULED\0")
            package init() { self = .scheduled }
        }

        package struct StopTimeProperties: RealtimeRecord {
            @Field package var assignedStopID: String
            @Field package var stopHeadsign: String
            @Field package var pickupType: DropOffPickupType
            package static let _protobuf_nameMap = _NameMap(
                bytecode: "\0\u{3}assigned_stop_id\0\u{3}stop_headsign\0\u{3}pickup_type\0")
            package init() {}

            package mutating func handOver(to action: inout some FieldAction) throws {
                try action.field(1, &_assignedStopID.value)
                try action.field(2, &_stopHeadsign.value)
                try action.field(3, &_pickupType.value)
            }

            package enum DropOffPickupType: Int, RealtimeEnum {
                case regular = 0, none, phoneAgency, coordinateWithDriver
                package static let _protobuf_nameMap = _NameMap(
                    bytecode: "\0\u{2}\0REGULAR\0\u{1}NONE\0\u{1}PHONE_AGENCY\0\u{1}COORDINATE_WITH_DRIVER\0")
                package init() { self = .regular }
            }
        }
    }

    package struct TripProperties: RealtimeRecord {
        @Field package var tripID: String
        @Field package var startDate: String
        @Field package var startTime: String
        @Field package var tripHeadsign: String
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{3}trip_id\0\u{3}start_date\0\u{3}start_time\0\u{4}\u{2}trip_headsign\0")
        package init() {}

        package mutating func handOver(to action: inout some FieldAction) throws {
            try action.field(1, &_tripID.value)
            try action.field(2, &_startDate.value)
            try action.field(3, &_startTime.value)
            try action.field(5, &_tripHeadsign.value)
        }
    }
}

package struct TransitRealtime_VehiclePosition: RealtimeRecord {
    @Field package var trip: TransitRealtime_TripDescriptor
    @Field package var currentStopSequence: UInt32
    @Field package var currentStatus: VehicleStopStatus
    @Field package var timestamp: UInt64
    @Field package var stopID: String
    @Field package var vehicle: TransitRealtime_VehicleDescriptor
    package var hasCurrentStopSequence: Bool { _currentStopSequence.value != nil }
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{1}trip\0\u{4}\u{2}current_stop_sequence\0\u{3}current_status\0\u{1}timestamp\0\u{4}\u{2}stop_id\0\u{1}vehicle\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_trip.value)
        try action.field(3, &_currentStopSequence.value)
        try action.field(4, &_currentStatus.value)
        try action.field(5, &_timestamp.value)
        try action.field(7, &_stopID.value)
        try action.field(8, &_vehicle.value)
    }

    package enum VehicleStopStatus: Int, RealtimeEnum {
        case incomingAt = 0, stoppedAt, inTransitTo
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{2}\0INCOMING_AT\0\u{1}STOPPED_AT\0\u{1}IN_TRANSIT_TO\0")
        package init() { self = .inTransitTo }
    }
}

package struct TransitRealtime_Alert: RealtimeRecord {
    package var activePeriod: [TransitRealtime_TimeRange] = []
    package var informedEntity: [TransitRealtime_EntitySelector] = []
    @Field package var effect: Effect
    @Field package var headerText: TransitRealtime_TranslatedString
    @Field package var descriptionText: TransitRealtime_TranslatedString
    @Field package var severityLevel: SeverityLevel
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{3}active_period\0\u{4}\u{4}informed_entity\0\u{2}\u{2}effect\0\u{4}\u{3}header_text\0\u{3}description_text\0\u{4}\u{3}severity_level\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.list(1, &activePeriod)
        try action.list(5, &informedEntity)
        try action.field(7, &_effect.value)
        try action.field(10, &_headerText.value)
        try action.field(11, &_descriptionText.value)
        try action.field(14, &_severityLevel.value)
    }

    package enum Effect: Int, RealtimeEnum {
        case noService = 1, reducedService, significantDelays, detour, additionalService, modifiedService, otherEffect
        case unknownEffect, stopMoved, noEffect, accessibilityIssue
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{1}NO_SERVICE\0\u{1}REDUCED_SERVICE\0\u{1}SIGNIFICANT_DELAYS\0\u{1}DETOUR\0\u{1}ADDITIONAL_SERVICE\0\u{1}MODIFIED_SERVICE\0\u{1}OTHER_EFFECT\0\u{1}UNKNOWN_EFFECT\0\u{1}STOP_MOVED\0\u{1}NO_EFFECT\0\u{1}ACCESSIBILITY_ISSUE\0")
        package init() { self = .unknownEffect }
    }

    package enum SeverityLevel: Int, RealtimeEnum {
        case unknownSeverity = 1, info, warning, severe
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{1}UNKNOWN_SEVERITY\0\u{1}INFO\0\u{1}WARNING\0\u{1}SEVERE\0")
        package init() { self = .unknownSeverity }
    }
}

package struct TransitRealtime_TimeRange: RealtimeRecord {
    @Field package var start: UInt64
    @Field package var end: UInt64
    package static let _protobuf_nameMap = _NameMap(bytecode: "\0\u{1}start\0\u{1}end\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_start.value)
        try action.field(2, &_end.value)
    }
}

package struct TransitRealtime_TripDescriptor: RealtimeRecord {
    @Field package var tripID: String
    @Field package var startTime: String
    @Field package var startDate: String
    @Field package var scheduleRelationship: ScheduleRelationship
    @Field package var routeID: String
    @Field package var directionID: UInt32
    package var hasDirectionID: Bool { _directionID.value != nil }
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{3}trip_id\0\u{3}start_time\0\u{3}start_date\0\u{3}schedule_relationship\0\u{3}route_id\0\u{3}direction_id\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_tripID.value)
        try action.field(2, &_startTime.value)
        try action.field(3, &_startDate.value)
        try action.field(4, &_scheduleRelationship.value)
        try action.field(5, &_routeID.value)
        try action.field(6, &_directionID.value)
    }

    package enum ScheduleRelationship: Int, RealtimeEnum {
        case scheduled = 0, added, unscheduled, canceled, replacement = 5, duplicated, deleted, new
        package static let _protobuf_nameMap = _NameMap(
            bytecode: "\0\u{2}\0SCHEDULED\0\u{1}ADDED\0\u{1}UNSCHEDULED\0\u{1}CANCELED\0\u{2}\u{2}REPLACEMENT\0\u{1}DUPLICATED\0\u{1}DELETED\0\u{1}NEW\0")
        package init() { self = .scheduled }
    }
}

package struct TransitRealtime_VehicleDescriptor: RealtimeRecord {
    @Field package var id: String
    @Field package var label: String
    @Field package var licensePlate: String
    package static let _protobuf_nameMap = _NameMap(bytecode: "\0\u{1}id\0\u{1}label\0\u{3}license_plate\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_id.value)
        try action.field(2, &_label.value)
        try action.field(3, &_licensePlate.value)
    }
}

package struct TransitRealtime_EntitySelector: RealtimeRecord {
    @Field package var agencyID: String
    @Field package var routeID: String
    @Field package var routeType: Int32
    @Field package var trip: TransitRealtime_TripDescriptor
    @Field package var stopID: String
    @Field package var directionID: UInt32
    package var hasRouteType: Bool { _routeType.value != nil }
    package var hasDirectionID: Bool { _directionID.value != nil }
    package var hasTrip: Bool { _trip.value != nil }
    package static let _protobuf_nameMap = _NameMap(
        bytecode: "\0\u{3}agency_id\0\u{3}route_id\0\u{3}route_type\0\u{1}trip\0\u{3}stop_id\0\u{3}direction_id\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.field(1, &_agencyID.value)
        try action.field(2, &_routeID.value)
        try action.field(3, &_routeType.value)
        try action.field(4, &_trip.value)
        try action.field(5, &_stopID.value)
        try action.field(6, &_directionID.value)
    }
}

package struct TransitRealtime_TranslatedString: RealtimeRecord {
    package var translation: [Translation] = []
    package static let _protobuf_nameMap = _NameMap(bytecode: "\0\u{1}translation\0")
    package init() {}

    package mutating func handOver(to action: inout some FieldAction) throws {
        try action.list(1, &translation)
    }

    package struct Translation: RealtimeRecord {
        @Field package var text: String
        @Field package var language: String
        package static let _protobuf_nameMap = _NameMap(bytecode: "\0\u{1}text\0\u{1}language\0")
        package init() {}

        package mutating func handOver(to action: inout some FieldAction) throws {
            try action.field(1, &_text.value)
            try action.field(2, &_language.value)
        }
    }
}
