import BoardCore

/// The text of favourites.toml in movable pieces: the lines before the first table, then each table with the lines up
/// to the next.
///
/// A table's piece has the comment lines directly above its header, the header, its keys, and comment lines directly
/// below the last key. Other comments and blank lines belong to no table and keep their place.
struct FavouritesText {
    /// A table and the lines that follow it.
    struct Piece {
        var entry: FavouriteEntry
        /// The table's own lines.
        var core: [UInt8]
        /// Its comments on lines of their own, below the header.
        var comments: [UInt8] = []
        /// The lines up to the next table: none, or a blank one first.
        var gap: [UInt8]
        /// The line in the original file.
        let line: Int
    }

    /// The line end of most lines in the file.
    let lineEnd: String
    /// The line of a favourite in a form that cannot be edited; nil: there is none.
    let unsupportedForm: Int?

    private let hasMark: Bool
    /// The lines before the first table.
    var head: [UInt8]
    var pieces: [Piece]

    var entries: [FavouriteEntry] { pieces.map(\.entry) }

    var bytes: [UInt8] { (hasMark ? SourceText.mark : []) + head + pieces.flatMap { $0.core + $0.gap } }

    /// What to write to a file: one line end if there is no text, since an empty file counts as lost.
    var nonemptyBytes: [UInt8] { bytes.isEmpty ? Array(lineEnd.utf8) : bytes }

    /// Parses a text; throws its first fault.
    init(_ raw: [UInt8], file: String, declarations: FeedDeclarations) throws(SourceError) {
        hasMark = raw.starts(with: SourceText.mark)
        let lineEnd = Self.lineEnd(of: raw)
        self.lineEnd = lineEnd
        let isEnded = raw.isEmpty || raw.last == UInt8(ascii: "\n")
        let document = try TOMLDocument(SourceText(file: file, bytes: isEnded ? raw : raw + Array(lineEnd.utf8)))
        let collector = FaultCollector()
        let entries = FavouritesFile(document, declarations: declarations, into: collector).entries
        let first = SourcePosition(line: 0, column: 0)
        if let fault = collector.faults.min(by: { ($0.position ?? first) < ($1.position ?? first) }) { throw fault }

        let bytes = document.source.bytes
        let lists = ["stop", "nearby"].compactMap { document.root[$0] }
        // A list's value is at its bracket; that of a list of tables with headers is at the first header's word.
        unsupportedForm = lists.map(\.position.value.lowerBound).filter { bytes[$0] == UInt8(ascii: "[") }.min()
            .map { document.source.position(at: $0).line }
        if let line = unsupportedForm {
            // Only read, never edited.
            head = bytes
            pieces = entries.map { Piece(entry: $0, core: [], gap: [], line: line) }
            return
        }
        let tables = lists.flatMap { list -> [TOMLNode] in
            if case .list(let tables) = list.value { tables } else { [] }
        }
        let layout = TableLayout(tables.sorted { $0.position.key < $1.position.key }, in: bytes)
        head = Array(bytes[..<(layout.cores.first?.lowerBound ?? bytes.count)])
        pieces = zip(entries, layout.cores.indices).map { entry, index in
            let core = layout.cores[index]
            let next = index + 1 < layout.cores.count ? layout.cores[index + 1].lowerBound : bytes.count
            return Piece(
                entry: entry, core: Array(bytes[core]), comments: layout.comments(ofTable: index, in: bytes),
                gap: Array(bytes[core.upperBound..<next]),
                line: document.source.position(at: layout.keys[index]["id"]?.position.key ?? core.lowerBound).line)
        }
    }

    private static func lineEnd(of bytes: [UInt8]) -> String {
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        let returns = ends.filter { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") }
        return returns.count * 2 > ends.count ? "\r\n" : "\n"
    }

    /// The index of a stop among the tables; nil if it is not a favourite.
    func index(of stop: StopID) -> Int? {
        pieces.firstIndex { piece in
            if case .stop(let favourite) = piece.entry { favourite.stop == stop } else { false }
        }
    }

    /// The line of a stop; nil if it is not a favourite.
    func line(of stop: StopID) -> Int? { index(of: stop).map { pieces[$0].line } }
}

// Adding, changing, removing and moving tables.
extension FavouritesText {
    mutating func insert(_ favourite: Favourite, at index: Int) {
        if index == pieces.count {
            insert(favourite, after: index - 1)
        } else {
            let core = Array(FavouriteTable(favourite, lineEnd: lineEnd).text.utf8)
            insert(Piece(entry: .stop(favourite), core: core, gap: [], line: 0), before: index)
        }
    }

    /// Rewrites the table of a favourite. The comments above it, and those on lines of their own in it, stay.
    mutating func change(_ index: Int, to favourite: Favourite) {
        guard case .stop(let old) = pieces[index].entry, old != favourite else { return }
        let lines = Lines(pieces[index].core)
        let header = (0..<lines.count).first { !lines.isComment($0) } ?? 0
        let table = Array(FavouriteTable(favourite, lineEnd: lineEnd).text.utf8)
        pieces[index].core = pieces[index].core[..<lines.offset(of: header)] + table + pieces[index].comments
        pieces[index].entry = .stop(favourite)
        separateComments()
    }

