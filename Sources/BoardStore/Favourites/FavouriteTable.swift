internal import BoardCore

/// A `[[stop]]` table as a person would write it.
struct FavouriteTable {
    /// Where a list is broken into several lines; the longest line that one reads with ease.
    private static let longestLine = 100

    /// The table.
    let text: String

    /// The table of a favourite, without what is at its default and with its keys' signs in one column.
    init(_ favourite: Favourite, lineEnd: String) {
        var pairs = [("id", Self.quoted(favourite.stop.description))]
        if let label = favourite.label { pairs.append(("label", Self.quoted(label))) }
        if !favourite.lines.isEmpty { pairs.append(("lines", Self.list(favourite.lines, lineEnd: lineEnd))) }
        if favourite.sort != .time { pairs.append(("sort", Self.quoted(favourite.sort.rawValue))) }
        if let walk = favourite.walk { pairs.append(("walk", Self.quoted(walk.written))) }
        if favourite.uncatchable != .hide { pairs.append(("uncatchable", Self.quoted(favourite.uncatchable.rawValue))) }
        if let towards = favourite.towards { pairs.append(("towards", Self.quoted(towards))) }
        for (key, texts) in [("platforms", favourite.platforms), ("directions", favourite.directions)] {
            if !texts.isEmpty { pairs.append((key, Self.list(texts, lineEnd: lineEnd))) }
        }
        let windows = favourite.when.map(\.written)
        if let only = windows.first {
            let isOne = windows.count == 1
            pairs.append(("when", isOne ? Self.quoted(only) : Self.list(windows, lineEnd: lineEnd)))
        }
        let width = pairs.map(\.0.count).max() ?? 0
        let lines = pairs.map { key, value in
            key + String(repeating: " ", count: width - key.count) + " = " + value
        }
        text = (["[[stop]]"] + lines).map { $0 + lineEnd }.joined()
    }

    /// A text in double quotes.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }

    /// A list of texts, on one line where it fits.
    static func list(_ texts: [String], lineEnd: String) -> String {
        let short = "[" + texts.map(quoted).joined(separator: ", ") + "]"
        guard short.count > longestLine - "platforms = ".count else { return short }
        var rows: [String] = []
        for text in texts.map(quoted) {
            if let row = rows.last, row.count + text.count + 2 <= longestLine {
                rows[rows.count - 1] = "\(row) \(text),"
            } else {
                rows.append("    \(text),")
            }
        }
        return (["["] + rows).map { $0 + lineEnd }.joined() + "]"
    }
}
