internal import BoardCore
internal import BoardService

extension StopDepartures {
    /// What a board holds about a stop.
    ///
    /// - Parameter badRows: the unreadable rows of its response; nil: not counted.
    /// - Throws: ``ServiceError`` for a stop that the board does not show now.
    init(
        _ board: Board, _ stop: StopID, sorted order: BoardCore.SortOrder, attribution: String, badRows: Int? = nil,
        at now: Instant
    ) throws(ServiceError) {
        guard let held = board.departures(of: stop, sorted: order, at: now) else {
            throw ServiceError(.notFound, "\(stop) is not on the board: it is no favourite, or outside its hours")
        }
        self.init(held, StopState(held.report, at: held.moment), attribution: attribution, badRows: badRows)
    }
}
