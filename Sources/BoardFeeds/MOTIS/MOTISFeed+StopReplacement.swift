internal import BoardCore
internal import Synchronization

/// The current identifier of a stop whose configured one no longer exists.
struct MOTISStopReplacement: Hashable {
    let code: String
    let name: String
    /// When the configured identifier is tried again.
    var until: Instant
}

extension MOTISFeed {
    /// How long a replacement is used before the configured identifier is tried again: one that was missing for a night during
    /// a data update is back by then.
    private static let replacementTTL: Duration = .seconds(6 * 3_600)

    /// Fetches the departures of a stop, by its replacement if its own identifier no longer exists.
    func board(_ request: FeedRequest) async throws(FeedFailure) -> MOTISReply {
        let code = request.stop.code
        let replacement = learned.withLock { $0.replacements[code] }
        let isFresh = replacement.map { clock.now() < $0.until } ?? false
        if isFresh, let board = try await boardOfReplacement(request) { return board }
        let failure: FeedFailure
        do throws(FeedFailure) {
            let board = try await pages(of: code, request)
            learned.withLock { learned in
                learned.store(board.times.stopPlace, at: code)
                learned.replacements[code] = nil
            }
            if replacement != nil { log?(.completed("\(request.stop) is available again and used again")) }
            return board
        } catch {
            failure = error
        }
        // Whatever failed for the configured identifier, the replacement may still work.
        if let board = try await boardOfReplacement(request) { return board }
        guard failure.kind == .unknownStop, let last = stopPlace(of: request) else { throw failure }
        guard let match = try await match(for: code, last.name, at: last.place) else { throw failure }
        learned.withLock {
            $0.replacements[code] = MOTISStopReplacement(
                code: match.code, name: match.name, until: clock.now() + Self.replacementTTL)
        }
        guard let board = try await boardOfReplacement(request) else { throw failure }
        log?(
            .completed(
                "\(request.stop) is \(profile.name):\(match.code) now (\(match.name)): using that. "
                    + "Update the stop in favourites.toml"))
        return board
    }

    /// Fetches the departures by the replacement; nil if there is none, or it no longer exists either.
    private func boardOfReplacement(_ request: FeedRequest) async throws(FeedFailure) -> MOTISReply? {
        let code = request.stop.code
        guard let replacement = learned.withLock({ $0.replacements[code] }) else { return nil }
        do throws(FeedFailure) {
            let board = try await pages(of: replacement.code, request)
            learned.withLock { learned in
                guard clock.now() >= replacement.until else { return }
                learned.replacements[code]?.until = clock.now() + Self.replacementTTL
            }
            return board
        } catch {
            guard error.kind == .unknownStop else { throw error }
            _ = learned.withLock { $0.replacements.removeValue(forKey: code) }
            return nil
        }
    }

    /// The configured or cached name and coordinates of a stop; nil if unknown.
    func stopPlace(of request: FeedRequest) -> (name: String, place: Coordinates)? {
        let seen = learned.withLock { $0.places[request.stop.code] }
        guard let name = request.name ?? seen?.name, let place = request.location ?? seen?.location else {
            return nil
        }
        return (name, place)
    }

    /// The stop with this name near this place, as the replacement of `code`; nil if there is none. If the geocoder still lists
    /// `code`, it still exists, whatever `/stoptimes` reported.
    func match(
        for code: String, _ name: String, at place: Coordinates
    ) async throws(FeedFailure) -> MOTISMatch? {
        let matches = try await api.matches(name, near: place)
        guard !matches.contains(where: { $0.code == code }) else { return nil }
        return matches.filter { $0.isCalled(name) }
            .map { (match: $0, distance: place.distance(to: $0.coordinates)) }
            .filter { $0.distance <= Self.walkingDistance }
            .min { $0.distance < $1.distance }?.match
    }
}
