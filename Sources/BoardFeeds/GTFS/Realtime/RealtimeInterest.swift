/// Which entities of a message may matter: those that name a kept trip, a stop of interest, or a route or agency that
/// serves one.
///
/// Names are remembered as bits of a hash: an entity too many is decoded now and then, and none is missed.
struct RealtimeInterest: Sendable {
    private var bits: [UInt64]
    private let mask: UInt64
    private let isOfAll: Bool

    /// Everything that `names` are: identifiers of trips, stops, routes and agencies. Nil: everything matters.
    init(_ names: [String]?) {
        isOfAll = names == nil
        let names = names ?? []
        // 32 bits a name: one entity in 32 is decoded in vain, at worst.
        var size = 4_096
        while size < names.count * 32, size < 1 << 26 { size *= 2 }
        bits = [UInt64](repeating: 0, count: size / 64)
        mask = UInt64(size - 1)
        for name in names {
            let bytes = Array(name.utf8)
            let bit = Self.hash(bytes.span, 0..<bytes.count) & mask
            bits[Int(bit / 64)] |= 1 << (bit % 64)
        }
    }

    /// Whether one of the names may be written there.
    @inline(__always)
    func holds(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let bit = Self.hash(bytes, range) & mask
        return bits[Int(truncatingIfNeeded: bit / 64)] & 1 << (bit % 64) != 0
    }

    /// FNV-1a with its high bits folded in.
    @inline(__always)
    private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for place in range { hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3 }
        return hash ^ hash >> 32
    }
}

// MARK: - What an entity names

extension RealtimeInterest {
    /// Whether an entity's bytes name something that matters, by the field numbers of transit-realtime.proto.
    func wants(_ entity: Range<Int>, of bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        if isOfAll { return true }
        var fields = WireFields(entity)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 3: if try isNamed(inUpdate: field.range, bytes) { return true }
            case 4: if try isNamed(inVehicle: field.range, bytes) { return true }
            case 5: if try isNamed(inAlert: field.range, bytes) { return true }
            default: break
            }
        }
        return false
    }

    /// The trip of a trip update, or the stop of one of its calls.
    private func isNamed(inUpdate update: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(update)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: if try isNamed(1, in: field.range, bytes) { return true }
            case 2: if try isNamed(4, in: field.range, bytes) { return true }
            default: break
            }
        }
        return false
    }

    /// The trip of a vehicle, or the stop where it is.
    private func isNamed(inVehicle vehicle: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(vehicle)
        while let field = try fields.next(in: bytes) {
            switch field.number {
            case 1: if try isNamed(1, in: field.range, bytes) { return true }
            case 7: if holds(bytes, field.range) { return true }
            default: break
            }
        }
        return false
    }

    /// What an alert informs of; a kind of vehicle is too much to be told apart here.
    private func isNamed(inAlert alert: Range<Int>, _ bytes: Span<UInt8>) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(alert)
        while let field = try fields.next(in: bytes) {
            guard field.number == 5 else { continue }
            var selector = WireFields(field.range)
            while let part = try selector.next(in: bytes) {
                switch part.number {
                case 1, 2, 5: if holds(bytes, part.range) { return true }
                case 3: return true
                case 4: if try isNamed(1, or: 5, in: part.range, bytes) { return true }
                default: break
                }
            }
        }
        return false
    }

    /// Whether one of a message's texts, by the numbers of their fields, is a name.
    @inline(__always)
    private func isNamed(
        _ number: Int, or other: Int? = nil, in message: Range<Int>, _ bytes: Span<UInt8>
    ) throws(WireFields.Fault) -> Bool {
        var fields = WireFields(message)
        while let field = try fields.next(in: bytes) {
            if field.number == number || field.number == other, holds(bytes, field.range) { return true }
        }
        return false
    }
}
