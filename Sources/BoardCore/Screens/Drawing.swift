/// The content of the display: a grapheme in every cell, and the state of the backlight.
public struct Frame: Hashable, Sendable {
    public let columns: Int
    /// The cells, row by row; every row has `columns` cells.
    public private(set) var rows: [[Character]]
    /// The texts that a display draws in twice the size if it can. In `rows` they are small, for the others.
    public private(set) var doubled: [DoubledText] = []
    /// Whether the backlight is on. The text stays on the display when it is off.
    public var isLit: Bool

    /// Cuts or pads each row to `columns`.
    public init(columns: Int, rows: [String], isLit: Bool = true) {
        self.columns = columns
        self.rows = rows.map { text in
            let cells = Array(text.prefix(columns))
            return cells + Array(repeating: " ", count: columns - cells.count)
        }
        self.isLit = isLit
    }

    public init(blank size: DisplaySize, isLit: Bool = true) {
        self.init(columns: size.columns, rows: Array(repeating: "", count: size.rows), isLit: isLit)
    }

    public var lines: [String] { rows.map { String($0) } }

    /// Puts `text` at a position, cut at the end of the row; ignores a row that does not exist.
    public mutating func put(_ text: some Sequence<Character>, row: Int, column: Int = 0) {
        guard rows.indices.contains(row) else { return }
        for (index, cell) in zip(column..., text) where rows[row].indices.contains(index) { rows[row][index] = cell }
    }

    /// Puts a text of twice the size at a position; the cells that it covers must be blank.
    ///
    /// - Parameter isAtEnd: whether the small text stands at the right end of these cells.
    public mutating func put(doubled text: String, row: Int, column: Int, isAtEnd: Bool = false) {
        doubled.append(DoubledText(text: text, row: row, column: column))
        put(text, row: row, column: isAtEnd ? column + text.count : column)
    }
}

/// A text of which each character covers 2x2 cells.
public struct DoubledText: Hashable, Sendable {
    public let text: String
    /// The cell at its top left.
    public let row: Int
    public let column: Int

    public var columns: Range<Int> { column..<column + 2 * text.count }
    public var rows: Range<Int> { row..<row + 2 }
}

/// The cells of a display.
public struct DisplaySize: Hashable, Sendable, CustomStringConvertible {
    public let columns: Int
    public let rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// As configuration writes it: `20x4`.
    public var description: String { "\(columns)x\(rows)" }

    /// Whether the board has a layout for it: 16 to 40 columns, 1 to 8 rows.
    public var fitsBoard: Bool { (16...40).contains(columns) && (1...8).contains(rows) }
}

/// A frame under construction. Everything it reads that depends on time also notes the instant of its next change, so
/// that the board is not redrawn before then.
struct Drawing {
    let board: Board
    let now: Instant
    let moment: Timestamp
    let words: Words
    /// Whether asterisks replace the digits of a pairing.
    let hidesCode: Bool
    var frame: Frame
    /// The earliest noted change.
    private(set) var until: Instant?

    init(of board: Board, at now: Instant, hidesCode: Bool = false) {
        self.board = board
        self.hidesCode = hidesCode
        self.now = now
        moment = board.clock.timestamp(at: now)
        words = board.words
        frame = Frame(blank: board.setup.size)
    }

    var size: DisplaySize { board.setup.size }

    var hasHeader: Bool { board.hasHeader }

    /// Whether a page of text keeps its title in the first row.
    var keepsTitle: Bool { size.rows > 2 }

    /// Notes that the frame may change at `instant`.
    mutating func changes(at instant: Instant?) {
        guard let instant, instant > now else { return }
        until = min(until ?? instant, instant)
    }

    /// Whether `end` is in the future; if so, notes it.
    mutating func isBefore(_ end: Instant?) -> Bool {
        guard let end, now < end else { return false }
        changes(at: end)
        return true
    }

