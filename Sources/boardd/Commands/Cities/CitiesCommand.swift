import ArgumentParser
import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// `boardd cities …`: the GTFS feeds of the world, from a list that comes with the program.
struct CitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cities", abstract: "Find a city's feed in the list of the world's GTFS feeds, and add it.",
        discussion: """
            The list (docs/cities.md) comes with the program: no request is sent. Addresses in it may be \
            out of date; boardd check --online tries those of an added city. \
            Example: boardd cities search boston; sudo boardd cities add mbta; boardd stops search park street
            """,
        subcommands: [SearchCities.self, ShowCity.self, AddCity.self, RemoveCity.self])
}

extension CityList {
    /// The list that comes with the program.
    static func installed() async throws(ServiceError) -> CityList {
        try await DedicatedThread.attempt("cities") { try read() }
    }

    /// The same. Blocks.
    static func read() throws(ServiceError) -> CityList {
        try CityList(path: Folders(environment: Environment.current).share + "/cities.tsv")
    }
}

struct SearchCities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find feeds by place, operator or position.",
        discussion: """
            Each line has the name for the other commands, the operator, the place, and what to know of the feed: its realtime (tu \
            estimates, vp vehicles, sa alerts, rt any of them), a key that it requires, whether it is an old copy or a whole \
            country. A search by position finds the feeds whose stops surround it, the smallest area first. \
            Examples: boardd cities search münchen · boardd cities search 45.76,4.86
            """)

    @Argument(help: "Words of the place or the operator, or LAT,LON.")
    var place: [String]

    @OptionGroup var limit: LimitOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let text = place.joined(separator: " ")
        let found = try await CityList.installed().search(text)
        let shown = Array(found.prefix(limit.count))
        guard !found.isEmpty else {
            throw ServiceError(
                .notFound,
                "no feed of \"\(text)\" in the list. Search by position, such as 45.76,4.86; or use Transitous, which covers "
                    + "most of the world: boardd stops search NAME --online")
        }
        if json { return try StandardOutput.write(PrettyJSON.text(shown)) }
        if text.lowercased().contains("london") {
            StandardError.remark("London in Great Britain needs no table: boardd setup, TfL")
        }
        if shown.contains(where: \.isWholeCountry) {
            StandardError.remark(
                "first try Transitous, which has this country without a download: boardd stops search NAME --online"
            )
        }
        var table = TextTable()
        for city in shown { table.add(city.name, city.fullName, city.place, city.features) }
        try StandardOutput.write(table.text)
        if found.count > shown.count {
            StandardError.remark("\(found.count - shown.count) more; use --limit or more words")
        }
    }
}

extension City {
    /// "realtime (tu, sa), key, a copy of 15 Apr 2022".
    var features: String {
        let needsKey = key != nil || realtime.contains { $0.key != nil }
        let offered = Set(realtime.filter { !$0.isOnRequest }.flatMap { $0.kinds.split(separator: "+") })
        let kinds = ["tu", "vp", "sa", "rt"].filter { offered.contains($0[...]) }
        return [
            kinds.isEmpty ? "" : "realtime (\(kinds.joined(separator: ", ")))", needsKey ? "key" : "", caution,
            isWholeCountry ? "whole country, \(Self.countrySize)" : "",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

struct ShowCity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a feed of the list, and the table that cities add would write.",
        discussion: "Example: boardd cities show mbta")

    @Argument(help: "Its name from cities search, or its number in the catalogue.")
    var city: String

    @OptionGroup var choice: CityChoice

    func run() async throws {
        let city = try await CityList.installed().city(city)
        try StandardOutput.write(choice.table(of: city).text)
    }
}

/// How a city is added.
struct CityChoice: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Another name for its feed, gtfs.NAME: a-z, 0-9 and hyphens.", valueName: "name"))
    var name: String?

    @Flag(help: "Use the catalogue's copy of the timetable: for an operator whose own address does not respond.")
    var mirror = false

    func table(of city: City) -> CityTable { CityTable(city, named: name ?? city.name, isMirrored: mirror) }
}

struct AddCity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Configure a feed of the list: writes its table into feeds.d.",
        discussion: "Example: sudo boardd cities add mbta")

    @Argument(help: "Its name from cities search, or its number in the catalogue.")
    var city: String

    @OptionGroup var choice: CityChoice

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let city = try await CityList.installed().city(city)
        let editor = CityEditor(configuration.readable, of: configuration.source)
        let (table, path) = try editor.add(city, as: choice.name, isMirrored: choice.mirror)
        try StandardOutput.write("\(table.feed): \(city.fullName), \(city.place): written to \(path)\n")
        table.remarks.forEach(StandardError.remark)
        if let key = table.keyName {
            let source = table.keySource.isEmpty ? "from the operator" : "from \(table.keySource)"
            try StandardOutput.write(
                "key required: write \(key)=… (\(source)) into \(configuration.source.path(of: "keys.env")), then "
                    + "sudo systemctl restart boardd\n")
        }
        try await configuration.reloadRunningBoard()
        try StandardOutput.write("next: boardd stops search NAME\n")
    }
}

struct RemoveCity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a feed that cities add configured.",
        discussion: "Example: sudo boardd cities remove mbta")

    @Argument(help: "The name of its feed, with or without gtfs.")
    var city: String

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let feed = try CityEditor(configuration.readable, of: configuration.source).remove(city)
        try await configuration.reloadRunningBoard()
        let state = Folders(environment: Environment.current).state
        try StandardOutput.write("\(feed) removed. Its timetable stays until: sudo rm \(state)/*\(feed).*\n")
    }
}

extension ConfigurationOption {
    /// Reloads the running board if it uses these files; one that does not run reads them when it starts.
    func reloadRunningBoard() async throws(ServiceError) {
        guard file == nil else { return }
        do throws(ServiceError) {
            try await Self.runningBoard().reload()
        } catch {
            guard error.kind == .noDaemon else { throw error }
        }
    }
}
