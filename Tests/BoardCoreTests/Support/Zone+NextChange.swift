@testable import BoardCore

extension Zone {
    func nextChange(after moment: Timestamp) -> Timestamp? {
        nextChange(after: moment.seconds).map { Timestamp(seconds: $0) }
    }
}
