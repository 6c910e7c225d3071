internal import BoardCore

/// The text of favourites.toml in pieces that can be moved about: what stands before the first table, then each table
/// with what stands between it and the next.
///
/// A table's piece is the comment lines directly above its header, the header, its keys, and comment lines directly below
/// the last of them. Blank lines and comments that stand by themselves belong to no table: they stay where they are.
struct FavouritesText {
    /// A table and what follows it.
    struct Piece {
        /// What it says.
        var entry: FavouriteEntry
        /// Its own lines.
        var core: [UInt8]
        /// The lines up to the next table: none, or a blank one first.
        var gap: [UInt8]
        /// Where its keys stand in ``core``.
        var keys: [String: TOMLNode]
        /// Its line in the file that was read.
        let line: Int
    }

    /// What some editors put before a text in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How lines end: as most of the file's do.
    let lineEnd: String
    /// The line of a favourite that is declared in a form that is not edited; nil: there is none.
    let unsupportedForm: Int?

    private let hasMark: Bool
    /// What stands before the first table.
    var head: [UInt8]
    /// The tables.
    var pieces: [Piece]

    /// What the text says.
    var entries: [FavouriteEntry] { pieces.map(\.entry) }

    /// The text.
    var bytes: [UInt8] {
        (hasMark ? Self.mark : []) + head + pieces.flatMap { $0.core + $0.gap }
    }

    /// Takes a text apart; throws its first fault.
    init(_ raw: [UInt8], file: String, declarations: FeedDeclarations) throws(ConfigurationFault) {
        hasMark = raw.starts(with: Self.mark)
        let lineEnd = Self.lineEnd(of: raw)
        self.lineEnd = lineEnd
        let isEnded = raw.isEmpty || raw.last == UInt8(ascii: "\n")
        let document = try TOMLDocument(SourceText(file: file, bytes: isEnded ? raw : raw + Array(lineEnd.utf8)))
        let collector = FaultCollector()
        let entries = FavouritesFile(document, declarations: declarations, into: collector).entries
        let first = SourcePosition(line: 0, column: 0)
        if let fault = collector.faults.min(by: { ($0.place ?? first) < ($1.place ?? first) }) { throw fault }

        let bytes = document.source.bytes
        let lists = ["stop", "nearby"].compactMap { document.root[$0] }
        // The place of a list's value is its bracket, that of a list of tables with headers the first header's word.
        unsupportedForm = lists.map(\.place.value.lowerBound).filter { bytes[$0] == UInt8(ascii: "[") }.min()
            .map { document.source.place(at: $0).line }
        let tables = lists.flatMap { list -> [TOMLNode] in
            if case .list(let tables) = list.value { tables } else { [] }
        }
        let layout = TableLayout(tables.sorted { $0.place.key < $1.place.key }, in: bytes)
        head = Array(bytes[..<(layout.cores.first?.lowerBound ?? bytes.count)])
        pieces = zip(entries, layout.cores.indices).map { entry, index in
            let core = layout.cores[index]
            let next = index + 1 < layout.cores.count ? layout.cores[index + 1].lowerBound : bytes.count
            return Piece(
                entry: entry, core: Array(bytes[core]), gap: Array(bytes[core.upperBound..<next]),
                keys: layout.keys[index].mapValues { $0.moved(by: -core.lowerBound) },
                line: document.source.place(at: layout.keys[index]["id"]?.place.key ?? core.lowerBound).line)
        }
    }

    private static func lineEnd(of bytes: [UInt8]) -> String {
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        let returns = ends.filter { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") }
        return returns.count * 2 > ends.count ? "\r\n" : "\n"
    }
}

// MARK: - Finding

extension FavouritesText {
    /// The place of a stop among the tables, from 0; nil when it is no favourite.
    func index(of stop: StopID) -> Int? {
        pieces.firstIndex { piece in
            if case .stop(let favourite) = piece.entry { favourite.stop == stop } else { false }
        }
    }

    /// The line in which a stop is named; nil when it is no favourite.
    func line(of stop: StopID) -> Int? {
        index(of: stop).map { pieces[$0].line }
    }
}
