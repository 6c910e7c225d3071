internal import ArgumentParser
internal import BoardCore
internal import BoardIO
internal import BoardService
internal import BoardStore
internal import Glibc

/// `boardd setup`: from nothing to a board with a stop, in a dialogue.
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Put a stop on the board, step by step: stop, walking time, display, button, keys.",
        discussion: """
            Prompts for what is not given as an option; an empty line takes the entry in brackets, and Ctrl-C ends without a \
            change. The files are written at the end. It may be run again, for another stop too. Examples: sudo boardd setup · \
            sudo boardd setup --yes --feed motis --stop "Lyon Part-Dieu" --walk 6
            """)

    @Option(help: ArgumentHelp("Whose departures: motis, tfl, rail, gtfs.NAME, or city.", valueName: "feed"))
    var feed: String?
    @Option(help: "The city of --feed city: its name in boardd cities, a place, or LAT,LON.")
    var city: String?
    @Option(name: .customLong("city-number"), help: "Which of several cities, from 1.")
    var cityNumber: String?
    @Option(help: "The stop: its name, LAT,LON, or feed:code.")
    var stop: String?
    @Option(help: "Which of several stops, from 1.")
    var number: String?
    @Option(help: "The operator's API key, if it requires one; other users can see it while the command runs.")
    var key: String?
    @Option(help: "The lines to show, with commas between them, or all.")
    var lines: String?
    @Option(help: "Minutes to walk there.")
    var walk: String?
    @Option(help: "Whether to switch I2C on where it is off: yes or no.")
    var i2c: String?
    @Option(help: "Which of several displays, from 1.")
    var display: String?
    @Option(help: "The size of a character LCD, such as 20x4.")
    var size: String?
    @Option(help: "The GPIO line of the button.")
    var button: String?
    @Option(help: "The time zone of this machine, such as Europe/Paris.")
    var zone: String?
    @Option(help: "Your mail or web address, for operators whose terms require it.")
    var contact: String?

    @Flag(help: "Prompt for nothing: use the options, and the entries in brackets.")
    var yes = false

    @OptionGroup var configuration: ConfigurationOption

    private var options: [String: String] {
        [
            "feed": feed ?? (city == nil ? nil : "city"), "city": city, "city-number": cityNumber, "stop": stop,
            "number": number, "key": key, "lines": lines, "walk": walk, "i2c": i2c, "display": display, "size": size,
            "button": button, "zone": zone, "contact": contact,
        ].compactMapValues(\.self)
    }

    private static var steps: [SetupStep] {
        [
            .source, .city, .cityChoice, .stop, .stopChoice, .key, .lines, .walk, .bus, .display, .size, .button, .zone,
            .contact,
        ]
    }

    func run() async throws {
        guard yes || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
            StandardError.write(
                "boardd setup needs a terminal; without one, use --yes with options, such as --stop (boardd setup --help)\n"
            )
            throw ExitCode(ExitStatus.usage)
        }
        try await CommandError.exitOnFailure {
            let source = configuration.source
            if let reason = Folders.writeError(to: source.path(of: "")) {
                throw ServiceError(
                    .notAllowed, "\(source.path(of: "")) cannot be written (\(reason)): use sudo boardd setup")
            }
            do throws(ConfigurationFaults) {
                _ = try configuration.load()
            } catch {
                throw ServiceError(error, "the configuration files have faults; correct them first")
            }
            // Without the list the dialogue offers no cities.
            let cities = try? await CityList.installed()
            let service = InstalledService(of: source)
            let staged = try SetupSession.staged(source)
            defer { staged.remove() }
            if !yes { StandardError.write("Return takes what is in brackets; Ctrl-C ends without a change.\n") }
            let (options, isInteractive, feed) = (options, !yes, stop.flatMap(SetupSession.feed))
            let choice = try await SetupSession.run(staged, service) {
                let session = SetupSession(staged, cities: cities, isInteractive: isInteractive)
                // An identifier names its feed.
                session.feed = feed
                session.service = service
                try await SetupDialogue(options: options, isInteractive: isInteractive).run(Self.steps, session)
                try await session.addFavourite()
                return session.choice
            }
            // The files are replaced from here on: each is the old one or the new one.
            try await SetupResult(configuration: configuration, staged: staged, service: service, choice: choice)
                .apply()
        }
    }
}
