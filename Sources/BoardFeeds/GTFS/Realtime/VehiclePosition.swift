internal import BoardCore
internal import BoardFormats

struct VehiclePosition: Hashable, Sendable {
    var trip: TripDescriptor
    /// The operator's name of the vehicle; empty if missing.
    var vehicle = ""
    /// `stop_sequence` and `stop_id` of the current or next stop.
    var sequence: Int?
    var stop: String?
    /// Whether `current_status` is STOPPED_AT ``stop``; else the vehicle is on the way there.
    var isStopped = false
    /// The position's timestamp, else the message's; nil if both are missing.
    var madeAt: Timestamp?
}

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
            case 4 where field.value <= 2: isStopped = field.value == 1
            case 5: madeAt = Timestamp(realtime: field.value)
            case 7: stop = try WireFields.nonEmptyText(field.range, of: bytes)
            case 8: try descriptor.read(field.range, of: bytes)
            default: break
            }
        }
        vehicle = descriptor.name
    }
}

struct VehicleDescriptor {
    private var id = "", label = "", licensePlate = ""

    /// The text that people can read on the vehicle, else its identifier; empty where the operator reports none.
    var name: String { [label, licensePlate, id].lazy.map(\.plainText).first { !$0.isEmpty } ?? "" }

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
