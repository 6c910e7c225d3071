import BoardCore

/// A GTFS timetable as operators publish it: a zip of tables.
package final class GTFSArchive {
    /// The most files in an archive; a timetable has 10 to 40.
    static let maximumMembers = 10_000

    /// The most bytes of an archive; a whole country's has 250 MB.
    static let maximumSize: UInt64 = 1_000_000_000

    /// The limits on what is kept of it in memory.
    let limits: GTFSLimits
    let names: NameChoice
    private let zip: ZipArchive
    /// The index of each table's member in the archive.
    private let members: [GTFSFile: UInt64]
    /// The names of all files except those that file managers add (`__MACOSX`).
    private let fileNames: [String]

    /// Opens an archive and finds its tables in any folder: some operators put them in one.
    ///
    /// - Throws: ``TableError`` if it is not a zip, or breaks a limit.
    package init(path: String, limits: GTFSLimits = GTFSLimits(), names: NameChoice = NameChoice()) throws(TableError) {
        self.limits = limits
        self.names = names
        zip = try ZipArchive(path: path)
        guard zip.names.count <= Self.maximumMembers else {
            throw TableError(file: path, detail: "has \(zip.names.count) files, where a timetable has 10 to 40")
        }
        (members, fileNames) = try Self.tables(among: zip.names, in: path)
        try zip.checkSizes(of: members.values)
    }

    func contains(_ file: GTFSFile) -> Bool { members[file] != nil }

    func open(_ file: GTFSFile) throws(TableError) -> any ByteSource {
        guard let member = members[file] else { throw missing(file) }
        return try zip.open(member, file.name, limit: file.limit)
    }

    /// The error for a missing table; it lists the files that exist.
    func missing(_ file: GTFSFile) -> TableError {
        let shown = fileNames.prefix(8).joined(separator: ", ")
        let rest = fileNames.count > 8 ? " and \(fileNames.count - 8) more" : ""
        return TableError(
            file: file.name,
            detail:
                "is not in \(zip.path), which has \(fileNames.isEmpty ? "no files" : shown + rest)\(Self.advice(fileNames))"
        )
    }

    private static func advice(_ names: [String]) -> String {
        guard let inner = names.first(where: { $0.lowercased().hasSuffix(".zip") }) else { return "" }
        return ": choose one at the end of the URL in `timetable`: #\(inner)"
    }

    /// The members that are GTFS tables, and the names of all files.
    ///
    /// - Throws: ``TableError`` if several folders hold a timetable, or one folder holds a table twice, so that it is
    ///   undefined which one counts.
    private static func tables(
        among all: [String], in path: String
    ) throws(TableError) -> (members: [GTFSFile: UInt64], names: [String]) {
        var names: [String] = []
        var folders: [[String]: [GTFSFile: UInt64]] = [:]
        var repeated: [[String]: GTFSFile] = [:]
        for (index, name) in all.enumerated() {
            // Some Windows programs write `\`, which the zip format does not allow.
            let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map(String.init)
            // Nothing is unpacked, so "../stops.txt" is a name like any other.
            guard let last = parts.last, !last.isEmpty, !parts.contains("__MACOSX") else { continue }
            names.append(name)
            guard let file = GTFSFile(rawValue: last.lowercased()) else { continue }
            let folder = Array(parts.dropLast())
            if folders[folder, default: [:]].updateValue(UInt64(index), forKey: file) != nil { repeated[folder] = file }
        }
        // The folder nearest to the root with stops and stop_times; a folder of examples next to it has no such tables.
        let whole = folders.filter { $0.value[.stops] != nil && $0.value[.stopTimes] != nil }
        let candidates = whole.isEmpty ? folders : whole
        guard let depth = candidates.keys.map(\.count).min() else { return ([:], names) }
        let nearest = candidates.filter { $0.key.count == depth }
        guard nearest.count == 1, let found = nearest.first else {
            let folders = nearest.keys.map { $0.joined(separator: "/") }.sorted().prefix(4).joined(separator: ", ")
            throw TableError(
                file: path, detail: "holds several timetables (\(folders)): give each a feed and an archive of its own")
        }
        if let file = repeated[found.key] {
            throw TableError(
                file: path,
                detail: "has \(file.name) twice: it is undefined which one counts: report it to the operator")
        }
        return (found.value, names)
    }
}

enum GTFSFile: String, CaseIterable, Sendable {
    case agency = "agency.txt"
    case stops = "stops.txt"
    case routes = "routes.txt"
    case trips = "trips.txt"
    case stopTimes = "stop_times.txt"
    case calendar = "calendar.txt"
    case calendarDates = "calendar_dates.txt"
    case frequencies = "frequencies.txt"
    case feedInfo = "feed_info.txt"
    case bookingRules = "booking_rules.txt"
    case translations = "translations.txt"

    var name: String { rawValue }

    /// The most bytes of the file: a few times what the largest countries have.
    var limit: UInt64 {
        switch self {
        case .stopTimes: 8 << 30
        case .trips, .stops, .calendarDates, .translations: 1 << 30
        case .agency, .routes, .calendar, .frequencies, .feedInfo, .bookingRules: 64 << 20
        }
    }
}

