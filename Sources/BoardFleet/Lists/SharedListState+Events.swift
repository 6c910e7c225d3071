internal import BoardCore
internal import BoardService
internal import BoardStore

// What the caller reports.
extension SharedListState {
    /// Records the entries of favourites.toml.
    ///
    /// - Parameter entries: of a file without faults; nil: there is no file, which removes nothing from the list.
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
        // A write without effect is not repeated at once; a reload by a person is.
        if !isWriting { lastWrite = nil }
        (isLoaded, isWriting, retryTime) = (true, false, nil)
        decide(at: time)
    }

    /// Records that the list could not be written into favourites.toml; it is tried again later.
    ///
    /// - Parameter reason: such as ``FavouritesFailure/description``.
    mutating func writeFailed(_ reason: String, at time: ListTime) {
        isWriting = false
        retryTime = time.instant + Self.writeRetryDelay
        set(.write, "the favourites of the list \(name) are not taken over: \(reason)")
    }

    /// Records that the broker sends the messages of the list; again without an effect.
    mutating func connected(at time: ListTime) {
        guard !isConnected else { return }
        isConnected = true
        guard !isAnythingReceived else { return }
        // Of two boards that start at a broker without a list, the later one receives the list of the first.
        copyDeadline =
            time.instant + Self.retainedCopyTime + (membership == .member ? .zero : random(Self.publishDelay))
    }

    mutating func disconnected() {
        isConnected = false
        (isListReceived, isAnythingReceived, isReplaced) = (false, false, false)
        copyDeadline = nil
    }

    /// Merges a message. An empty one has no effect: the retained copy was removed.
    mutating func received(_ payload: [UInt8], isRetained: Bool, at time: ListTime) {
        guard !payload.isEmpty else { return }
        isAnythingReceived = true
        copyDeadline = nil
        do throws(SharedListFault) {
            let (copy, malformed) = try SharedList.read(payload)
            isListReceived = true
            set(.unreadable, malformed > 0 ? "list/\(name): \(malformed) malformed values were passed over" : nil)
            merge(copy, at: time)
        } catch {
            set(.unreadable, "list/\(name): the \(isRetained ? "retained " : "")message \(error)")
            // A board without the list would start with the unreadable copy. Once, so that two boards do not alternate.
            guard membership == .member, error == .malformed, !isReplaced else { return }
            isReplaced = true
            publish(after: random(Self.publishDelay), at: time)
        }
    }

    /// Makes a board with favourites a member of the list.
    ///
    /// - Throws: ``SharedListJoinFailure``
    mutating func join(_ choice: FleetJoin, at time: ListTime) throws(SharedListJoinFailure) {
        guard membership != .member else { throw .alreadyMember(name) }
        // This board's favourites may also replace a list that is unreadable.
        let isReplaced = choice == .board && isAnythingReceived
        guard isLoaded, membership == .waiting || isReplaced else { throw .notReceived(name) }
        let listed = list.favourites
        become(.member)
        switch choice {
        case .list: break
        case .board: record(from: listed, to: favourites, at: time)
        case .both: record(from: listed, to: Self.union(listed, favourites), at: time)
        }
    }

    /// The favourites of a list and then those of a board; of a stop that both have, the list's values before the board's.
    private static func union(_ listed: [Favourite], _ own: [Favourite]) -> [Favourite] {
        let stops = Set(listed.map(\.stop))
        let both = listed.map { favourite in
            var favourite = favourite
            guard let other = own.first(where: { $0.stop == favourite.stop }) else { return favourite }
            for field in SharedList.favouriteFields where field.textsUnlessDefault(favourite).isEmpty {
                try? field.set(field.textsUnlessDefault(other), in: &favourite)
            }
            return favourite
        }
        return both + own.filter { !stops.contains($0.stop) }
    }
}
