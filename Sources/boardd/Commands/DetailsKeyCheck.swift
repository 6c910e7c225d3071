internal import BoardCore

/// Checks a key that only requests for trip details use: the board sends it only after a person opens a departure.
struct DetailsKeyCheck: Hashable {
    /// How many departures of a stop are tried, since an operator may not have the details of some.
    private static let maximumDepartures = 3

    let outcome: FavouriteCheck.Outcome
    /// The printed line: the key, the result, what to do.
    let text: String

    private init(_ outcome: FavouriteCheck.Outcome, _ text: String) {
        self.outcome = outcome
        self.text = text.asPrintedLine
    }

    /// Requests trip details of departures from the first stops that have any.
    ///
    /// - Parameter key: the name of the key.
    static func check(at key: String, from stops: [StopID], in feed: any DepartureFeed) async -> DetailsKeyCheck {
        do throws(FeedFailure) {
            for stop in stops {
                let departures = try await feed.departures(FeedRequest(stop: stop)).departures.filter {
                    $0.status != .cancelled
                }
                for departure in departures.prefix(maximumDepartures)
                where try await feed.tripDetails(of: departure) != nil {
                    return DetailsKeyCheck(.good, "\(key): good")
                }
            }
        } catch {
            return switch error.kind {
            case .keyRejected, .keyMissing: DetailsKeyCheck(.fault, "\(key): \(error.detail)")
            default: DetailsKeyCheck(.unknown, "\(key): not checked: \(error.detail)")
            }
        }
        return DetailsKeyCheck(
            .unknown, "\(key): not checked: no departure with calling points now; try later")
    }
}
