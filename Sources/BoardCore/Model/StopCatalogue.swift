/// One operator's own list of its stops and of where its lines run: an edge of the house, live or recorded.
public protocol StopCatalogue: Sendable {
    /// Takes one stop of the list. Throwing ends the page.
    ///
    /// It is called on the thread that receives the list, which has nothing else to do: it may write to a disk.
    typealias StopReceiver = @Sendable (ListedStop) throws -> Void

    /// Hands over one page of the list, stop by stop as it comes, so that a list of any length needs little memory.
    ///
    /// A stop may come more than once, and not as much may be told of it each time: what is told last counts, and what is
    /// left out (nil, or nothing in it) takes nothing back. Cancelling the task abandons the question at once.
    ///
    /// - Parameters:
    ///   - page: which page, from 1.
    ///   - take: takes each stop.
    /// - Returns: what the page was like.
    /// - Throws: ``FeedFailure``; of kind `cancelled` when `take` threw.
    func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage

    /// Whether the list is one file, which is judged before any of it counts: one that was found to be bad is not asked for
    /// again at once, and an update that was interrupted begins anew.
    var isOneFile: Bool { get }

    /// Asks where a line runs.
    ///
    /// - Parameter line: the operator's identifier of the line ("northern"), in any case.
    /// - Returns: the route; nil when the operator knows no such line.
    func route(of line: String) async throws(FeedFailure) -> LineRoute?
}

extension StopCatalogue {
    /// It comes page by page.
    public var isOneFile: Bool { false }
}

/// What one page of an operator's list was like.
public struct StopPage: Hashable, Sendable {
    /// Entries of the page, whatever they were; none: the list has ended before this page.
    public let entries: Int
    /// Entries that could not be read.
    public let badRows: Int
    /// Entries of the whole list, where the operator says so: for a progress bar.
    public let total: Int?

    /// A page.
    public init(entries: Int, badRows: Int = 0, total: Int? = nil) {
        self.entries = entries
        self.badRows = badRows
        self.total = total
    }
}
