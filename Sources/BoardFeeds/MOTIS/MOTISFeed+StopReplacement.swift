internal import BoardCore
internal import Synchronization

/// Where a stop is found whose identifier is gone.
struct MOTISStopReplacement: Hashable {
    let code: String
    let name: String
    /// When the stop's own identifier is tried again.
    var until: Instant
}

extension MOTISFeed {
    /// How long a stop is asked for by another identifier before its own one is tried again: what was gone for a night while
    /// data were made anew is back by then.
    private static let trust: Duration = .seconds(6 * 3_600)

    /// Asks what departs, of a stop whose identifier is gone by the one that it has now.
    func board(_ question: FeedRequest) async throws(FeedFailure) -> MOTISReply {
        let code = question.stop.code
        var requestsSoFar = 0
        let replacement = known.withLock { $0.replacements[code] }
        let isTrusted = replacement.map { clock.now() < $0.until } ?? false
        if isTrusted, let board = try await boardOfReplacement(question, &requestsSoFar) { return board }
        let refusal: FeedFailure
        do throws(FeedFailure) {
            var board = try await pages(of: code, question)
            known.withLock { known in
                known.remember(board.times.stopPlace, at: code)
                known.replacements[code] = nil
            }
            if replacement != nil { log?(.completed("\(question.stop) is known again: the board goes on with that")) }
            board.requests += requestsSoFar
            return board
        } catch {
            refusal = error.addingRequests(requestsSoFar)
            requestsSoFar = refusal.requests
        }
        // Whatever is wrong with its own identifier, the other one has answered so far.
        if let board = try await boardOfReplacement(question, &requestsSoFar) { return board }
        guard refusal.kind == .unknownStop, let last = stopPlace(of: question) else { throw refusal }
        let match: MOTISMatch?
        do throws(FeedFailure) {
            match = try await self.match(for: code, last.name, at: last.place)
        } catch {
            throw error.addingRequests(requestsSoFar)
        }
        guard let match else { throw refusal.addingRequests(1) }
        requestsSoFar += 1
        known.withLock {
            $0.replacements[code] = MOTISStopReplacement(
                code: match.code, name: match.name, until: clock.now() + Self.trust)
        }
        guard let board = try await boardOfReplacement(question, &requestsSoFar) else {
            throw refusal.addingRequests(requestsSoFar - refusal.requests)
        }
        log?(
            .completed(
                "\(question.stop) is \(profile.name):\(match.code) by now (\(match.name)): the board goes on with that; "
                    + "write it into favourites.toml, lest it be looked for again after each start"))
        return board
    }

    /// Asks by the identifier that a stop has now; nil where none is known, or that one is gone, too.
    ///
    /// - Parameter spent: the requests that were needed so far; those of this question are added.
    private func boardOfReplacement(_ question: FeedRequest, _ requestsSoFar: inout Int) async throws(FeedFailure)
        -> MOTISReply?
    {
        let code = question.stop.code
        guard let replacement = known.withLock({ $0.replacements[code] }) else { return nil }
        do throws(FeedFailure) {
            var board = try await pages(of: replacement.code, question)
            board.requests += requestsSoFar
            known.withLock { known in
                guard clock.now() >= replacement.until else { return }
                known.replacements[code]?.until = clock.now() + Self.trust
            }
            return board
        } catch {
            let failure = error.addingRequests(requestsSoFar)
            guard failure.kind == .unknownStop else { throw failure }
            requestsSoFar = failure.requests
            _ = known.withLock { $0.replacements.removeValue(forKey: code) }
            return nil
        }
    }

    /// What a stop was called and where it was, as far as that was written down or answered; nil where nobody knows.
    func stopPlace(of question: FeedRequest) -> (name: String, place: Coordinates)? {
        let seen = known.withLock { $0.places[question.stop.code] }
        guard let name = question.name ?? seen?.name, let place = question.location ?? seen?.location else {
            return nil
        }
        return (name, place)
    }

    /// The stop that is called as one was whose identifier is gone, where that was; nil where there is none. What the
    /// geocoder still has under its own identifier is not gone, whatever was answered.
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

extension FeedFailure {
    /// The same failure after so many more requests.
    func addingRequests(_ more: Int) -> FeedFailure {
        FeedFailure(kind, detail: detail, requests: requests + more, retryAfter: retryAfter)
    }
}
