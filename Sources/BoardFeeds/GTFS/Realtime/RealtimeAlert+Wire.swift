internal import BoardCore
internal import BoardFormats

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
            case 7: effect = Effect(number: field.value) ?? effect
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

    /// The number of periods, selectors and translations.
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

extension RealtimeAlert.Effect {
    fileprivate init?(number: UInt64) {
        switch number {
        case 1: self = .noService
        case 2: self = .reducedService
        case 3: self = .significantDelays
        case 4: self = .detour
        case 5: self = .additionalService
        case 6: self = .modifiedService
        case 7, 8: self = .other
        case 9: self = .stopMoved
        case 10: self = .noEffect
        case 11: self = .accessibilityIssue
        default: return nil
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
