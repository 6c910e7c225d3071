public import BoardCore

/// A key of a favourite: its name, notation, checks and default, for favourites.toml, JSON and the command line alike.
public struct FavouriteField: Sendable {
    /// The notation of a value. JSON writes ``list`` and ``textOrList`` as a list.
    public enum Form: Sendable {
        case text
        case list
        /// In favourites.toml a single text needs no brackets; on a command line the option is repeated.
        case textOrList
        /// A boolean in favourites.toml.
        case flag
    }

    public let name: String
    public let form: Form
    /// The help of the command's option; nil: the key is only in favourites.toml.
    public let help: String?
    /// The placeholder of the value in the help.
    public let valueName: String
    /// The allowed words; empty: any text that passes the checks.
    public let words: [String]
    /// The value as written; empty: none.
    public let texts: @Sendable (Favourite) -> [String]
    /// Reads a value for a favourite.
    let kind: ValueKind<@Sendable (inout Favourite) -> Void>
    private let clear: @Sendable (inout Favourite) -> Void

    /// The keys of a `[[stop]]` table after `id`, in the order of the table.
    public static let all: [FavouriteField] = [
        text("label", \.label, .text, "text", "Its name on the display; the operator's name by default."),
        list("lines", \.lines, ["73", "390"], "The lines on the board, such as 73,390; all by default."),
        word("sort", \.sort, "order", "The order of its rows until a press changes it: time, line or destination."),
        text(
            "walk", \.walk, .minutes(Favourite.walks), written: \.written, "duration",
            "The walking time to the stop in minutes, such as 7; none by default."),
        FavouriteField(
            "towards", .textOrList, .texts(example: "[\"PAD\", \"RDG\"]", mayBeOne: true), "stop",
            "Rail: only trains that also call at this stop: its code, feed:code, or its name; may be repeated.",
            texts: { $0.towards }, set: { $0.towards = $1 ?? [] }),
        list(
            "platforms", \.platforms, ["3", "4"], "Only departures from these platforms, such as 3,4; all by default."),
        list(
            "directions", \.directions, ["inbound"],
            "Only departures in these directions or to these destinations, in the operator's words, such as "
                + "inbound,Heathrow; all by default."),
        FavouriteField(
            "when", .textOrList, .windows, "hours",
            "Show it only then, such as \"weekdays 06:30-09:30\"; may be repeated.",
            texts: { $0.when.map(\.written) }, set: { $0.when = $1 ?? [] }),
        FavouriteField(
            "shared", .flag, .boolean, "", nil, texts: { [$0.isShared ? "true" : "false"] },
            set: { $0.isShared = $1 ?? true }), text("name", \.name, .text),
        text("location", \.location, .coordinates, written: \.description),
    ]

    /// The keys that commands and the API can set, too.
    public static let settable = all.filter { $0.help != nil }

    /// The value as written; empty if it is the default.
    public func textsUnlessDefault(_ favourite: Favourite) -> [String] {
        let texts = texts(favourite)
        return texts == self.texts(Favourite(stop: favourite.stop)) ? [] : texts
    }

    /// Sets the value from its texts; from no texts, the default.
    ///
    /// - Throws: ``FavouritesError/invalid(_:_:)`` for a value that favourites.toml may not contain.
    public func set(_ texts: [String], in favourite: inout Favourite) throws(FavouritesError) {
        guard let first = texts.first else { return clear(&favourite) }
        let node: TOMLNode =
            switch form {
            case .text: TOMLNode(text: first)
            case .flag: TOMLNode(flag: first)
            case .list, .textOrList: TOMLNode(list: texts.map { TOMLNode(text: $0) })
            }
        do throws(ValueError) {
            try kind.read(node)(&favourite)
        } catch {
            let message = error.all.first?.message(key: name, allowed: kind.allowed)
            throw .invalid(kind.rule(of: name), message ?? "\(name) is invalid")
        }
    }
}

// MARK: - Rows of the table

extension FavouriteField {
    private init<Value>(
        _ name: String, _ form: Form, _ kind: ValueKind<Value>, _ valueName: String, _ help: String?,
        words: [String] = [], texts: @escaping @Sendable (Favourite) -> [String],
        set: @escaping @Sendable (inout Favourite, Value?) -> Void
    ) {
        self.name = name
        self.form = form
        self.help = help
        self.valueName = valueName
        self.words = words
        self.texts = texts
        self.kind = kind.map { value in { set(&$0, value) } }
        clear = { set(&$0, nil) }
    }

    /// A value with a text; nil is the default.
    private static func text<Value>(
        _ name: String, _ path: any WritableKeyPath<Favourite, Value?> & Sendable, _ kind: ValueKind<Value>,
        written: @escaping @Sendable (Value) -> String, _ valueName: String = "", _ help: String? = nil
    ) -> FavouriteField {
        FavouriteField(
            name, .text, kind, valueName, help, texts: { $0[keyPath: path].map { [written($0)] } ?? [] },
            set: { $0[keyPath: path] = $1 })
    }

    private static func text(
        _ name: String, _ path: any WritableKeyPath<Favourite, String?> & Sendable, _ kind: ValueKind<String>,
        _ valueName: String = "", _ help: String? = nil
    ) -> FavouriteField { text(name, path, kind, written: { $0 }, valueName, help) }

    /// A list of texts, by default empty.
    private static func list(
        _ name: String, _ path: any WritableKeyPath<Favourite, [String]> & Sendable, _ example: [String], _ help: String
    ) -> FavouriteField {
        FavouriteField(
            name, .list, .texts(example: "\(example)"), name, help, texts: { $0[keyPath: path] },
            set: { $0[keyPath: path] = $1 ?? [] })
    }

    /// One of the words of an enumeration.
    private static func word<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Favourite, Word> & Sendable, _ valueName: String, _ help: String
    ) -> FavouriteField {
        FavouriteField(
            name, .text, .choice(Word.self), valueName, help, words: Word.allCases.map(\.rawValue),
            texts: { [$0[keyPath: path].rawValue] },
            set: { $0[keyPath: path] = $1 ?? Favourite(stop: $0.stop)[keyPath: path] })
    }
}
