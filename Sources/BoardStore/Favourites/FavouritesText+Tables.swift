internal import BoardCore

// Adding, removing and moving tables.
extension FavouritesText {
    /// Puts a new table at a place.
    mutating func insert(_ favourite: Favourite, at index: Int) {
        let core = Array(FavouriteTable(favourite, lineEnd: lineEnd).text.utf8)
        let piece = Piece(entry: .stop(favourite), core: core, gap: [], keys: [:], line: 0)
        if index == pieces.count {
            insert(piece, after: index - 1)
        } else {
            insert(piece, before: index)
        }
    }

    /// Takes a table out, with its own comments; what stands by itself above and below it stays.
    mutating func remove(at index: Int) {
        _ = take(index)
    }

    /// Puts a table in another place.
    mutating func move(from old: Int, to new: Int) {
        guard old != new else { return }
        // Asked before there is one table less to tell by.
        let between = separator
        let piece = take(old)
        if new > old {
            insert(piece, after: new - 1, between: between)
        } else {
            insert(piece, before: new, between: between)
        }
    }
}

// MARK: - Pieces

extension FavouritesText {
    /// What this file has between two tables: nothing where all of them stand close, a blank line otherwise.
    private var separator: [UInt8] {
        let isClose = pieces.count > 1 && pieces.dropLast().allSatisfy(\.gap.isEmpty)
        return isClose ? [] : Array(lineEnd.utf8)
    }

    /// Puts a piece below another one, close to it: after all of a section's tables, before the next section's title.
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
        keepCommentsApart()
    }

    /// Puts a piece above another one, close to it.
    private mutating func insert(_ new: Piece, before index: Int, between: [UInt8]? = nil) {
        var piece = new
        piece.gap = between ?? separator
        pieces.insert(piece, at: index)
        keepCommentsApart()
    }

    /// Takes a piece out and joins what stood around it.
    private mutating func take(_ index: Int) -> Piece {
        let piece = pieces.remove(at: index)
        let above = index == 0 ? head : pieces[index - 1].gap
        let isLast = index == pieces.count
        // Both stretches have a blank line at the table's side: one is enough.
        let isTop = index == 0 && above.isEmpty
        let below = isTop || !above.isEmpty ? Self.withoutFirstBlankLines(piece.gap) : piece.gap
        let joined = isLast && below.isEmpty ? Self.withoutLastBlankLines(above) : above + below
        if index == 0 { head = joined } else { pieces[index - 1].gap = joined }
        return piece
    }

    /// A comment at the end of a table would become the next one's, did that follow at once.
    private mutating func keepCommentsApart() {
        for index in pieces.indices.dropLast() where pieces[index].gap.isEmpty {
            let lines = Lines(pieces[index].core)
            if lines.isComment(lines.count - 1) { pieces[index].gap = Array(lineEnd.utf8) }
        }
    }

    private static func withoutFirstBlankLines(_ bytes: [UInt8]) -> [UInt8] {
        let lines = Lines(bytes)
        let kept = (0..<lines.count).first { !lines.isBlank($0) } ?? lines.count
        return Array(bytes[lines.offset(of: kept)...])
    }

    /// Lines without the blank ones at their end.
    static func withoutLastBlankLines(_ bytes: [UInt8]) -> [UInt8] {
        let lines = Lines(bytes)
        let kept = (0..<lines.count).last { !lines.isBlank($0) }.map { $0 + 1 } ?? 0
        return Array(bytes[..<lines.offset(of: kept)])
    }
}
