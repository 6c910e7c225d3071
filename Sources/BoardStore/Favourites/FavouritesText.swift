internal import BoardCore

/// The text of favourites.toml in movable pieces: the lines before the first table, then each table with the lines between
/// it and the next.
///
/// A table's piece has the comment lines directly above its header, the header, its keys, and comment lines directly below
/// the last key. Other comments and blank lines belong to no table and keep their place.
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

    /// The line end of most lines of the file.
    let lineEnd: String
    /// The line of a favourite that is declared in a form that cannot be edited; nil: there is none.
    let unsupportedForm: Int?

    private let hasMark: Bool
    /// The lines before the first table.
    var head: [UInt8]
    var pieces: [Piece]

    var entries: [FavouriteEntry] { pieces.map(\.entry) }

    var bytes: [UInt8] {
        (hasMark ? SourceText.mark : []) + head + pieces.flatMap { $0.core + $0.gap }
    }

    /// What a file of this text contains: one line end where there is no text, since an empty file counts as lost.
    var nonemptyBytes: [UInt8] { bytes.isEmpty ? Array(lineEnd.utf8) : bytes }

    /// Parses a text; throws its first fault.
    init(_ raw: [UInt8], file: String, declarations: FeedDeclarations) throws(ConfigurationFault) {
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
        // The position of a list's value is its bracket; that of a list of tables with headers is the first header's word.
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

    /// The index of a stop among the tables; nil when it is not a favourite.
    func index(of stop: StopID) -> Int? {
        pieces.firstIndex { piece in
            if case .stop(let favourite) = piece.entry { favourite.stop == stop } else { false }
        }
    }

    /// The line of a stop; nil when it is not a favourite.
    func line(of stop: StopID) -> Int? {
        index(of: stop).map { pieces[$0].line }
    }
}
