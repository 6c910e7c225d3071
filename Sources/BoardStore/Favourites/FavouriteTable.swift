internal import BoardCore

/// A `[[stop]]` table in the style of the examples.
struct FavouriteTable {
    struct Key: Hashable {
        let name: String
        /// nil: the value is the default and is not written.
        let value: Value?
    }

    enum Value: Hashable {
        case text(String)
        case list([String])
        /// A text, or a list of more than one.
        case textOrList([String])
        case flag(Bool)

        /// The value in TOML, without a predecessor whose form it follows.
        func written(lineEnd: String) -> String {
            switch self {
            case .text(let text): TOMLText.quoted(text)
            case .flag(let flag): "\(flag)"
            case .textOrList(let texts) where texts.count == 1: TOMLText.quoted(texts[0])
            case .list(let texts), .textOrList(let texts): FavouriteTable.list(texts, lineEnd: lineEnd)
            }
        }
    }

    /// The maximum length of a line before a list is broken into several.
    private static let maximumLineLength = 100

    /// The keys in the order of the table and of the examples.
    static let names = ["id"] + FavouriteField.all.map(\.name)

    let text: String

    /// The table of a favourite without default values, with the equals signs in one column.
    init(_ favourite: Favourite, lineEnd: String) {
        let keys = [Key(name: "id", value: .text(favourite.stop.description))] + Self.keys(of: favourite)
        let pairs = keys.compactMap { key in key.value.map { (key.name, $0.written(lineEnd: lineEnd)) } }
        let width = pairs.map(\.0.count).max() ?? 0
        let lines = pairs.map { key, value in
            key + String(repeating: " ", count: width - key.count) + " = " + value
        }
        text = (["[[stop]]"] + lines).map { $0 + lineEnd }.joined()
    }

    /// Every key except `id`, in the order of the table.
    static func keys(of favourite: Favourite) -> [Key] {
        FavouriteField.all.map { field in
            let texts = field.textsUnlessDefault(favourite)
            return Key(
                name: field.name,
                value: texts.first.map { first in
                    switch field.form {
                    case .text: .text(first)
                    case .list: .list(texts)
                    case .textOrList: .textOrList(texts)
                    case .flag: .flag(first == "true")
                    }
                })
        }
    }

    /// A text in the given quotes; in double quotes where single quotes cannot contain it.
    static func quoted(_ text: String, quote: UInt8) -> String {
        quote == UInt8(ascii: "'") && !text.contains("'") ? "'\(text)'" : TOMLText.quoted(text)
    }

    /// A list of texts, on one line where it fits.
    static func list(_ texts: [String], lineEnd: String) -> String {
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
