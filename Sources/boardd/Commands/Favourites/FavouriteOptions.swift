internal import ArgumentParser
internal import BoardCore
internal import BoardService
internal import BoardStore

/// An option for each settable key of ``FavouriteField``.
///
/// ArgumentParser finds options by reflection, so the mirror lists those of the table.
struct FavouriteOptions: ParsableArguments, CustomReflectable {
    /// The options that may be repeated.
    private var repeatable: [String: Option<[[String]]>] = [:]
    private var single: [String: Option<[String]?>] = [:]

    init() {
        for field in FavouriteField.settable {
            let (name, key) = (NameSpecification.customLong(field.name), field.name)
            let help = ArgumentHelp(field.help ?? "", valueName: field.valueName)
            if field.form == .textOrList {
                repeatable[key] = Option(
                    wrappedValue: [], name: name, parsing: .singleValue, help: help,
                    transform: { try Self.texts($0, of: key) })
            } else {
                single[key] = Option(
                    name: name, help: help, completion: field.words.isEmpty ? nil : .list(field.words),
                    transform: { try Self.texts($0, of: key) })
            }
        }
    }

    var customMirror: Mirror {
        let options = Self.names.map { key -> (String, Any) in
            ("_" + key, repeatable[key].map { $0 as Any } ?? single[key] as Any)
        }
        return Mirror(self, children: options)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        for field in FavouriteField.settable {
            let key = AnyKey(field.name)
            if field.form == .textOrList {
                repeatable[field.name] = try container.decode(Option<[[String]]>.self, forKey: key)
            } else {
                single[field.name] = try container.decode(Option<[String]?>.self, forKey: key)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {}

    /// The values of the given options, by their keys; an empty list means the default.
    var values: [String: [String]] {
        var values = single.compactMapValues(\.wrappedValue)
        for (key, option) in repeatable where !option.wrappedValue.isEmpty {
            values[key] = option.wrappedValue.flatMap { $0 }
        }
        return values
    }

    /// The names of the options.
    static let names = FavouriteField.settable.map(\.name)

    /// Checks the name of an option.
    static func name(_ text: String) throws -> String {
        guard !names.contains(text) else { return text }
        let near = Spelling.nearest(to: text, of: names).map { "did you mean \($0)? " } ?? ""
        throw ValidationError("\"\(text)\" is no setting; \(near)Write one of \(names.joined(separator: ", ")).")
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
}
