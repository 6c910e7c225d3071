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
        let options = FavouriteField.settable.map(\.name).map { key -> (String, Any) in
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

    /// Sets the values of the options on a favourite.
    func apply(to favourite: inout Favourite) throws(FavouriteFieldFault) {
        for field in FavouriteField.settable {
            let texts = repeatable[field.name]?.wrappedValue.flatMap { $0 } ?? single[field.name]?.wrappedValue
            if let texts, !texts.isEmpty { try field.set(texts, in: &favourite) }
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
}
