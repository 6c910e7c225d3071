extension Drawing {
    /// Draws the header over the first row: the name of a favourite (nil: of the overview) and, flush right, the clock
    /// and the refresh bar. After a press the position on the page takes their place; a changed order takes the clock's
    /// if there is no room for both next to the name.
    ///
    /// With one or two rows it is shown after a press or a change of page, and otherwise when the caption has its turn.
    mutating func drawHeader(
        of favourite: FavouriteState?, screens: Int, hasAlert: Bool = false, isCaptioned: Bool = false
    ) {
        guard hasHeader || isAnnouncing || isCaptioned else { return }
        let sign = hasAlert ? Self.alertSign + " " : ""
        let full = name(of: favourite, width: size.columns)
        let rights = headerEnds(of: favourite, screens: screens)
        let end = rights.first { full.count + sign.count + $0.count < size.columns } ?? rights[rights.count - 1]
        // On narrow panels the sign is next to the name.
        let (left, right) = end.isEmpty ? (sign, "") : ("", sign + end)
        let width = size.columns - left.count - right.count - (right.isEmpty ? 0 : 1)
        put(Text.ends(left + name(of: favourite, width: width), right, in: size.columns), row: 0)
    }

    /// The right end of the header, longest form first.
    private mutating func headerEnds(of favourite: FavouriteState?, screens: Int) -> [String] {
        if isAnnouncing, screens > 1 { return [position(min(board.view.screen, screens - 1), of: screens)] }
        let bar = hasHeader && board.setup.options.refreshBar == .cell ? String(refreshCell()) : ""
        let clock = headerClock() + bar
        var ends = [clock] + (hasHeader ? [] : [""])
        if let favourite, favourite.sort != favourite.favourite.sort {
            let sorted = names(of: favourite.sort).flatMap { Text.fill(words[.sorted], word: $0) }
            ends = sorted.map { $0 + " " + clock } + sorted.map { $0 + bar }
        }
        return isPressed ? ends.map { Self.pressed + $0 } : ends
    }

    private func name(of favourite: FavouriteState?, width: Int) -> String {
        favourite.map { nameAndDistance(of: $0, width: width) } ?? Text.choose(words[.allStops], width: width)
    }

    /// Whether the header has its turn on panels with one or two rows, a quarter of the time: it shows which of several
    /// stops this is, and that there is an alert.
    mutating func isCaptionTurn(hasAlert: Bool) -> Bool {
        guard !hasHeader, hasAlert || board.favourites.count > 1 else { return false }
        let turn = Self.captionEvery.wholeMicroseconds
        let elapsed = max(0, (now - board.view.since).wholeMicroseconds) % turn
        let hidden = turn - Board.announcement.wholeMicroseconds
        changes(at: now + .microseconds((elapsed < hidden ? hidden : turn) - elapsed))
        return elapsed >= hidden
    }

    private static let captionEvery = Duration.seconds(8)

    /// Whether there has just been a press or a change of page.
    var isAnnouncing: Bool {
        mutating get { isBefore(board.view.announcedUntil) || isPressed }
    }

    /// The position among others, counted from 0: "2 of 4"; "2/4" on narrow panels.
    func position(_ index: Int, of count: Int) -> String {
        let form = hasRoomForWords ? words.text(.position) : "%code/%word"
        return (isPressed ? Self.pressed : "") + Text.fill([form], code: "\(index + 1)", word: "\(count)").joined()
    }

    /// Precedes a position or the clock while a button is down, so that every press has a visible effect.
    static let pressed = "●"

    var isPressed: Bool { board.recognisers.contains(where: \.isDown) }

    /// Draws the refresh bar over the last row, if configured there.
    mutating func drawRefreshRow() {
        guard board.hasRefreshRow else { return }
        switch refresh(steps: size.columns) {
        case .failed(let left):
            put(
                Text.left(String(repeating: RefreshCells.failed, count: left), in: size.columns), row: size.rows - 1
            )
        case .draining(let left):
            put(Text.left(String(repeating: "█", count: left), in: size.columns), row: size.rows - 1)
        case .inFlight:
            put(Text.left("", in: size.columns), row: size.rows - 1)
        }
    }

    private mutating func refreshCell() -> Character {
        switch refresh(steps: RefreshCells.levels.count - 1) {
        case .failed: RefreshCells.failed
        case .draining(let left): RefreshCells.levels[left]
        case .inFlight: " "
        }
    }

    /// The remaining time to the next poll of the stops in view, from 1 to `steps`.
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

/// The cells of the refresh bar.
public enum RefreshCells {
    /// After a failed poll.
    public static let failed: Character = "×"
    /// From empty to a full cell.
    public static let levels: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
