internal import ArgumentParser
internal import BoardCore
internal import BoardStore

/// An option for each settable key of ``FavouriteField``.
///
/// ArgumentParser finds options by reflection, so the mirror lists those of the table.
struct FavouriteOptions: ParsableArguments, CustomReflectable {
    private var options: [Option<[[String]]>]

    init() {
        options = FavouriteField.settable.map { field in
            Option(
                wrappedValue: [], name: .customLong(field.name), parsing: .singleValue,
                help: ArgumentHelp(field.help ?? "", valueName: field.valueName),
                completion: field.words.isEmpty ? nil : .list(field.words),
                transform: { try Self.texts($0, of: field.name) })
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: zip(FavouriteField.settable, options).map { ("_" + $0.name, $1 as Any) })
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        options = try FavouriteField.settable.map { field in
            try container.decode(Option<[[String]]>.self, forKey: Key(stringValue: field.name))
        }
    }

    func encode(to encoder: any Encoder) throws {}

    /// Sets the values of the options on a favourite.
    func apply(to favourite: inout Favourite) throws(FavouriteFieldFault) {
        for (field, option) in zip(FavouriteField.settable, options) where !option.wrappedValue.isEmpty {
            // Of an option that is given twice, the last one counts, unless it may be repeated.
            let values = field.form == .textOrList ? option.wrappedValue : option.wrappedValue.suffix(1)
            try field.set(values.flatMap { $0 }, in: &favourite)
        }
    }

    /// The texts of an option: one, or for a list those between commas; none for "all". Duplicates are dropped, ignoring case.
    static func texts(_ text: String, of key: String) throws -> [String] {
        guard let field = FavouriteField.settable.first(where: { $0.name == key }) else { return [] }
        var texts = [text]
        if field.form == .list {
            var seen: Set<String> = []
            texts = text.split(separator: ",").map { $0.drop { $0 == " " } }.map { name in
                String(name.reversed().drop { $0 == " " }.reversed())
            }.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
            guard !texts.isEmpty else { throw ValidationError("Name at least one of the \(key), or write all.") }
            if texts.count == 1, texts[0].lowercased() == "all" { return [] }
        }
        do throws(FavouriteFieldFault) {
            var scratch = Favourite(stop: StopID(feed: FeedName(""), code: ""))
            try field.set(texts, in: &scratch)
        } catch {
            throw ValidationError("\(error).")
        }
        return texts
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue name: String) { stringValue = name }
        init?(intValue: Int) { nil }
    }
}