/// The limits on what is kept of an archive in memory: large enough for large countries, small enough for a machine
/// with little memory. A timetable that reaches all limits takes about 50 MB. While a newer one replaces it, both are
/// in memory. A larger one is rejected before it is stored.
package struct GTFSLimits: Sendable {
    /// Lines, all of which the stop directory names: 200 bytes each, in addition to ``text``.
    var routes = 60_000
    /// Stops for which the stop directory lists the lines that call there: 60 bytes each, in addition to ``text``.
    var stops = 700_000
    /// Pairs of a stop and a line that calls there: up to 32 bytes each while the array grows.
    var stopRoutePairs = 1_500_000
    /// Trips, whose `trip_id` hashes are stored: up to 24 bytes each while the table grows.
    var trips = 2_500_000
    /// Trips that call at the requested stops, or trips of one line: ten times what a busy station has. 300 bytes each.
    var selectedTrips = 150_000
    /// Calls of one trip; the longest trips have 300.
    var tripCalls = 2_000
    /// Calls of the selected trips; trips with equal intervals share theirs. 24 to 36 bytes each.
    var selectedCalls = 1_000_000
    /// Calls of the selected trips at the requested stops, counted per trip: 28 bytes each.
    var watchedCalls = 500_000
    /// Stops of the selected trips: 250 bytes each.
    var selectedStops = 40_000
    /// Exceptions of `calendar_dates.txt` to their services: 40 bytes each.
    var exceptions = 200_000
    /// Rows of `frequencies.txt` for the selected trips, and calls at the requested stops, counted for each of these
    /// rows: every request scans all of the latter.
    var frequencies = 20_000, repeatedCalls = 20_000
    /// Bytes of all identifiers and names of the stop directory, and of those of the selected trips.
    var text = 24 << 20, selectedText = 10 << 20

    package init() {}

    /// - Parameter what: what is counted, in the plural, for the message.
    @inline(__always)
    static func check(_ count: Int, _ most: Int, _ what: StaticString, _ file: GTFSFile) throws(TableError) {
        if count > most { throw tooLarge(most, what, file) }
    }

    private static func tooLarge(_ most: Int, _ what: StaticString, _ file: GTFSFile) -> TableError {
        TableError(
            file: file.name,
            detail: "has more than \(most) \(what), more than any departure board needs: report it to the operator")
    }
}

/// The names of a timetable in other languages (`translations.txt`), and which of them the board shows.
struct Translations {
    enum Column: String {
        case stopName = "stop_name"
        case shortName = "route_short_name"
        case longName = "route_long_name"
        case tripHeadsign = "trip_headsign"
        case stopHeadsign = "stop_headsign"
    }

    private struct Key: Hashable {
        /// Nil: any, as in files from before 2020, which name no column.
        let column: Column?
        let language: String
        /// Whether a row is for one record; otherwise it is for every one with this name.
        let isForRecord: Bool
    }

    /// The most languages, and the most rows; any more are left out.
    private static let maximumLanguages = 32, maximumRows = 1_000_000

    private let choice: NameChoice
    private var names: [Key: NameTable] = [:]
    /// The tags of the board's language, and the others.
    private var languages: (own: [String], others: [String]) = ([], [])

    init(_ choice: NameChoice) { self.choice = choice }

    mutating func read(_ archive: GTFSArchive) throws(TableError) {
        guard archive.contains(.translations) else { return }
        var table = try Table(TranslationColumn.self, in: archive)
        var found: Set<String> = []
        var rows = 0
        while try table.next(), rows < Self.maximumRows {
            let isOld = table.field(TranslationColumn.column).isEmpty
            let column = Column(rawValue: table.text(TranslationColumn.column))
            let language = table.text(isOld ? TranslationColumn.oldLanguage : .language)
            let record = isOld ? TableField(0..<0) : table.field(TranslationColumn.record)
            // A record for a call would be its trip and position: its headsign is looked up by value only.
            guard isOld || column != nil, record.isEmpty || column != .stopHeadsign,
                found.count < Self.maximumLanguages || found.contains(language)
            else { continue }
            found.insert(language)
            rows += 1
            names[Key(column: column, language: language, isForRecord: !record.isEmpty), default: NameTable()].append(
                record.isEmpty ? table.field(isOld ? TranslationColumn.oldValue : .value) : record,
                table.field(TranslationColumn.translation), of: table.bytes.span)
        }
        languages = choice.ordered(Array(found))
    }

    /// Whether headsigns of single trips are translated.
    var hasTrips: Bool { names.keys.contains { $0.column == .tripHeadsign && $0.isForRecord } }

    /// The name that the board shows: the one in its language, else the operator's own if the display can draw it, else
    /// the English one or the first other one that it can draw. A line keeps its own name if possible: people choose
    /// lines by it.
    ///
    /// - Parameters:
    ///   - value: the name in the table.
    ///   - record: its row's identifier.
    func name(_ value: String, _ column: Column, of record: String? = nil) -> String {
        let own = value.plainText
        let isLine = column == .shortName || column == .longName
        let preferred = languages.own.lazy.compactMap { translation(value, column, of: record, in: $0) }.first
        if !isLine, let preferred { return choice.drawn(preferred) ?? preferred }
        if let drawn = choice.drawn(own) { return drawn }
        return (languages.own + languages.others).lazy.compactMap { translation(value, column, of: record, in: $0) }
            .compactMap(choice.drawn).first ?? own
    }

    /// The distinct names in all languages, without `shown`.
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
