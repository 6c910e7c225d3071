internal import BoardCore
internal import BoardFormats

/// Whether passengers may board at a call: `pickup_type`.
package enum Boarding: UInt8, Sendable {
    case regular, none, phone, driver

    /// - Parameter value: nil and unknown values count as regular.
    init(_ value: Int?) {
        self = value.flatMap { UInt8(exactly: $0) }.flatMap(Boarding.init) ?? .regular
    }

    /// How passengers arrange it beforehand; nil: they need not.
    ///
    /// - Parameter rule: the booking rule of the call, if any.
    func arrangement(_ rule: TripAttributes.Arrangement?) -> TripAttributes.Arrangement? {
        switch self {
        case .regular, .none: nil
        case .phone: TripAttributes.Arrangement(by: .phone, message: rule?.message, phone: rule?.phone)
        case .driver: TripAttributes.Arrangement(by: .driver, message: rule?.message, phone: rule?.phone)
        }
    }
}

extension TimetableReader {
    /// The rules of `booking_rules.txt` that selected calls have.
    mutating func readBookingRules() throws(TableFailure) -> [TripAttributes.Arrangement?] {
        let keys = stopTimes.bookingRules
        var found = [TripAttributes.Arrangement?](repeating: nil, count: keys.count)
        guard keys.count > 0, archive.contains(.bookingRules) else { return found }
        try rows(of: BookingRuleColumn.self) { reader, table throws(TableFailure) in
            let number = table.number(of: BookingRuleColumn.id, in: keys)
            guard number != ByteKeys.unknown else { return }
            try reader.countNames(
                table.textCount(BookingRuleColumn.message, .pickupMessage, .phone), from: .bookingRules)
            found[number] = TripAttributes.Arrangement(
                by: .phone,
                message: table.nameIfAny(BookingRuleColumn.pickupMessage) ?? table.nameIfAny(BookingRuleColumn.message),
                phone: table.nameIfAny(BookingRuleColumn.phone))
        }
        return found
    }
}
