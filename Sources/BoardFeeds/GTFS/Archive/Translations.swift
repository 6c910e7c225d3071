internal import BoardCore
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

    /// The limits on languages, and on rows; further ones are left out.
    private static let mostLanguages = 32, mostRows = 1_000_000

    private let choice: NameChoice
    private var names: [Key: NameTable] = [:]
    /// The languages of the board, and the others.
    private var languages: (own: [String], others: [String]) = ([], [])

    init(_ choice: NameChoice) {
        self.choice = choice
    }

    mutating func read(_ archive: GTFSArchive) throws(TableFailure) {
        guard archive.contains(.translations) else { return }
        var table = try Table(TranslationColumn.self, in: archive)
        var found: Set<String> = []
        var rows = 0
        while try table.next(), rows < Self.mostRows {
            let isOld = table.field(TranslationColumn.column).isEmpty
            let column = Column(rawValue: table.text(TranslationColumn.column))
            let language = table.text(isOld ? TranslationColumn.oldLanguage : .language)
            let record = isOld ? TableField(0..<0) : table.field(TranslationColumn.record)
            // A call is named by its trip and its place in it: only its value is looked up.
            guard isOld || column != nil, record.isEmpty || column != .stopHeadsign,
                found.count < Self.mostLanguages || found.contains(language)
            else { continue }
            found.insert(language)
            rows += 1
            names[Key(column: column, language: language, isForRecord: !record.isEmpty), default: NameTable()].append(
                record.isEmpty ? table.field(isOld ? TranslationColumn.oldValue : .value) : record,
                table.field(TranslationColumn.translation), of: table.bytes.span)
        }
        languages = choice.ordered(Array(found))
    }

    /// Whether single trips have headsigns of their own.
    var hasTrips: Bool { names.keys.contains { $0.column == .tripHeadsign && $0.isForRecord } }

    /// The name that the board shows: that in its language, else the operator's own if the display can draw it, else the English one
    /// or the first other one that it can draw. A line keeps its own name where it can: people choose lines by it.
    ///
    /// - Parameters:
    ///   - value: the name in the table.
    ///   - record: its row's identifier.
    func name(_ value: String, _ column: Column, of record: String? = nil) -> String {
        let (own, display) = (value.plainText, choice.display)
        let isLine = column == .shortName || column == .longName
        let preferred = languages.own.lazy.compactMap { translation(value, column, of: record, in: $0) }.first
        if !isLine, let preferred { return display.text(preferred) ?? preferred }
        if let drawn = display.text(own) { return drawn }
        return (languages.own + languages.others).lazy.compactMap { translation(value, column, of: record, in: $0) }
            .compactMap(display.text).first ?? own
    }

    /// The names in all languages, each once, without `shown`.
    func others(than shown: String, of value: String, _ column: Column, of record: String) -> [String] {
        let translations = (languages.own + languages.others).compactMap {
            translation(value, column, of: record, in: $0)
        }
        return ([value.plainText] + translations).uniqued().filter { $0 != shown }
    }

    private func translation(
        _ value: String, _ column: Column, of record: String?, in language: String
    ) -> String? {
        record.flatMap { names[Key(column: column, language: language, isForRecord: true)]?[$0] }
            ?? names[Key(column: column, language: language, isForRecord: false)]?[value]
            ?? names[Key(column: nil, language: language, isForRecord: false)]?[value]
    }
}
