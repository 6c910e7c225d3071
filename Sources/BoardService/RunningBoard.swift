public import BoardCore

/// The board that runs in this process: a ``BoardService`` that also reports its changes.
public protocol RunningBoard: BoardService {
    /// An element when something that ``BoardService/live()`` returns may have changed; several changes are merged. Ends with the
    /// board. Without a reader nothing is computed.
    func changes() -> AsyncStream<Void>
    /// What limits how often a client receives events.
    var clock: any MachineClock { get }
}
