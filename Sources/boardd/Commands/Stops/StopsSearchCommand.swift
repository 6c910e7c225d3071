internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// `boardd stops search TEXT…`: stops by name, letter or code.
struct StopsSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find stops by name, letter or code.",
        discussion: """
            Every word begins a word of the name; case, accents and "St" for "Street" do not matter. A letter at the end is \
            that on the pole, and the five digits on a pole are understood. Most of the world is no list on this machine: \
            --online asks for it. Each line has the stop as favourites and \
            departures want it, its name with the letter, what calls there, where it goes, and lines. \
            Examples: boardd stops search oxford street n · boardd stops search 50001 --json
            """)

    @Argument(help: "Words of the name; no quotes are needed.")
    var text: [String]

    @OptionGroup var limit: LimitOption

    @OptionGroup var operators: OperatorsOption

    @Flag(help: "Print everything that is known, as JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let context = StopsContext()
        let wanted = text.joined(separator: " ")
        let limit = limit.count
        let operators = StopSearch(context.directory, configuration, all: self.operators.online)
        let advice = self.operators.advice
        let found = try await context.search(advice: advice) { () throws(DirectoryFailure) in
            try await operators.stops(matching: wanted, limit: limit)
        }.found
        guard !found.isEmpty else {
            if json { try StandardOutput.write(PrettyJSON.text([StopEntry]())) }
            let near = await context.glance { (directory) throws(DirectoryFailure) in
                try directory.candidates(forStop: wanted, limit: Candidate.usualCount).found
            }
            let sentence = "no stop is called \"\(wanted)\""
            let more = near?.isEmpty ?? true ? advice.map { "; \($0)" } : nil
            throw StopsContext.notFound(sentence + (more ?? ""), near ?? [])
        }
        let favourites = try await context.favourites(configuration)
        let entries = found.map { StopEntry($0, isFavourite: favourites.contains($0.id)) }
        try StandardOutput.write(json ? PrettyJSON.text(entries) : StopListing(entries).table)
    }
}

/// Whether operators are asked that search their stops themselves.
struct OperatorsOption: ParsableArguments {
    @Flag(
        help: """
            Also ask operators that search their stops themselves (\(OperatorsOption.titles): most of the world); one of which \
            a stop is a favourite is always asked.
            """)
    var online = false

    /// What may find more; nil: everybody was asked.
    var advice: String? {
        online ? nil : "most of the world is no list on this machine: with --online \(Self.titles) is asked for it"
    }

    /// Who searches stops himself, for people.
    private static let titles = FeedRegistry.declarations.feeds.filter(\.searchesStops).map(\.title)
        .joined(separator: ", ")
}

/// How many are listed.
struct LimitOption: ParsableArguments {
    /// As many as a terminal has rows.
    private static let usual = 20
    /// Nobody reads more.
    private static let most = 1_000

    @Option(name: .customLong("limit"), help: ArgumentHelp("List so many at most.", valueName: "count"))
    var count = LimitOption.usual

    func validate() throws {
        guard (1...Self.most).contains(count) else {
            throw ValidationError("--limit wants a count from 1 to \(Self.most).")
        }
    }
}
