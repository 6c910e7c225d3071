extension Drawing {
    /// Draws the header of panels with more than two rows: name, position, clock and the refresh bar. Of
    /// the names, longest first, the last is cut if necessary; `!` before the clock means alerts.
    mutating func drawHeader(_ names: [String], screens: Int, hasAlert: Bool = false) {
        var right = (hasAlert ? "! " : "") + headerClock()
        if board.setup.options.refreshBar == .cell { right.append(refreshCell()) }
        let isAnnounced = isBefore(board.view.announcedUntil) || isPressed
        if board.view.screen > 0 && screens > 1 || isAnnounced {
            right = position(min(board.view.screen, screens - 1), of: screens) + " " + right
        }
        let name = Text.choose(names, width: size.columns - right.count - 1)
        put(Text.ends(name, right, in: size.columns), row: 0)
    }

    /// Draws the announcement after a change: panels with two rows or one have no header and use all for it briefly.
    mutating func drawAnnouncement(_ name: String, order: SortOrder, screens: Int) -> Bool {
        guard !hasHeader, isBefore(board.view.announcedUntil) || isPressed else { return false }
        let position = position(min(board.view.screen, screens - 1), of: screens)
        let sorted = Text.choose(Text.fill(words.sorted, word: self.name(of: order)), width: size.columns - 7)
        put(Text.ends(name, position, in: size.columns), row: 0)
        put(Text.ends(sorted, headerClock(), in: size.columns), row: 1)
        return true
    }

    /// The position among others, counted from 0: `2/4`, and `>2/4` while a button is down, so that every press has a
    /// visible effect.
    func position(_ index: Int, of count: Int) -> String {
        (isPressed ? ">" : "") + "\(index + 1)/\(count)"
    }

    private var isPressed: Bool { board.recognisers.contains(where: \.isDown) }

    /// Draws the refresh bar over the last row, if configured there.
    mutating func drawRefreshRow() {
        guard board.hasRefreshRow else { return }
        switch refresh(steps: size.columns) {
        case .failed(let left):
            put(
                Text.left(String(repeating: Glyph.pollFailed, count: left), in: size.columns), row: size.rows - 1
            )
        case .draining(let left):
            put(Text.left(String(repeating: "█", count: left), in: size.columns), row: size.rows - 1)
        case .inFlight:
            put(Text.left("", in: size.columns), row: size.rows - 1)
        }
    }

    private mutating func refreshCell() -> Character {
        switch refresh(steps: Glyph.bar.count - 1) {
        case .failed: Glyph.pollFailed
        case .draining(let left): Glyph.bar[left]
        case .inFlight: " "
        }
    }

    /// The remaining time to the next poll of the stops in view, in 1 … `steps`.
    private mutating func refresh(steps: Int) -> RefreshState {
        let waits = board.stopsInView.map { (stop: $0, wait: board.plan.wait(of: $0, at: now)) }
        let isFailing = waits.contains { waiting in
            board.favourites.contains { $0.favourite.stop == waiting.stop && $0.data.status.isFailing }
        }
        let soonest = waits.compactMap(\.wait).min { $0.until < $1.until }
        guard let soonest, soonest.until > now, soonest.until > soonest.from else {
            return isFailing ? .failed(steps) : .inFlight
        }
        let whole = (soonest.until - soonest.from).wholeMicroseconds
        let left = (soonest.until - now).wholeMicroseconds
        let step = max(1, whole / Int64(steps))
        let level = min(steps, Int((left + step - 1) / step))
        if !isFailing || board.hasRefreshRow {
            changes(at: soonest.until - .microseconds(step * Int64(level - 1)))
        }
        return isFailing ? .failed(level) : .draining(level)
    }
}

private enum RefreshState {
    /// The steps left until the next poll.
    case draining(Int)
    /// The last poll failed; the steps left until the next.
    case failed(Int)
    case inFlight
}
