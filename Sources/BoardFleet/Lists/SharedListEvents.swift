import BoardCore
import BoardService
import BoardStore

// What the caller reports.
extension SharedListState {
    /// Records the entries of favourites.toml.
    ///
    /// - Parameter entries: from a file without faults; nil: there is no file, which removes nothing from the list.
    mutating func loaded(_ entries: [FavouriteEntry]?, at time: ListTime) {
        let named = entries?.named ?? []
        let shared = named.filter(\.isShared).map { favourite in
            var favourite = favourite
            favourite.distance = nil
            return favourite
        }
        local = Set(named.filter { !$0.isShared }.map(\.stop))
        if membership == .member, entries != nil { record(from: favourites, to: shared, at: time) }
        if shared != favourites {
            favourites = shared
            isStorageDue = membership == .member
        }
        // A write that had no effect is not repeated at once, but after a reload by a person it is.
        if !isWriting { lastWrite = nil }
        isLoaded = true
        isWriting = false
        retryTime = nil
        decide(at: time)
    }

    /// Records that the list could not be written to favourites.toml; the write is retried later.
    ///
    /// - Parameter reason: such as ``FavouritesError/description``.
    mutating func writeFailed(_ reason: String, at time: ListTime) {
        isWriting = false
        retryTime = time.instant + Self.writeRetryDelay
        set(.write, "the favourites of the list \(name) could not be saved: \(reason)")
    }

    /// Records that the broker sends the messages of the list; repeated calls have no effect.
    mutating func connected(at time: ListTime) {
        guard !isConnected else { return }
        isConnected = true
        guard !isAnythingReceived else { return }
        // If two boards start at a broker without a list, the later one receives the first one's list.
        copyDeadline =
            time.instant + Self.retainedCopyTime + (membership == .member ? .zero : random(Self.publishDelay))
    }

    mutating func disconnected() {
        isConnected = false
        isListReceived = false
        isAnythingReceived = false
        isReplaced = false
        copyDeadline = nil
    }

    /// Merges a message. An empty one has no effect: the retained copy was removed.
    mutating func received(_ payload: [UInt8], isRetained: Bool, at time: ListTime) {
        guard !payload.isEmpty else { return }
        isAnythingReceived = true
        copyDeadline = nil
        do throws(PlainError) {
            let (copy, malformed) = try SharedList.read(payload)
            isListReceived = true
            set(.unreadable, malformed > 0 ? "list/\(name): skipped \(malformed) malformed parts" : nil)
            merge(copy, at: time)
        } catch {
            set(.unreadable, "list/\(name): the \(isRetained ? "retained " : "")message \(error)")
            // A board without the list would start with the unreadable copy. Once, so that two boards do not alternate.
            guard membership == .member, error == SharedList.unreadable, !isReplaced else { return }
            isReplaced = true
            publish(after: random(Self.publishDelay), at: time)
        }
    }

    /// Makes a board with favourites a member of the list.
    mutating func join(_ choice: FleetJoin, at time: ListTime) throws {
        guard membership != .member else { throw PlainError("this board shares the list \(name) already") }
        // This board's favourites may also replace an unreadable list.
        let isReplaced = choice == .board && isAnythingReceived
        guard isLoaded, membership == .waiting || isReplaced else {
            throw PlainError(
                "no list \(name) was received from the broker yet: check the connection with `boardd fleet`")
        }
        let listed = list.favourites
        become(.member)
        switch choice {
        case .list: break
        case .board: record(from: listed, to: favourites, at: time)
        case .both: record(from: listed, to: Self.union(listed, favourites), at: time)
        }
    }

    /// A list's favourites, then those that only a board has.
    private static func union(_ listed: [Favourite], _ own: [Favourite]) -> [Favourite] {
        let stops = Set(listed.map(\.stop))
        return listed + own.filter { !stops.contains($0.stop) }
    }
}

// What is wrong, as sentences.
extension SharedListState {
    /// What a sentence is about, in order of importance.
    enum Fault: Int, CaseIterable {
        case write, unreadable, waiting, problem, excess, ahead
    }

    /// Sentences about what is wrong now, the most important first.
    var faults: [String] { Fault.allCases.compactMap { faultTexts[$0] } }

    /// Whether part of the list is not applied or not shared.
    var hasFaultForDisplay: Bool { [.write, .unreadable, .problem, .excess].contains { faultTexts[$0] != nil } }

    /// Sets or removes a sentence; reports one that is new.
    mutating func set(_ fault: Fault, _ sentence: String?) {
        guard faultTexts[fault] != sentence else { return }
        faultTexts[fault] = sentence
        if let sentence { reports.append(sentence) }
    }

    mutating func setAhead(_ ahead: [FleetName: Duration], at instant: Instant) {
        if ahead.isEmpty {
            if let last = lastAhead, instant - last > Self.aheadPeriod { set(.ahead, nil) }
            return
        }
        lastAhead = instant
        // How far ahead it is differs in each message.
        guard faultTexts[.ahead] == nil else { return }
        let boards = ahead.sorted { $0.key < $1.key }.map {
            "\($0.key) (by \($0.value.writtenRoughly))"
        }
        set(
            .ahead,
            "list/\(name): changes with times ahead of this board's clock are ignored, from "
                + boards.joined(separator: ", ") + ": check the clocks")
    }

    /// Finds what favourites.toml may contain, and the faults of the list.
    mutating func check() {
        if !isChecked {
            isChecked = true
            let isMember = membership == .member
            var problems: [String] = []
            accepted = list.favourites.compactMap { favourite in
                guard !local.contains(favourite.stop) else { return nil }
                guard let problem = problem(favourite) else { return favourite }
                problems.append("\(favourite.stop): \(problem)")
                // Keeps what the file has: its absence would count as a removal.
                return favourites.first { $0.stop == favourite.stop }
            }
            problems += list.rejectedValues
            set(.problem, isMember ? problems.first.map { "list \(name): \($0); it is ignored" } : nil)
            let excess = isMember ? list.excess : []
            set(
                .excess,
                excess.first.map { stop in
                    "list \(name): \(excess.count) favourites from \(stop) on are not shared: a list has at most "
                        + "\(SharedList.maximumCount) stops and \(SharedList.maximumSize / 1_024) kB"
                })
        }
        if accepted == favourites { set(.write, nil) }
        let choice =
            "the list \(name) has \(list.stops.count) favourites and this board \(favourites.count): choose with "
            + "`boardd fleet join \(name)`"
        set(.waiting, membership == .waiting ? choice : nil)
    }
}
