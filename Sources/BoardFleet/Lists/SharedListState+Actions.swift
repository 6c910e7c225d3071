internal import BoardCore
internal import BoardStore

// What the caller does.
extension SharedListState {
    /// The actions that are due; each is returned once.
    mutating func actions(at time: ListTime) -> [Action] {
        restampFuture(at: time)
        if let deadline = copyDeadline, deadline <= time.instant {
            copyDeadline = nil
            decide(at: time)
            if membership == .member { publish(after: random(Self.publishDelay), at: time) }
        }
        if let retry = retryTime, retry <= time.instant { (retryTime, lastWrite) = (nil, nil) }
        check()
        var actions = reports.map(Action.report)
        reports = []
        if isConnected, copyDeadline == nil, let due = publishTime, due <= time.instant {
            publishTime = nil
            if membership == .member, !list.entries.isEmpty { actions.append(.publish(list.payload)) }
        }
        guard isStorageDue || isWriteDue, !isWriting, pace.next.map({ $0 <= time.instant }) ?? true else {
            return actions
        }
        pace.wrote(at: time.instant)
        // Before the file of favourites: after a power failure between the two, a change of another board would count as one of this
        // board.
        if isStorageDue {
            isStorageDue = false
            actions.append(.store(StoredSharedList(name: name, list: list, favourites: favourites)))
        }
        if isWriteDue {
            (lastWrite, isWriting) = (write, true)
            actions.append(write)
        }
        return actions
    }

    mutating func publish(after delay: Duration, at time: ListTime) {
        let due = time.instant + delay
        publishTime = publishTime.map { min($0, due) } ?? due
    }

    mutating func record(from old: [Favourite], to new: [Favourite], at time: ListTime) {
        var changed = list
        changed.record(from: old, to: new, local: local) { clock.next(at: time) }
        guard changed != list else { return }
        list = time.isCertain ? changed.pruned(at: time.timestamp) : changed
        isStorageDue = true
        // No other board has it: no reason to wait.
        publish(after: .zero, at: time)
    }

    mutating func merge(_ copy: SharedList, at time: ListTime) {
        let (current, ahead) = copy.withoutFuture(at: time)
        setAhead(ahead, at: time.instant)
        if let latest = current.latest { clock.observe(latest) }
        let merged = list.merged(with: current).withoutExcessiveRemovals
        guard !merged.isTooLarge || list.isTooLarge else {
            return set(
                .unreadable,
                "list/\(name): a message is not used: with it the list has more than \(SharedList.maximumMergedCount) stops, or "
                    + "\(SharedListFile.maximumFields) values of a stop")
        }
        let new = time.isCertain ? merged.pruned(at: time.timestamp) : merged
        if new != list {
            list = new
            isStorageDue = membership == .member
        }
        decide(at: time)
        guard membership == .member else { return }
        if copy.includes(list.published) {
            publishTime = nil
        } else {
            publish(after: random(Self.publishDelay), at: time)
        }
    }

    mutating func restampFuture(at time: ListTime) {
        guard membership == .member, let latest = list.latest, HybridClock.isAhead(latest, at: time) else { return }
        list.restampFuture(at: time, stamp: clock.next(at: time))
        isStorageDue = true
        publish(after: .zero, at: time)
        reports.append("list \(name): changes with times ahead of the synchronised clock got the time now")
    }

    /// Decides whether the board becomes a member.
    mutating func decide(at time: ListTime) {
        guard isLoaded, membership != .member else { return }
        if isListReceived {
            let listed = list.favourites.filter { !local.contains($0.stop) }
            become(favourites.isEmpty || favourites == listed ? .member : .waiting)
        } else if isConnected, copyDeadline == nil, !isAnythingReceived {
            // The broker has no list.
            become(.member)
            record(from: [], to: favourites, at: time)
        }
    }

    mutating func become(_ membership: Membership) {
        self.membership = membership
        isChecked = false
        isStorageDue = membership == .member
    }
}
