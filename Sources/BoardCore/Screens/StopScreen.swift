/// A page of departures, found once for a frame.
struct RowsPage {
    /// Nil: the overview.
    let favourite: FavouriteState?
    /// Those of the screen in view.
    let rows: [BoardRow]
    let screen: Int
    let screens: Int
    let sayings: [[String]]

    init(of board: Board, at now: Instant) {
        favourite = board.favouriteInView
        let rows = board.rows(of: favourite, at: now)
        screens = board.screens(of: rows.count)
        screen = min(board.view.screen, screens - 1)
        self.rows = Array(rows.dropFirst(screen * board.rowsPerScreen).prefix(board.rowsPerScreen))
        sayings = board.sayings(at: now)
    }
}

extension Drawing {
    /// A person reads a row in this time. Names, facts, texts of the first row and pages of a message take turns by it.
    static let beat = Duration.seconds(3)
    /// The beats of a row.
    static let beats = 3

    /// Draws a favourite's page or the overview: a row for each departure, or for each line and destination.
    mutating func drawRows() {
        if !hasHeader, let prompt = prompt() { return drawPage(prompt) }
        for favourite in board.favouritesInView {
            let walk = favourite.favourite.walk
            for row in favourite.data.rows {
                changes(at: row.nextDisappearance(after: now, clock: board.clock, walk: walk))
            }
            changes(at: board.nextInReach(of: favourite, after: now))
            noteNoticeChanges(of: favourite)
        }
        let page = RowsPage(of: board, at: now)
        if !hasHeader, drawPageBetweenRows(of: page) { return }
        if let reason = board.reasonForNoRows(at: now) {
            drawPage(forms(of: reason), from: hasHeader ? 1 : 0)
        } else {
            let lines = lines(of: page.rows, isOverview: page.favourite == nil)
            if board.setup.hasDoubleSize { drawDoubleSize(lines, of: page) } else { draw(lines, of: page) }
        }
        if hasHeader { drawHeader(of: page) }
    }

    private mutating func draw(_ lines: [DepartureLine], of page: RowsPage) {
        let layout = RowLayout(lines, columns: size.columns, names: board.streetNames)
        let (beat, cycle) = beat(of: page, texts: layout.rows.map(\.texts.count).max() ?? 0)
        for (index, row) in layout.rows.enumerated() {
            frame.put(row.cells(beat: beat, cycle: cycle), row: index + (hasHeader ? 1 : 0))
        }
    }

    /// The beat of the rows, and how often all have passed. The first stays while the display is dark or a button is
    /// down.
    ///
    /// - Parameter texts: the maximum number of texts that a row has for its turns.
    mutating func beat(of page: RowsPage, texts: Int) -> (beat: Int, cycle: Int) {
        guard texts > 1, board.setup.options.turns, !isPressed, !board.isDark(at: now) else { return (0, 0) }
        let length = rowBeats + (hasHeader || page.sayings.isEmpty ? 0 : 1)
        // Of two texts, the first has two beats: nothing changes between them.
        let elapsed = beatsSinceTurn { texts == 2 && $0 % length % Self.beats == 0 ? 2 : 1 }
        let cycles = (rowBeats + Self.beats - 1) / Self.beats
        let shown = elapsed % length
        return (shown % Self.beats, (board.view.rounds + elapsed / length) * cycles + shown / Self.beats)
    }

    /// The beats of a page before the next one, or before a page of text on one or two rows, has its turn.
    var rowBeats: Int {
        guard case .every(let period) = board.setup.options.rotation else { return Self.beats }
        return max(1, Int(period / Self.beat))
    }

    /// The beats since the page in view was opened, without the time of its title; notes when the next change is.
    ///
    /// - Parameter pause: the beats from one to the next change.
    mutating func beatsSinceTurn(pause: (Int) -> Int = { _ in 1 }) -> Int {
        let start = board.titledUntil ?? board.view.since
        let elapsed = max(0, Int((now - start).wholeMicroseconds / Self.beat.wholeMicroseconds))
        changes(at: start + Self.beat * (elapsed + pause(elapsed)))
        return elapsed
    }

