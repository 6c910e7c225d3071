internal import BoardCore

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

    /// Writes the table of a favourite again. The comments above it, and those on lines of their own in it, stay.
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
    mutating func remove(at index: Int) {
        _ = take(index)
    }

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

    /// The lines between two tables of this file: none where all of them are adjacent, a blank line otherwise.
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
