internal import BoardFormats

/// The names of a timetable in other languages (`translations.txt`), and which of them the board shows.
struct Translations {
    /// A column with names.
    enum Column: String {
        case stopName = "stop_name"
        case shortName = "route_short_name"
        case longName = "route_long_name"
        case tripHeadsign = "trip_headsign"
        case stopHeadsign = "stop_headsign"
    }

    private struct Key: Hashable {
        /// Nil: any, as in files of before 2020, which name no column.
        let column: Column?
        let language: String
        /// Whether a row is for one record; else for every one with this name.
        let isForRecord: Bool
    }

    let choice: NameChoice
    private var names: [Key: NameTable] = [:]
    private(set) var languages: [String] = []

    init(_ choice: NameChoice) {
        self.choice = choice
    }

    mutating func read(_ archive: GTFSArchive) throws(TableFailure) {
        guard archive.contains(.translations) else { return }
        var table = try Table(TranslationColumn.self, in: archive)
        while try table.next() {
            let isOld = table.field(TranslationColumn.column).isEmpty
            let column = Column(rawValue: table.text(TranslationColumn.column))
            guard isOld || column != nil else { continue }
            let language = table.text(isOld ? TranslationColumn.oldLanguage : .language)
            let record = isOld ? TableField(0..<0) : table.field(TranslationColumn.record)
            let key = Key(column: column, language: language, isForRecord: !record.isEmpty)
            let value = table.field(isOld ? TranslationColumn.oldValue : .value)
            // A call is named by its trip and its place in it: only its value is looked up.
            guard !key.isForRecord || column != .stopHeadsign else { continue }
            if !languages.contains(language) { languages.append(language) }
            names[key, default: NameTable()].append(
                key.isForRecord ? record : value, table.field(TranslationColumn.translation), of: table.bytes.span)
        }
    }

    var isEmpty: Bool { names.isEmpty }

    /// The name that the board shows.
    ///
    /// - Parameters:
    ///   - value: the name in the table.
    ///   - record: its row's identifier.
    func name(_ value: String, _ column: Column, of record: String? = nil) -> String {
        choice.name(value.plainText, languages) { translation(value, column, of: record, in: $0) }
    }

    /// The names in all languages, each once, without `shown`.
    func others(than shown: String, of value: String, _ column: Column, of record: String) -> [String] {
        let all = [value.plainText] + languages.compactMap { translation(value, column, of: record, in: $0) }
        return all.uniqued().filter { $0 != shown }
    }

    private func translation(
        _ value: String, _ column: Column, of record: String?, in language: String
    ) -> String? {
        record.flatMap { names[Key(column: column, language: language, isForRecord: true)]?[$0] }
            ?? names[Key(column: column, language: language, isForRecord: false)]?[value]
            ?? names[Key(column: nil, language: language, isForRecord: false)]?[value]
    }
}
