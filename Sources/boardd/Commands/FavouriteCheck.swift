internal import BoardCore

/// Checks one favourite with its operator: whether the stop exists and its lines call there. Also holds the result for a
/// source that all stops of a feed need, and for a key of trip details.
struct FavouriteCheck: Hashable {
    /// The result, as the exit status of `boardd check`.
    enum Outcome: Hashable {
        case good
        /// A file must be changed.
        case fault
        /// No result.
        case unknown
    }

    /// How many departures of a stop are tried for trip details, since an operator may not have the details of some.
    private static let maximumDepartures = 3

    let outcome: Outcome
    /// The printed line: where, the result, what to do.
    let text: String
    /// The zone of the favourite's stop, where the operator reports it.
    let zone: Zone?

    private init(_ outcome: Outcome, _ text: String, zone: Zone? = nil) {
        self.outcome = outcome
        self.zone = zone
        // One line per favourite, whatever an operator sent.
        self.text = text.asPrintedLine
    }

    /// Sends one request to the favourite's feed.
    ///
    /// - Parameter file: the file that names the favourite.
    static func check(at favourite: Favourite, of file: String, in feed: any DepartureFeed) async -> FavouriteCheck {
        do throws(FeedFailure) {
            return outcome(favourite, of: file, try await feed.check(favourite.stop), feed.profile)
        } catch {
            let title = feed.profile.title
            switch error.kind {
            case .unknownStop:
                // Without a successor, or where that cannot be requested, the unknown stop is reported.
                if let now = try? await feed.finder?.successor(of: favourite.request) {
                    return FavouriteCheck(
                        .fault,
                        "\(file): \(favourite.stop): \(title) now uses the ID \(now.id) (\(now.name)); set `id` to it")
                }
                return FavouriteCheck(.fault, "\(file): \(favourite.stop): \(title): no such stop; correct `id`")
            case .keyRejected, .keyMissing, .noZone:
                return FavouriteCheck(.fault, "\(favourite.stop): \(error.detail)")
            case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .unreadable, .cancelled:
                return FavouriteCheck(.unknown, "\(favourite.stop): not checked: \(error.detail)")
            }
        }
    }

    /// Converts the result of a feed's source.
    static func check(at source: SourceCheck, of feed: FeedName) -> FavouriteCheck {
        let place = "\(feed): \(source.name)"
        switch source.outcome {
        case .ok(let text): return FavouriteCheck(.good, "\(place): good" + (text.isEmpty ? "" : ", \(text)"))
        case .fault(let text): return FavouriteCheck(.fault, "\(place): \(text)")
        case .failed(let failure):
            // Most sentences contain the source's name.
            let place = failure.detail.contains(source.name) ? "\(feed)" : place
            switch failure.kind {
            // Only a person who finds the right address can fix that.
            case .keyRejected, .keyMissing, .status(404), .status(410):
                return FavouriteCheck(.fault, "\(place): \(failure.detail)")
            default: return FavouriteCheck(.unknown, "\(place): not checked: \(failure.detail)")
            }
        }
    }

    /// Checks a key that only requests for trip details use: the board sends it only after a person opens a departure. Requests
    /// details of departures from the first stops that have any.
    ///
    /// - Parameter key: the name of the key.
    static func check(at key: String, from stops: [StopID], in feed: any DepartureFeed) async -> FavouriteCheck {
        do throws(FeedFailure) {
            for stop in stops {
                let departures = try await feed.departures(FeedRequest(stop: stop)).departures.filter {
                    $0.status != .cancelled
                }
                for departure in departures.prefix(maximumDepartures)
                where try await feed.tripDetails(of: departure) != nil {
                    return FavouriteCheck(.good, "\(key): good")
                }
            }
        } catch {
            return switch error.kind {
            case .keyRejected, .keyMissing, .noZone: FavouriteCheck(.fault, "\(key): \(error.detail)")
            default: FavouriteCheck(.unknown, "\(key): not checked: \(error.detail)")
            }
        }
        return FavouriteCheck(
            .unknown, "\(key): not checked: no departure with calling points now; try later")
    }

    private static func outcome(
        _ favourite: Favourite, of file: String, _ check: StopCheck, _ feed: FeedProfile
    ) -> FavouriteCheck {
        let lines = check.lines ?? []
        let missing = favourite.lines.filter { text in !lines.contains { $0.isCalled(text) } }
        guard let first = missing.first else {
            let found = [check.name, check.subject == .departures ? "departures received" : nil].compactMap(\.self)
            return FavouriteCheck(
                .good, (["\(favourite.stop): good"] + found).joined(separator: ", "), zone: check.zone)
        }
        let named = missing.map { "\"\($0)\"" }.joined(separator: ", ")
        guard !lines.isEmpty else {
            return FavouriteCheck(
                .unknown, "\(favourite.stop): good, but \(feed.title) lists no lines there; \(named) not checked")
        }
        let verb = missing.count == 1 ? "line \"\(first)\" does" : "lines \(named) do"
        let calling = lines.map(\.name).joined(separator: ", ")
        return FavouriteCheck(
            .fault, "\(file): \(favourite.stop): \(verb) not call there; correct `lines`. Lines there: \(calling)")
    }
}
