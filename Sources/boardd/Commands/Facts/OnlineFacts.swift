import BoardCore
import BoardStore

// What an operator's responses show about the configuration.
extension Fact {
    /// How many departures of a stop are tried for trip details, since an operator may not have the details of some.
    private static let maximumDepartures = 3
    /// How many directions and destinations are named; tube stations have some ten.
    private static let maximumDirections = 12

    /// Whether a favourite's stop exists and its lines call there, with the zone of the stop if the operator reports it.
    /// Sends one request, and the one for its departures if it has directions.
    ///
    /// - Parameter place: the file that names the favourite, and the position there.
    static func stop(
        of favourite: Favourite, at place: String, from feed: any DepartureFeed
    ) async -> (fact: Fact, zone: Zone?) {
        let (stop, title) = ("\(favourite.stop)", feed.profile.title)
        do throws(FeedError) {
            let check = try await feed.check(favourite.stop)
            let lines = check.lines ?? []
            let missing = favourite.lines.filter { text in !lines.contains { $0.isCalled(text) } }
            guard !missing.isEmpty else {
                if let remark = try await directions(of: favourite, at: place, from: feed) {
                    return (remark, check.zone)
                }
                let found = [check.name, check.subject == .departures ? "departures received" : nil]
                return (.good(stop, found.compactMap(\.self).joined(separator: ", ")), check.zone)
            }
            let named = missing.map { "\"\($0)\"" }.joined(separator: ", ")
            let subject = "line\(missing.count == 1 ? "" : "s") \(named)"
            guard !lines.isEmpty else { return (.unknown(stop, "\(subject): \(title) lists no lines there"), nil) }
            let calling = lines.map(\.name).joined(separator: ", ")
            let verb = missing.count == 1 ? "does" : "do"
            let text = "\(subject) \(verb) not call there; correct `lines`. Lines there: \(calling)"
            return (.fault("\(place): \(stop)", text), nil)
        } catch {
            guard error.kind == .unknownStop else { return (Fact(error.verdict, stop, error.detail), nil) }
            // Without a successor, or if that cannot be requested, the unknown stop is reported.
            let now = try? await feed.finder?.successor(of: favourite.request)
            let advice = now.map { " now uses the ID \($0.id) (\($0.name)); set `id` to it" }
            return (.fault("\(place): \(stop)", title + (advice ?? ": no such stop; correct `id`")), nil)
        }
    }

    /// What to write instead of directions that no departure has now; nil: all are there, or there is no departure.
    private static func directions(
        of favourite: Favourite, at place: String, from feed: any DepartureFeed
    ) async throws(FeedError) -> Fact? {
        guard !favourite.directions.isEmpty else { return nil }
        let departures = try await feed.departures(favourite.request).departures
        let unknown = favourite.request.unknownDirections(among: departures)
        guard !unknown.isEmpty, !departures.isEmpty else { return nil }
        let named = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
        let there = Set(departures.compactMap(\.namedDirection)).sorted() + Set(departures.map(\.destination)).sorted()
        return Fact(
            .remark, "\(place): \(favourite.stop)",
            "no departure is in the direction or to the destination \(named) now. There are: "
                + there.prefix(maximumDirections).joined(separator: ", "))
    }

    /// A source that all stops of a feed need.
    ///
    /// - Parameter place: where a file names it; nil: none does.
    static func source(_ source: SourceCheck, of feed: FeedName, at place: String?) -> Fact {
        let name = "\(feed): \(source.name)"
        let position = place.map { "\($0): " } ?? ""
        switch source.outcome {
        case .ok(let text): return .good(name, text)
        case .fault(let text): return .fault(position + name, text)
        case .failed(let failure):
            // Most sentences contain the source's name.
            let name = failure.detail.contains(source.name) ? "\(feed)" : name
            // Only a person can find the right address.
            let isGone = [.status(404), .status(410)].contains(failure.kind)
            return isGone ? .fault(position + name, failure.detail) : Fact(failure.verdict, name, failure.detail)
        }
    }

    /// Whether a key is accepted that only requests for trip details use: the board sends it only after a person opens a
    /// departure. Requests details of departures from the first stops that have any.
    ///
    /// - Parameter key: the name of the key.
    static func detailsKey(_ key: String, from stops: [StopID], in feed: any DepartureFeed) async -> Fact {
        do throws(FeedError) {
            for stop in stops {
                let departures = try await feed.departures(FeedRequest(stop: stop)).departures.filter {
                    $0.status != .cancelled
                }
                for departure in departures.prefix(maximumDepartures)
                where try await feed.tripDetails(of: departure) != nil {
                    return .good(key, "")
                }
            }
            return .unknown(key, "no departure with calling points now; try later")
        } catch {
            return Fact(error.verdict, key, error.detail)
        }
    }
}
