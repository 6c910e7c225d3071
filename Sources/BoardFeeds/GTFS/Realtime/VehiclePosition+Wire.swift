internal import BoardCore
internal import BoardFormats

extension VehiclePosition {
    /// A vehicle position from its bytes, by the field numbers of GTFS-Realtime.
    init(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        trip = TripDescriptor()
        var descriptor = VehicleDescriptor()
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: try trip.read(field.range, of: bytes)
            case 3: sequence = Int(UInt32(truncatingIfNeeded: field.value))
            case 4:
                switch field.value {
                case 0: status = .incoming
                case 1: status = .stopped
                case 2: status = .inTransit
                default: break
                }
            case 5: madeAt = Timestamp(realtime: field.value)
            case 7: stop = try WireFields.nonEmptyText(field.range, of: bytes)
            case 8: try descriptor.read(field.range, of: bytes)
            default: break
            }
        }
        vehicle = descriptor.name
    }
}

/// The texts that identify a vehicle.
struct VehicleDescriptor {
    private var id = "", label = "", licensePlate = ""

    /// The text that people can read on the vehicle, else its identifier; empty where the operator reports none.
    var name: String { [label, licensePlate, id].lazy.map(\.singleSpaced).first { !$0.isEmpty } ?? "" }

    mutating func read(_ range: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) {
        var fields = WireFields(range)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: id = try WireFields.text(field.range, of: bytes)
            case 2: label = try WireFields.text(field.range, of: bytes)
            case 3: licensePlate = try WireFields.text(field.range, of: bytes)
            default: break
            }
        }
    }
}