    /// Removes a table with its own comments; detached lines above and below stay.
    mutating func remove(at index: Int) { _ = take(index) }

    mutating func move(from old: Int, to new: Int) {
        guard old != new else { return }
        // Computed before the table is removed.
        let between = separator
        let piece = take(old)
        if new > old {
            insert(piece, after: new - 1, between: between)
        } else {
            insert(piece, before: new, between: between)
        }
    }

    /// Inserts a stop directly below the table at `index`.
    mutating func insert(_ favourite: Favourite, after index: Int) {
        let core = Array(FavouriteTable(favourite, lineEnd: lineEnd).text.utf8)
        insert(Piece(entry: .stop(favourite), core: core, gap: [], line: 0), after: index)
    }

    /// Moves the table at `old` directly below the one at `index`.
    mutating func move(from old: Int, after index: Int) {
        guard old != index, old != index + 1 else { return }
        let between = separator
        let piece = take(old)
        insert(piece, after: index > old ? index - 1 : index, between: between)
    }

    /// The lines between two tables of this file: none if all of them are adjacent, a blank line otherwise.
    private var separator: [UInt8] {
        let isClose = pieces.count > 1 && pieces.dropLast().allSatisfy(\.gap.isEmpty)
        return isClose ? [] : Array(lineEnd.utf8)
    }

    /// Inserts a piece directly below another: after all of a section's tables, before the next section's title.
    private mutating func insert(_ new: Piece, after index: Int, between: [UInt8]? = nil) {
        var piece = new
        let between = between ?? separator
        if pieces.indices.contains(index) {
            piece.gap = pieces[index].gap
            pieces[index].gap = between
        } else if let last = head.isEmpty ? nil : Lines(head).count - 1, !Lines(head).isBlank(last) {
            head += Array(lineEnd.utf8)
        }
        pieces.insert(piece, at: index + 1)
        separateComments()
    }

    private mutating func insert(_ new: Piece, before index: Int, between: [UInt8]? = nil) {
        var piece = new
        piece.gap = between ?? separator
        pieces.insert(piece, at: index)
        separateComments()
    }

    /// Removes a piece and joins the lines around it.
    private mutating func take(_ index: Int) -> Piece {
        let piece = pieces.remove(at: index)
        let above = index == 0 ? head : pieces[index - 1].gap
        let isLast = index == pieces.count
        // Both sides have a blank line next to the table: one is enough.
        let isTop = index == 0 && above.isEmpty
        let below = isTop || !above.isEmpty ? Self.withoutFirstBlankLines(piece.gap) : piece.gap
        let joined = isLast && below.isEmpty ? Self.withoutLastBlankLines(above) : above + below
        if index == 0 { head = joined } else { pieces[index - 1].gap = joined }
        return piece
    }

    /// Separates a comment at the end of a table from the next table, which it would otherwise belong to.
    private mutating func separateComments() {
        for index in pieces.indices.dropLast() where pieces[index].gap.isEmpty {
            let lines = Lines(pieces[index].core)
            if lines.isComment(lines.count - 1) { pieces[index].gap = Array(lineEnd.utf8) }
        }
    }

    private static func withoutFirstBlankLines(_ bytes: [UInt8]) -> [UInt8] {
        let lines = Lines(bytes)
        let first = (0..<lines.count).first { !lines.isBlank($0) } ?? lines.count
        return Array(bytes[lines.offset(of: first)...])
    }

    /// Lines without trailing blank ones.
    static func withoutLastBlankLines(_ bytes: [UInt8]) -> [UInt8] {
        let lines = Lines(bytes)
        let count = (0..<lines.count).last { !lines.isBlank($0) }.map { $0 + 1 } ?? 0
        return Array(bytes[..<lines.offset(of: count)])
    }
}

// The favourites that the board shares with others.
extension FavouritesText {
    /// Gives the shared stops these values and this order. Other tables, and stops that stay, keep their text; a new or
    /// moved stop goes directly below its predecessor.
    mutating func setShared(_ favourites: [Favourite]) {
        let stops = Set(favourites.map(\.stop))
        for index in pieces.indices.reversed() {
            if let favourite = shared(at: index), !stops.contains(favourite.stop) { remove(at: index) }
        }
        let moved = favourites.map(\.stop).moved(from: entries.shared.map(\.stop))
        var predecessor: StopID?
        for favourite in favourites {
            let above = predecessor.flatMap(index(of:))
            predecessor = favourite.stop
            guard let old = index(of: favourite.stop) else {
                insert(favourite, below: above)
                continue
            }
            change(old, to: favourite)
            if moved.contains(favourite.stop) { move(from: old, below: above) }
        }
    }

