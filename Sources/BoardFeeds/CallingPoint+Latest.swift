internal import BoardCore

extension CallingPoint {
    /// The latest time of the call.
    var latest: Timestamp? {
        switch state {
        case .expected(let time), .scheduled(let time), .arrived(let time): time
        case .called(let time): time ?? booked
        case .delayed, .cancelled: booked
        }
    }
}
