/// One operator's list of stops and line routes, live or recorded.
public protocol StopCatalogue: Sendable {
    /// Receives one stop of the list; throwing ends the page.
    ///
    /// Called on the thread that receives the list and has no other work, so that it may write to a disk.
    typealias StopReceiver = @Sendable (ListedStop) throws -> Void

    /// Streams one page of the list, so that a list of any length needs little memory.
    ///
    /// A stop may occur more than once with different fields: the last value of a field counts, and an absent field
    /// (nil or empty) does not clear an earlier one. Cancelling the task cancels the request at once.
    ///
    /// - Parameter page: from 1.
    /// - Throws: ``FeedFailure``; of kind `cancelled` when `take` threw.
    func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage

    /// Whether the list is one file that is validated before use: an invalid file is not fetched again at once, and an
    /// interrupted update starts over.
    var isOneFile: Bool { get }

    /// Fetches the route of a line by the operator's identifier ("northern"), in any case; nil when it has no such line.
    func route(of line: String) async throws(FeedFailure) -> LineRoute?
}

extension StopCatalogue {
    /// False: the list is paged.
    public var isOneFile: Bool { false }

    /// Nil: the operator's lines have no stops in sequence.
    public func route(of line: String) async throws(FeedFailure) -> LineRoute? { nil }
}

/// The counts of one page of an operator's list.
public struct StopPage: Hashable, Sendable {
    /// The number of entries, valid or not; 0: the list ended before this page.
    public let entries: Int
    /// The number of malformed entries.
    public let badRows: Int
    /// The number of entries of the whole list, if reported: for a progress bar.
    public let total: Int?

    public init(entries: Int, badRows: Int = 0, total: Int? = nil) {
        self.entries = entries
        self.badRows = badRows
        self.total = total
    }
}
