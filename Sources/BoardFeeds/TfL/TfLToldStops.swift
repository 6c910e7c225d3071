internal import BoardCore

/// How much has been told of each stop of a list so far.
///
/// TfL lists a stop more than once: for itself, and inside of stations and interchanges, there often without lines,
/// letter and direction. In a directory the last time counts, so that a time that tells less must not come after one that told
/// more.
struct TfLToldStops: Sendable {
    /// How many stops are remembered at most; London has 25,000.
    private static let most = 100_000

    private var told: [String: UInt8] = [:]

    /// Whether a stop tells as much as all before it of the same code; it is remembered.
    mutating func isAsGood(_ stop: ListedStop) -> Bool {
        let amount = Self.amount(stop)
        if let before = told[stop.id.code] {
            guard amount >= before else { return false }
        } else if told.count >= Self.most {
            return true
        }
        told[stop.id.code] = amount
        return true
    }

    /// A number that is the higher the more is told; lines and place count most.
    private static func amount(_ stop: ListedStop) -> UInt8 {
        (stop.lines.isEmpty ? 0 : 8) + (stop.coordinates == nil ? 0 : 4) + (stop.towards == nil ? 0 : 2)
            + (stop.shortCode == nil ? 0 : 1)
    }
}
