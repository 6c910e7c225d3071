import BoardCore

private struct Run: Hashable {
    let line: String, destination: String, booked: Timestamp
}

extension Sequence {
    /// The rows of one stop without copies. Of rows with the same line, destination and booked time, only one source's
    /// stay, preferably selected by the request and with an estimate. Rows of one source are different vehicles.
    ///
    /// - Parameter source: who lists a row: the operator's feed, the agency and the route.
    func withoutCopies<Source: Equatable>(
        of departure: (Element) -> Departure, from source: (Element) -> Source, for request: FeedRequest?
    ) -> [Element] {
        func run(_ row: Element) -> Run? {
            let row = departure(row)
            return row.booked.map { Run(line: row.line.name, destination: row.destination, booked: $0) }
        }
        var best: [Run: (source: Source, rank: Int)] = [:]
        var hasCopies = false
        for row in self {
            guard let run = run(row) else { continue }
            hasCopies = hasCopies || best[run] != nil
            let found = (source: source(row), rank: departure(row).rank(for: request))
            if best[run].isNilOr({ $0.rank < found.rank }) { best[run] = found }
        }
        return !hasCopies ? Array(self) : filter { row in run(row).isNilOr { best[$0]?.source == source(row) } }
    }
}

extension Departure {
    /// Higher if the request selects the departure, then the more the operator reports about the vehicle.
    fileprivate func rank(for request: FeedRequest?) -> Int {
        let isSelected = request.isNilOr { $0.selects(self) }
        return switch status {
        case .expected: isSelected ? 7 : 3
        case .delayed: isSelected ? 6 : 2
        case .cancelled: isSelected ? 5 : 1
        case .scheduled: isSelected ? 4 : 0
        }
    }
}

extension Sequence {
    /// The first element for each value of `key`, in order.
    func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    func uniqued() -> [Element] { uniqued { $0 } }
}
