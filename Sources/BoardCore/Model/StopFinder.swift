/// An operator that searches its stops itself, since its list is too large to be kept on this machine: an edge of the house.
///
/// Asked only for people who search, and never of a recording. Answers come within a few seconds, or not at all.
public protocol StopFinder: Sendable {
    /// Asks for stops by their names, best first.
    func stops(matching text: String, limit: Int) async throws(FeedFailure) -> [ListedStop]

    /// How far it looks around a place at most.
    var maximumRadius: Metres { get }

    /// Asks for the stops around a place, nearest first.
    func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedFailure) -> [(stop: ListedStop, distance: Metres)]

    /// Asks what a stop is called and where it is; nil where the operator does not say.
    ///
    /// - Throws: ``FeedFailure``; of kind `unknownStop` when there is no such stop.
    func stop(_ id: StopID) async throws(FeedFailure) -> ListedStop?

    /// Asks for the stop that is meant by an identifier which the operator knows no more: one of the same name at the same
    /// place. Nil where there is none, the operator has the identifier on its lists all the same, or the question does not
    /// say what the stop was called and where it was.
    func successor(of request: FeedRequest) async throws(FeedFailure) -> ListedStop?
}
