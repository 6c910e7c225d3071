import BoardCore
import BoardIO

/// The connection to LCDd, the server of the lcdproc project, which drives the display.
struct LCDdLink: DisplayLink {
    /// Lines that are not replies: about keys and menus, and whether the screen is shown.
    private static let notices: Set<Substring> = ["listen", "ignore", "key", "menuevent"]

    private let server: ServerAddress
    private let size: DisplaySize
    private let limit: Duration
    private var connection: LineConnection?
    /// What LCDd has; nil before the first frame, and for a re-synchronisation.
    private var shown: Frame?

    /// - Parameter limit: for one call, whatever it sends. LCDd responds within 0.1 s, its own time for a picture.
    init(server: ServerAddress, size: DisplaySize, limit: Duration = .seconds(2)) {
        self.server = server
        self.size = size
        self.limit = limit
    }

    mutating func connect(showing frame: Frame) throws(DeviceError) {
        let deadline = ContinuousClock.now + limit
        let connection = try LineConnection(to: server, until: deadline)
        try greet(connection, until: deadline)
        try request(LCDdCommand.setUp(rows: size.rows), connection, until: deadline)
        self.connection = connection
        shown = nil
        try update(frame, until: deadline)
    }

    mutating func update(_ frame: Frame) throws(DeviceError) {
        try update(frame, until: ContinuousClock.now + limit)
    }

    mutating func resync() throws(DeviceError) {
        guard let frame = shown else { return }
        shown = nil
        try update(frame)
    }

    mutating func disconnect() {
        connection = nil
    }

    private mutating func update(_ frame: Frame, until deadline: LineConnection.Deadline) throws(DeviceError) {
        guard let connection else { return }
        // Also notices that LCDd has ended when there is nothing to send.
        while let line = try connection.arrivedLine(until: deadline) {
            guard isNotice(line) else { throw unexpected(line) }
        }
        var commands = frame.rows.enumerated().prefix(size.rows).compactMap { row, cells in
            shown?.rows[row] == cells ? nil : LCDdCommand.text(cells, row: row)
        }
        if shown?.isLit != frame.isLit { commands.append(LCDdCommand.light(frame.isLit)) }
        try request(commands, connection, until: deadline)
        shown = frame
    }

    /// Begins the session, and compares the size of LCDd's display.
    private func greet(_ connection: LineConnection, until deadline: LineConnection.Deadline) throws(DeviceError) {
        try connection.send(LCDdCommand.hello, until: deadline)
        let greeting = try connection.line(until: deadline)
        guard let found = Self.size(in: greeting) else { throw unexpected(greeting) }
        guard found == size else {
            let remedy =
                found.fitsBoard
                ? "[display] size is \(size): set size = \"\(found)\""
                : "a board needs 16x1 to 40x8: use another display"
            throw DeviceError("the display of LCDd at \(server) is \(found), but \(remedy)")
        }
    }

    /// The size in "connect LCDproc 0.5.9 protocol 0.3 lcd wid 20 hgt 4 cellwid 5 cellhgt 8".
    private static func size(in greeting: String) -> DisplaySize? {
        let words = greeting.split(separator: " ")
        func number(after word: Substring) -> Int? {
            words.firstIndex(of: word).flatMap { words.dropFirst($0 + 1).first }.flatMap { Int($0) }
        }
        guard words.first == "connect", let columns = number(after: "wid"), let rows = number(after: "hgt") else {
            return nil
        }
        return DisplaySize(columns: columns, rows: rows)
    }

    /// Sends commands and reads the reply to each.
    private func request(
        _ commands: [[UInt8]], _ connection: LineConnection, until deadline: LineConnection.Deadline
    ) throws(DeviceError) {
        try connection.send(commands.flatMap { $0 }, until: deadline)
        var missing = commands.count
        while missing > 0 {
            let line = try connection.line(until: deadline)
            if isNotice(line) { continue }
            guard line == "success" else { throw unexpected(line) }
            missing -= 1
        }
    }

    private func isNotice(_ line: String) -> Bool {
        line.split(separator: " ", maxSplits: 1).first.isSomeAnd(Self.notices.contains)
    }

    private func unexpected(_ line: String) -> DeviceError {
        DeviceError(
            "unexpected reply from the server at \(server): \"\(String(line.prefix(80)).asPrintedLine)\". "
                + "Check that it is LCDd 0.5 or newer")
    }
}

/// The commands of LCDd's protocol 0.3 (lcdproc-dev, "The LCDd network protocol") used here: lines of ISO 8859-1.
enum LCDdCommand {
    private static let screen = "board"

    static let hello = Array("hello\n".utf8)

    /// Adds a screen, shown as long as the client is connected, with a text for each row. Each command has one reply.
    static func setUp(rows: Int) -> [[UInt8]] {
        let commands = [
            "client_set -name boardd", "screen_add \(screen)", "screen_set \(screen) -priority foreground",
            "screen_set \(screen) -heartbeat off",
        ]
        let widgets = (1...max(1, rows)).map { "widget_add \(screen) row\($0) string" }
        return (commands + widgets).map { Array("\($0)\n".utf8) }
    }

    /// Sets a row of text, counted from 0.
    static func text(_ cells: [Character], row: Int) -> [UInt8] {
        Array("widget_set \(screen) row\(row + 1) 1 \(row + 1) ".utf8) + quoted(cells) + [0x0A]
    }

    static func light(_ isLit: Bool) -> [UInt8] {
        Array("screen_set \(screen) -backlight \(isLit ? "on" : "off")\n".utf8)
    }

    /// A quoted text. It contains only printable characters of ISO 8859-1, and escapes the quote and the backslash, so
    /// that no text ends the argument or the line.
    static func quoted(_ cells: [Character]) -> [UInt8] {
        let quote: UInt8 = 0x22
        let backslash: UInt8 = 0x5C
        let bytes = cells.flatMap { cell -> [UInt8] in
            let code = latin1(cell.substitute { latin1($0) != nil }) ?? 0x3F
            return code == quote || code == backslash ? [backslash, code] : [code]
        }
        return [quote] + bytes + [quote]
    }

    /// The code of a printable character in ISO 8859-1, without the no-break space and the soft hyphen, which displays
    /// draw differently, and the tilde, which LCDd passes on to the usual ROM as it is: an arrow.
    private static func latin1(_ character: Character) -> UInt8? {
        let composed = character.unicodeScalars.count == 1 ? character.unicodeScalars.first : nil
        guard let value = composed?.value, (0x20..<0x7E).contains(value) || (0xA1...0xFF).contains(value), value != 0xAD
        else { return nil }
        return UInt8(value)
    }
}
