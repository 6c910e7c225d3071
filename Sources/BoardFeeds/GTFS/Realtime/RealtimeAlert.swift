internal import BoardCore
internal import BoardFormats

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

    struct Translation: Hashable, Sendable {
        var text = ""
        /// BCP 47, in lower case; empty where missing.
        var language = ""
    }

    var periods: [ActivePeriod] = []
    var selectors: [EntitySelector] = []
    /// `severity_level`; nil if unknown.
    var severity: Alert.Severity?
    /// The severity that `effect` implies.
    var effectSeverity = Alert.Severity.minor
    var header: [Translation] = []
    var description: [Translation] = []
}

// MARK: - Decoding

// Alerts from their bytes, by the field numbers of GTFS-Realtime (https://gtfs.org/documentation/realtime/reference/). As everywhere
// in the format the last of several values holds, parts of a message are merged, and an unknown value of an enumeration is ignored.

extension RealtimeAlert {
    /// The most periods, selectors and translations of an alert, several times those of any published one: two bytes of a message
    /// can be one of them.
    static let maximumParts = 20_000

    /// - Throws: ``WireFields/Fault`` where the bytes are malformed, or there are more than ``maximumParts`` parts.
    init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            guard parts < Self.maximumParts else { throw WireFields.Fault(place: field.range.lowerBound) }
            switch field.number {
            case 1: periods.append(try ActivePeriod(field.range, of: bytes))
            case 5: selectors.append(try EntitySelector(field.range, of: bytes))
            case 7:
                switch field.value {
                // NO_SERVICE.
                case 1: effectSeverity = .severe
                // ADDITIONAL_SERVICE, NO_EFFECT, ACCESSIBILITY_ISSUE.
                case 5, 10, 11: effectSeverity = .information
                case 2, 3, 4, 6, 7, 8, 9: effectSeverity = .minor
                default: break
                }
            case 10: try Self.read(field.range, of: bytes, into: &header)
            case 11: try Self.read(field.range, of: bytes, into: &description)
            case 14:
                switch field.value {
                case 1: severity = nil
                case 2: severity = .information
                case 3: severity = .minor
                case 4: severity = .severe
                default: break
                }
            default: break
            }
        }
    }

    var parts: Int { periods.count + selectors.count + header.count + description.count }

    private static func read(
        _ range: Range<Int>, of bytes: Span<UInt8>, into translations: inout [Translation]
    ) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            guard translations.count < maximumParts else { throw WireFields.Fault(place: field.range.lowerBound) }
            if field.number == 1 { translations.append(try Translation(field.range, of: bytes)) }
        }
    }
}

extension ActivePeriod {
    fileprivate init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
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
    fileprivate init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
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

extension RealtimeAlert.Translation {
    /// Several times what a board shows of an alert, HTML included; in Unicode scalars.
    private static let longest = 20_000

    fileprivate init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1:
                let whole = try WireFields.text(field.range, of: bytes)
                text = field.range.count > Self.longest ? String(whole.unicodeScalars.prefix(Self.longest)) : whole
            case 2: language = try WireFields.text(field.range, of: bytes).lowercased()
            default: break
            }
        }
    }
}
