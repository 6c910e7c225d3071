internal import BoardCore

/// A `[[stop]]` table in the style of the examples.
struct FavouriteTable {
    /// The maximum length of a line before a list is broken into several.
    private static let maximumLineLength = 100

    let text: String

    /// The table of a favourite without default values, with the equals signs in one column.
    init(_ favourite: Favourite, lineEnd: String) {
        let values = FavouriteField.all.map { ($0.name, Self.value($0, of: favourite, lineEnd)) }
        let pairs = ([("id", TOMLText.quoted(favourite.stop.description))] + values).filter { !$0.1.isEmpty }
        let width = pairs.map(\.0.count).max() ?? 0
        let lines = pairs.map { key, value in
            key + String(repeating: " ", count: width - key.count) + " = " + value
        }
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

    /// A list of texts, on one line where it fits.
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