    private func shared(at index: Int) -> Favourite? {
        guard case .stop(let favourite) = pieces[index].entry, favourite.isShared else { return nil }
        return favourite
    }

    /// Inserts a stop directly below a table; nil: above the first shared stop, or at the end if there is none.
    private mutating func insert(_ favourite: Favourite, below index: Int?) {
        if let index {
            insert(favourite, after: index)
        } else {
            insert(favourite, at: pieces.indices.first { shared(at: $0) != nil } ?? pieces.count)
        }
    }

    private mutating func move(from old: Int, below index: Int?) {
        if let index {
            move(from: old, after: index)
        } else if let first = pieces.indices.first(where: { shared(at: $0) != nil }), first < old {
            move(from: old, to: first)
        }
    }
}

/// The lines of each table in a text.
struct TableLayout {
    /// The byte ranges of the tables' own lines: the comment lines directly above the header, all up to the last key,
    /// and the comment lines directly below it.
    private(set) var cores: [Range<Int>] = []
    let keys: [[String: TOMLNode]]

    /// - Parameter tables: the tables in the order of the text, with a header each.
    init(_ tables: [TOMLNode], in bytes: [UInt8]) {
        keys = tables.map { table in
            guard case .table(let entries) = table.value else { return [:] }
            return Dictionary(entries.entries.map { ($0.key, $0.node) }) { first, _ in first }
        }
        let lines = Lines(bytes)
        let headers = tables.map { lines.index(of: $0.position.key) }
        let lastKeys = zip(keys, headers).map { keys, header in
            keys.values.map { lines.index(of: $0.position.value.upperBound - 1) }.max() ?? header
        }
        // A line of a multi-line string may look like a comment: the search never enters a table's own keys.
        var starts: [Int] = []
        for (index, header) in headers.enumerated() {
            let limit = index == 0 ? 0 : lastKeys[index - 1] + 1
            var start = header
            while start > limit, lines.isComment(start - 1) { start -= 1 }
            starts.append(start)
        }
        for (index, last) in lastKeys.enumerated() {
            let limit = index + 1 < starts.count ? starts[index + 1] : lines.count
            var end = last + 1
            while end < limit, lines.isComment(end) { end += 1 }
            cores.append(lines.offset(of: starts[index])..<lines.offset(of: end))
        }
    }

    /// The comments of a table on lines of their own below its header: not lines of a multi-line text.
    func comments(ofTable table: Int, in bytes: [UInt8]) -> [UInt8] {
        let texts = keys[table].values.compactMap { node in
            if case .text = node.value { node.position.value } else { nil }
        }
        let lines = Lines(bytes)
        let own = lines.index(of: cores[table].lowerBound)..<lines.index(of: cores[table].upperBound - 1) + 1
        return own.drop(while: lines.isComment).filter { line in
            lines.isComment(line) && !texts.contains { $0.contains(lines.offset(of: line)) }
        }.flatMap { bytes[lines.ranges[$0]] }
    }
}

/// A `[[stop]]` table in the style of the examples.
struct FavouriteTable {
    /// The maximum length of a line; a longer list is broken into several.
    private static let maximumLineLength = 100

    let text: String

    /// The table of a favourite without default values, with the equals signs in one column.
    init(_ favourite: Favourite, lineEnd: String) {
        let values = FavouriteField.all.map { ($0.name, Self.value($0, of: favourite, lineEnd)) }
        let pairs = ([("id", TOMLText.quoted(favourite.stop.description))] + values).filter { !$0.1.isEmpty }
        let width = pairs.map(\.0.count).max() ?? 0
        let lines = pairs.map { key, value in key + String(repeating: " ", count: width - key.count) + " = " + value }
        text = (["[[stop]]"] + lines).map { $0 + lineEnd }.joined()
    }

    /// The value of a key in TOML; empty: it is the default.
    private static func value(_ field: FavouriteField, of favourite: Favourite, _ lineEnd: String) -> String {
        let texts = field.textsUnlessDefault(favourite)
        guard let first = texts.first else { return "" }
        switch field.form {
        case .flag: return first
        case .text: return TOMLText.quoted(first)
        case .textOrList where texts.count == 1: return TOMLText.quoted(first)
        case .list, .textOrList: return list(texts, lineEnd: lineEnd)
        }
    }

    /// A list of texts, on one line if it fits.
    private static func list(_ texts: [String], lineEnd: String) -> String {
        let short = "[" + texts.map { TOMLText.quoted($0) }.joined(separator: ", ") + "]"
        guard short.count > maximumLineLength - "platforms = ".count else { return short }
        var rows: [String] = []
        for text in texts.map({ TOMLText.quoted($0) }) {
            if let row = rows.last, row.count + text.count + 2 <= maximumLineLength {
                rows[rows.count - 1] = "\(row) \(text),"
            } else {
                rows.append("    \(text),")
            }
        }
        return (["["] + rows).map { $0 + lineEnd }.joined() + "]"
    }
}
