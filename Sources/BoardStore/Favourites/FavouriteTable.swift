internal import BoardCore

/// A `[[stop]]` table as a person would write it.
struct FavouriteTable {
    /// A key with what it says.
    struct Key: Hashable {
        /// The key.
        let name: String
        /// What it says; nil: it is not written, since that is its default.
        let value: Value?
    }

    /// What a key says.
    enum Value: Hashable {
        /// A text.
        case text(String)
        /// A list of texts.
        case list([String])
        /// Parts of a week: a text, or a list of more than one.
        case windows([WeeklyWindow])
    }

    /// Where a list is broken into several lines; the longest line that one reads with ease.
    private static let longestLine = 100

    /// The keys in the order of the table, which is that of the examples.
    static let names = ["id"] + keys(of: Favourite(stop: StopID(feed: FeedName(""), code: ""))).map(\.name)

    /// The table.
    let text: String

    /// The table of a favourite, without what is at its default and with its keys' signs in one column.
    init(_ favourite: Favourite, lineEnd: String) {
        let keys = [Key(name: "id", value: .text(favourite.stop.description))] + Self.keys(of: favourite)
        let pairs = keys.compactMap { key in key.value.map { (key.name, $0.written(lineEnd: lineEnd)) } }
        let width = pairs.map(\.0.count).max() ?? 0
        let lines = pairs.map { key, value in
            key + String(repeating: " ", count: width - key.count) + " = " + value
        }
        text = (["[[stop]]"] + lines).map { $0 + lineEnd }.joined()
    }

    /// Every key but the stop's, in the order of the table.
    static func keys(of favourite: Favourite) -> [Key] {
        func list(_ texts: [String]) -> Value? { texts.isEmpty ? nil : .list(texts) }
        return [
            Key(name: "label", value: favourite.label.map(Value.text)),
            Key(name: "lines", value: list(favourite.lines)),
            Key(name: "sort", value: favourite.sort == .time ? nil : .text(favourite.sort.rawValue)),
            Key(name: "walk", value: favourite.walk.map { .text($0.written) }),
            Key(
                name: "uncatchable",
                value: favourite.uncatchable == .hide ? nil : .text(favourite.uncatchable.rawValue)),
            Key(name: "towards", value: favourite.towards.map(Value.text)),
            Key(name: "platforms", value: list(favourite.platforms)),
            Key(name: "directions", value: list(favourite.directions)),
            Key(name: "when", value: favourite.when.isEmpty ? nil : .windows(favourite.when)),
            Key(name: "name", value: favourite.name.map(Value.text)),
            Key(name: "location", value: favourite.location.map { .text($0.description) }),
        ]
    }

    /// A text in double quotes.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }

    /// A text in the quotes of another one, by its first byte; in double quotes where it cannot stand in those.
    static func quoted(_ text: String, like sign: UInt8) -> String {
        sign == UInt8(ascii: "'") && !text.contains("'") ? "'\(text)'" : quoted(text)
    }

    /// A list of texts, on one line where it fits.
    static func list(_ texts: [String], lineEnd: String) -> String {
        let short = "[" + texts.map { quoted($0) }.joined(separator: ", ") + "]"
        guard short.count > longestLine - "platforms = ".count else { return short }
        var rows: [String] = []
        for text in texts.map({ quoted($0) }) {
            if let row = rows.last, row.count + text.count + 2 <= longestLine {
                rows[rows.count - 1] = "\(row) \(text),"
            } else {
                rows.append("    \(text),")
            }
        }
        return (["["] + rows).map { $0 + lineEnd }.joined() + "]"
    }
}

extension FavouriteTable.Value {
    /// As it is written where nothing stood before.
    func written(lineEnd: String) -> String {
        switch self {
        case .text(let text): FavouriteTable.quoted(text)
        case .list(let texts): FavouriteTable.list(texts, lineEnd: lineEnd)
        case .windows(let windows):
            if let only = windows.first, windows.count == 1 {
                FavouriteTable.quoted(only.written)
            } else {
                FavouriteTable.list(windows.map(\.written), lineEnd: lineEnd)
            }
        }
    }
}