    /// Notes that the frame may change at `moment`.
    mutating func changes(at moment: Timestamp?) { changes(at: moment.map(board.clock.instant(of:))) }

    /// Puts texts in rows from `first` on.
    mutating func put(_ rows: [String], from first: Int = 0) {
        for (row, text) in rows.enumerated() { frame.put(text, row: first + row) }
    }

    /// The phrase on one page.
    func page(_ forms: [String]) -> [String] { Text.page(forms, width: size.columns, rows: size.rows) }

    /// Fills the rows from `first` to before `end`, or to the last, with one phrase, broken at words.
    mutating func drawPage(_ forms: [String], from first: Int = 0, to end: Int? = nil) {
        let rows = (end ?? size.rows) - first
        put(Array(repeating: Text.left("", in: size.columns), count: rows), from: first)
        put(Text.page(forms, width: size.columns, rows: rows), from: first)
    }

    mutating func draw() {
        frame.isLit = !board.isDark(at: now)
        if !board.setup.options.quiet.isEmpty { changes(at: board.nextMinute(after: now)) }
        changes(at: board.isQuietHour(at: now) ? board.view.wokenUntil : nil)
        if let pairing = board.pairing, isBefore(pairing.until) {
            // Even in quiet hours: a person is waiting for the digits.
            frame.isLit = true
            draw(pairing)
        } else if let message = board.message, isBefore(message.until) {
            drawInTurns(Text.pages([message.text], width: size.columns, rows: size.rows), since: message.since)
        } else if isBefore(board.view.splashUntil) {
            drawSplash()
        } else if isBefore(board.view.addressUntil) {
            drawInTurns(addressPanels(under: words[.openInBrowser]))
        } else {
            drawView()
        }
    }

    private mutating func drawView() {
        if let favourite = board.favouriteInView, let detailPage = favourite.detailPage {
            let screens = screens(of: detailPage, in: favourite)
            put(screens[min(max(0, detailPage.screen), screens.count - 1)])
        } else if board.view.page == .address {
            drawInTurns(addressPanels(under: words[.openInBrowser]))
        } else if board.notice(at: now) == .noFavourites {
            drawFirstStart()
        } else {
            return drawRows()
        }
        if let prompt = prompt() { drawPage(prompt, to: 1) }
    }

    static let alertSign = "⚠ "
    static let aboutSign = "~"

    /// Shows the attributions that the operators' terms require, each whole; those without room are in `boardd status`.
    private mutating func drawSplash() {
        let used = board.setup.profiles.values.sorted { $0.name.description < $1.name.description }.filter { profile in
            board.favourites.contains { $0.favourite.stop.feed == profile.name }
        }
        let texts = used.map { Text.wrapped($0.attribution, width: size.columns) }
        let count = (0...used.count).last { texts.prefix($0).joined().count <= size.rows } ?? 0
        let text = texts.prefix(count).flatMap(\.self)
        put((text.count < size.rows ? ["boardd"] : []) + text)
    }
}

public struct RenderedFrame: Hashable, Sendable {
    public let frame: Frame
    /// The next instant at which the frame may change without an event; nil: never.
    public let until: Instant?
}

extension Board {
    /// The frame at `now`: a function of the board and the instant alone.
    ///
    /// - Parameter isRemote: whether the frame leaves the machine. The digits of a pairing are then hidden: they prove
    ///   that a person is at the display.
    public func render(at now: Instant, isRemote: Bool = false) -> RenderedFrame {
        var drawing = Drawing(of: self, at: now, hidesCode: isRemote)
        drawing.draw()
        return RenderedFrame(frame: drawing.frame, until: drawing.until)
    }

    /// The last frame, which stays on the display when the program ends.
    public func shutdownFrame(at now: Instant) -> Frame {
        var drawing = Drawing(of: self, at: now)
        drawing.frame.isLit = !isDark(at: now)
        drawing.drawPage(drawing.words(.stopped, time: drawing.time(of: drawing.moment)))
        return drawing.frame
    }
}
