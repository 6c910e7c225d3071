internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardService
internal import BoardStore

/// `boardd stops search TEXT…`: stops by name, letter or code.
struct StopsSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find stops by name, letter or code.",
        discussion: """
            Every word begins a word of the name; case, accents and "St" for "Street" do not matter. A letter at the end is \
            that on the pole; the five digits on a pole work, too. Without --online only stop lists, and operators of \
            favourites, are searched. The list of a city that was just added is downloaded first. Each line has the stop's ID for favourites and departures, its name with the letter, \
            modes, direction, and lines. \
            Examples: boardd stops search oxford street n · boardd stops search 50001 --json
            """)

    @Argument(help: "Words of the name; no quotes are needed.")
    var text: [String]

    @OptionGroup var limit: LimitOption

    @OptionGroup var operators: OperatorsOption

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            let wanted = text.joined(separator: " ")
            let service = try await configuration.localService()
            await MissingLists(configuration: configuration).loadCities()
            let advice = operators.advice
            let result = try await operators.search(service) { (search) throws(ServiceError) in
                try await search.stops(matching: wanted, limit: limit.count)
            }
            let found = try result.complete()
            guard !found.isEmpty else {
                if json { try StandardOutput.write(PrettyJSON.text([StopEntry]())) }
                let near = try? await service.directory.read { (directory) throws(DirectoryFailure) in
                    try directory.candidates(forStop: wanted, limit: Candidate.maximumCount).found
                }
                let more = near?.isEmpty ?? true ? advice.map { ". \($0)" } : nil
                throw ServiceError(
                    .notFound, "no stop is called \"\(wanted)\"\(more ?? "")",
                    candidates: (near ?? []).map { Candidate($0) })
            }
            let entries = try service.entries(found)
            try StandardOutput.write(json ? PrettyJSON.text(entries) : StopListing(entries).table)
        }
    }
}

/// Whether operators with a stop search are included.
struct OperatorsOption: ParsableArguments {
    @Flag(
        help: """
            Also search operators without a stop list (\(OperatorsOption.titles): most of the world); those of favourites are \
            always searched.
            """)
    var online = false

    /// How to find more; nil: everything was searched.
    var advice: String? {
        online ? nil : "Only downloaded stop lists were searched. Use --online to also search \(Self.titles)."
    }

    /// Searches, and prints remarks.
    ///
    /// - Throws: ``ServiceError``, with the advice where there is no directory.
    func search<Found: Sendable>(
        _ service: LocalBoardService,
        _ body: (StopSearch) async throws(ServiceError) -> StopSearch.SearchResult<Found>
    ) async throws(ServiceError) -> StopSearch.SearchResult<Found> {
        do throws(ServiceError) {
            let result = try await body(try service.search(isOnline: online))
            for remark in result.remarks { StandardError.write("remark: \(remark)".asPrintedLine + "\n") }
            return result
        } catch {
            guard error.kind == .noDirectory, let advice else { throw error }
            throw error.with(message: "\(error.message). \(advice)")
        }
    }

    /// The stop that a user wrote; where none is found, with the advice.
    func stop(_ text: String, of service: LocalBoardService) async throws(ServiceError) -> StopID {
        try await advised(text) { () throws(ServiceError) in try await service.stop(called: text, isOnline: online) }
    }

    /// The place that a user wrote as a name; where none is found, with the advice.
    func place(_ text: String, of service: LocalBoardService) async throws(ServiceError) -> Coordinates {
        try await advised(text) { () throws(ServiceError) in try await service.place(called: text, isOnline: online) }
    }

    private func advised<Value>(
        _ text: String, _ body: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do throws(ServiceError) {
            return try await body()
        } catch {
            // An identifier is not searched for.
            guard [.notFound, .noDirectory].contains(error.kind), StopID(text) == nil, let advice else { throw error }
            throw error.with(message: "\(error.message). \(advice)")
        }
    }

    /// The titles of the operators with a stop search.
    private static let titles = FeedRegistry.declarations.feeds.filter(\.searchesStops).map(\.title)
        .joined(separator: ", ")
}

struct LimitOption: ParsableArguments {
    /// The rows of a terminal.
    private static let defaultCount = 20
    private static let maximum = 1_000

    @Option(name: .customLong("limit"), help: ArgumentHelp("The maximum number of results.", valueName: "count"))
    var count = LimitOption.defaultCount

    func validate() throws {
        guard (1...Self.maximum).contains(count) else {
            throw ValidationError("--limit needs a count from 1 to \(Self.maximum).")
        }
    }
}
