internal import BoardCore

/// What an operator says of one favourite: whether the stop exists, and whether the lines of interest call there; or what
/// was found of a thing that all stops of a feed need.
struct FavouriteCheck: Hashable {
    /// What came of looking, as `boardd check` ends with it.
    enum Outcome: Hashable {
        /// Everything is there.
        case good
        /// A file must be changed.
        case fault
        /// Nobody could say.
        case unknown
    }

    /// What came of it.
    let outcome: Outcome
    /// The line that is printed: where, what was found, what to do.
    let text: String

    private init(_ outcome: Outcome, _ text: String) {
        self.outcome = outcome
        // One line a favourite, whatever an operator wrote into it.
        self.text = text.asPrintedLine
    }

    /// Asks the favourite's feed once.
    ///
    /// - Parameter file: the file that names the favourite.
    static func check(at favourite: Favourite, of file: String, in feed: any DepartureFeed) async -> FavouriteCheck {
        do throws(FeedFailure) {
            return outcome(favourite, of: file, calling: try await feed.lines(at: favourite.stop), feed.profile)
        } catch {
            if error.kind == .unknownStop, let now = await successor(of: favourite, in: feed) {
                return FavouriteCheck(
                    .fault,
                    "\(file): \(favourite.stop): \(feed.profile.title) knows it as \(now.id) (\(now.name)) by now; write that as `id`"
                )
            }
            return outcome(favourite, of: file, error, feed.profile)
        }
    }

    /// What a stop is by now whose identifier is gone.
    private static func successor(of favourite: Favourite, in feed: any DepartureFeed) async -> ListedStop? {
        do throws(FeedFailure) {
            return try await feed.finder?.successor(of: favourite.request)
        } catch {
            // That it is unknown is known.
            return nil
        }
    }

    /// What was found of a thing that a feed works from.
    static func check(at source: SourceCheck, of feed: FeedName) -> FavouriteCheck {
        let place = "\(feed): \(source.name)"
        switch source.outcome {
        case .ok(let text): return FavouriteCheck(.good, "\(place): good" + (text.isEmpty ? "" : ", \(text)"))
        case .fault(let text): return FavouriteCheck(.fault, "\(place): \(text)")
        case .failed(let failure):
            // Most sentences name it themselves.
            let place = failure.detail.contains(source.name) ? "\(feed)" : place
            switch failure.kind {
            // Nobody but a person who looks for the right address ends that.
            case .keyRejected, .keyMissing, .status(404), .status(410):
                return FavouriteCheck(.fault, "\(place): \(failure.detail)")
            default: return FavouriteCheck(.unknown, "\(place): could not look: \(failure.detail)")
            }
        }
    }

    private static func outcome(
        _ favourite: Favourite, of file: String, calling lines: [Line], _ feed: FeedProfile
    ) -> FavouriteCheck {
        let missing = favourite.lines.filter { text in !lines.contains { $0.isCalled(text) } }
        guard let first = missing.first else { return FavouriteCheck(.good, "\(favourite.stop): good") }
        let named = missing.map { "\"\($0)\"" }.joined(separator: ", ")
        guard !lines.isEmpty else {
            return FavouriteCheck(
                .unknown, "\(favourite.stop): good, but \(feed.title) names no lines there: \(named) cannot be checked")
        }
        let said = missing.count == 1 ? "line \"\(first)\" does" : "lines \(named) do"
        let calling = lines.map(\.name).joined(separator: ", ")
        return FavouriteCheck(
            .fault, "\(file): \(favourite.stop): \(said) not call there; correct `lines`. What calls: \(calling)")
    }

    private static func outcome(
        _ favourite: Favourite, of file: String, _ failure: FeedFailure, _ feed: FeedProfile
    ) -> FavouriteCheck {
        switch failure.kind {
        case .unknownStop:
            FavouriteCheck(
                .fault, "\(file): \(favourite.stop): \(feed.title) knows no such stop; correct `id`"
            )
        case .keyRejected, .keyMissing:
            FavouriteCheck(.fault, "\(favourite.stop): \(failure.detail)")
        case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .unreadable, .cancelled:
            FavouriteCheck(.unknown, "\(favourite.stop): could not look: \(failure.detail)")
        }
    }
}
