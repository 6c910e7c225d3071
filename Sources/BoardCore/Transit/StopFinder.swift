/// The stop search of an operator whose list is too large for this machine.
///
/// Used only for searches by people, and never with a recording. Responds within a few seconds or fails.
public protocol StopFinder: Sendable {
    /// Searches stops by name, best first.
    func stops(matching text: String, limit: Int) async throws(FeedFailure) -> [ListedStop]

    /// The largest radius of ``stops(near:within:limit:)``.
    var maximumRadius: Metres { get }

    /// Searches the stops around a place, nearest first.
    func stops(
        near place: Coordinates, within radius: Metres, limit: Int
    ) async throws(FeedFailure) -> [NearStop]

    /// Fetches the name and location of a stop; nil where the operator does not report them.
    ///
    /// - Throws: ``FeedFailure``; of kind `unknownStop` when there is no such stop.
    func stop(_ id: StopID) async throws(FeedFailure) -> ListedStop?

    /// Finds the stop that replaced an identifier which the operator no longer has: one of the same name at the same
    /// place. Nil where there is none, where the operator still lists the identifier, or where the request has no name
    /// and location.
    func successor(of request: FeedRequest) async throws(FeedFailure) -> ListedStop?
}

/// A stop and its distance in a straight line.
public typealias NearStop = (stop: ListedStop, distance: Metres)
