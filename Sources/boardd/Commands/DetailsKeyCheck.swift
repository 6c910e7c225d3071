internal import BoardCore

/// Whether a key with which an operator is asked for calling points alone is taken; the board asks with it only once a
/// person opens a departure.
struct DetailsKeyCheck: Hashable {
    /// How many departures of a stop are asked about, where some are forgotten.
    private static let most = 3

    /// What came of it.
    let outcome: FavouriteCheck.Outcome
    /// The line that is printed: which key, what was found, what to do.
    let text: String

    private init(_ outcome: FavouriteCheck.Outcome, _ text: String) {
        self.outcome = outcome
        self.text = text.asPrintedLine
    }

    /// Asks about what leaves from the first of some stops where calling points are told.
    ///
    /// - Parameter key: the name of the key.
    static func check(at key: String, from stops: [StopID], in feed: any DepartureFeed) async -> DetailsKeyCheck {
        do throws(FeedFailure) {
            for stop in stops {
                let running = try await feed.departures(FeedRequest(stop: stop)).departures.filter {
                    $0.status != .cancelled
                }
                for departure in running.prefix(most) where try await feed.tripDetails(of: departure) != nil {
                    return DetailsKeyCheck(.good, "\(key): good")
                }
            }
        } catch {
            return switch error.kind {
            case .keyRejected, .keyMissing: DetailsKeyCheck(.fault, "\(key): \(error.detail)")
            default: DetailsKeyCheck(.unknown, "\(key): could not look: \(error.detail)")
            }
        }
        return DetailsKeyCheck(
            .unknown, "\(key): could not look: calling points of nothing that leaves now are told; try later")
    }
}