    /// On one or two rows, draws a page instead of the rows, if one has its turn: the stop's name, or what there is to
    /// say. Nothing is painted over a departure.
    private mutating func drawPageBetweenRows(of page: RowsPage) -> Bool {
        if let favourite = page.favourite, isBefore(board.titledUntil) {
            let ends = orderForms(of: favourite).map { " " + $0 } + [""]
            drawPage(ends.map { heading(of: favourite) + "\n" + headerClock() + $0 })
            return true
        }
        let pages = page.sayings.flatMap { Text.pages($0, width: size.columns, rows: size.rows) }
        guard !pages.isEmpty, !board.isDark(at: now) else { return false }
        let (elapsed, length) = (beatsSinceTurn(), rowBeats + 1)
        guard elapsed % length == rowBeats else { return false }
        put(pages[(board.view.rounds + elapsed / length) % pages.count])
        return true
    }
}

extension Board {
    /// What the first row says besides the name, or a page between the rows: a notice, then the alerts, each in its
    /// forms.
    func sayings(at now: Instant) -> [[String]] {
        let drawing = Drawing(of: self, at: now)
        let shown = reasonForNoRows(at: now)
        let notice = notice(at: now).flatMap { $0.accompaniesRows && $0 != shown ? drawing.forms(of: $0) : nil }
        let alerts = favouritesInView.flatMap { self.alerts(of: $0, at: now) }.map { [Drawing.alertSign + $0.text] }
        return (notice.map { [$0] } ?? [])
            + alerts.enumerated().filter { alerts.firstIndex(of: $1) == $0 }.map(\.element)
    }

    /// Why the page in view has no departures at all, if one text says it; nil: it has some, or each stop has its own
    /// reason.
    func reasonForNoRows(at now: Instant) -> Notice? {
        let inView = favouritesInView
        guard !inView.contains(where: { $0.hasVisible(at: clock.timestamp(at: now)) }) else { return nil }
        guard let first = inView.first else { return notice(at: now) }
        let reason = notice(of: first, at: now)
        return inView.allSatisfy { notice(of: $0, at: now) == reason } ? reason : nil
    }

    /// All departures of the favourite in view as lines of text below its name and the clock; if there are none, the
    /// reason. They are as wide as the panel, or so wide that nothing takes turns.
    public func listing(at now: Instant) -> [String] {
        guard let favourite = favouriteInView else { return [] }
        var drawing = Drawing(of: self, at: now)
        let rows = favourite.visible(at: drawing.moment).map { BoardRow(favourite: favourite, departures: [$0]) }
        let reason = rows.isEmpty ? notice(at: now).map(drawing.forms(of:)) ?? [] : []
        var lines = drawing.lines(of: rows, isOverview: false)
        for (index, row) in rows.enumerated() {
            // A person who writes a favourite's `directions` needs them; on a display they would take turns.
            if let direction = row.shown?.departure.namedDirection { lines[index].facts.append([direction]) }
        }
        let unlimited = 1_000
        // One more for the second blank that a number in the middle keeps to the count.
        let spare = RowLayout(lines, columns: unlimited, names: streetNames).rows
            .map { $0.middleWidth - $0.texts[0].count - 1 }.min()
        let columns = max(setup.size.columns, unlimited - (spare ?? unlimited))
        let clock = drawing.headerClock()
        return [
            Text.left(drawing.heading(of: favourite).prefix(columns - clock.count - 1), in: columns - clock.count)
                + clock
        ] + Text.wrapped(reason.first ?? "", width: columns)
            + RowLayout(lines, columns: columns, names: streetNames).rows.map { $0.cells(beat: 0, cycle: 0) }
    }
}
