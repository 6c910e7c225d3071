import ArgumentParser
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore

/// `boardd demo`: a board in the terminal, with the recording that comes with the program or with the user's own stop.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show a board in this terminal, without hardware.",
        discussion: """
            Shows a recording that comes with the program, or with --live a stop anywhere by Transitous. Space presses the button, \
            h holds it, o holds it longer, q ends. Without a terminal it prints some frames as text. \
            Examples: boardd demo · boardd demo --live "Rennes Gares"
            """)

    @Flag(help: "Show the departures of a stop now, without a key.")
    var live = false

    @Argument(help: "With --live: the stop's name, LAT,LON, or feed:code.")
    var stop: String?

    @Option(help: "With --live: your mail or web address, for operators whose terms require it.")
    var contact: String?

    @Option(help: ArgumentHelp("How many frames are printed without a terminal.", valueName: "count"))
    var frames = 12

    @Option(help: "The size of the display, such as 16x2.")
    var size: String?

    @OptionGroup var page: PageOption

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        guard frames >= 1 else { throw ValidationError("--frames needs a count of 1 or more.") }
        guard live || stop == nil && contact == nil else {
            throw ValidationError("A stop needs --live: boardd demo --live \"\(stop ?? "Rennes Gares")\".")
        }
    }

    func run() async throws {
        if live { return try await runLive() }
        let folder = Folders(environment: Environment.current).share + "/demo"
        // A copy, because the page changes favourites.
        do {
            let staged = try SetupSession.staged(.file("\(folder)/boardd.toml"))
            defer { staged.remove() }
            let source = FeedFactory.Source.replay("\(folder)/recording")
            let option = SetupSession.option(staged)
            try resize(staged)
            if page.address != nil { try await listStops(of: option, from: source, in: staged.folder) }
            try await show(option, source, stops: staged.folder)
        }
        guard Terminal.isInteractive, try await isConfirmed("Set up a board with a stop of yours? [Y/n] ") else {
            return
        }
        try await Self.setup([])
    }

    /// Shows a stop with a configuration of its own, which is removed afterwards.
    private func runLive() async throws {
        let hasTerminal = Terminal.isInteractive
        guard hasTerminal || stop != nil else {
            StandardError.write("boardd demo --live needs a terminal, or a stop: boardd demo --live \"Rennes Gares\"\n")
            throw ExitCode(ExitStatus.usage)
        }
        var chosen: StopID?
        do {
            let staged = try SetupSession.staged(configuration.source)
            defer { staged.remove() }
            chosen = try await choose(staged, isInteractive: hasTerminal)
            try resize(staged)
            try await show(SetupSession.option(staged), .live(record: nil))
        }
        guard let chosen, hasTerminal, try await isConfirmed("Keep this stop on your board? [Y/n] ") else { return }
        try await Self.setup(["--yes", "--stop", chosen.description] + (contact.map { ["--contact", $0] } ?? []))
    }

    /// Gives the display of the copy the requested size.
    private func resize(_ staged: StagedConfiguration) throws(ServiceError) {
        guard let size else { return }
        let session = SetupSession(staged, cities: nil, isInteractive: false)
        try session.set([("size", TOMLText.quoted(size))], in: "[display]")
    }

    /// Puts only the stop into the copy, and returns it.
    private func choose(_ staged: StagedConfiguration, isInteractive: Bool) async throws -> StopID? {
        // An identifier names its feed; otherwise Transitous is used.
        let feed = stop.flatMap { SetupSession.feed(of: $0) }
        let options = ["stop": stop, "number": isInteractive ? nil : "1", "contact": contact].compactMapValues(\.self)
        let hasContact = contact != nil
        return try await SetupSession.run(staged) {
            let session = SetupSession(staged, cities: nil, isInteractive: isInteractive)
            session.entries.feed = feed ?? SetupSession.feed(named: "motis")
            try session.removeFavourites()
            try await SetupDialogue(options: options, isInteractive: isInteractive).run(
                (hasContact ? [.contact] : []) + [.stop, .stopChoice], session)
            if let stop = session.entries.stop { StandardError.write("\(stop.nameWithLetter) (\(stop.id))\n") }
            try await session.addFavourite()
            return session.entries.stop?.id
        }
    }

    /// Makes a stop directory from the recorded lists, for the page's search and map. It is removed with the folder.
    private func listStops(
        of option: ConfigurationOption, from source: FeedFactory.Source, in folder: String
    ) async throws {
        let configuration = try option.load()
        let clock = ReplayClock()
        let factory = try FeedFactory(source: source, clock: clock)
        for feed in Set(configuration.favourites.map(\.stop.feed)) {
            guard let catalogue = try factory.catalogue(of: feed, configuration) else { continue }
            // A feed without a recorded list has no stops on the map.
            try? await DirectoryUpdate(feed: feed, catalogue: catalogue, folder: folder, clock: clock).run { _ in }
        }
    }

    /// - Parameter stops: the folder of the stop directory; nil: the state folder.
    private func show(_ option: ConfigurationOption, _ source: FeedFactory.Source, stops: String? = nil) async throws {
        let daemon = Daemon(
            configuration: option, source: source,
            displayTarget: Terminal.isInteractive ? .terminal : .plain(frames: frames), frameLog: nil,
            page: page.address, stateFolder: stops)
        let status = await daemon.run()
        if status != 0 { throw ExitCode(status) }
    }

    /// Whether a person enters yes, or an empty line.
    private func isConfirmed(_ prompt: String) async throws -> Bool {
        do {
            let entry = try await TerminalLine.read(prompt)
            return entry.isEmpty || (try? SetupStep.isYes(entry)) ?? false
        } catch is CancellationError {
            return false
        }
    }

    private static func setup(_ arguments: [String]) async throws {
        let command = "sudo boardd setup\(arguments.isEmpty ? "" : " --yes --stop \(arguments[2])")"
        guard Folders.isWritable(Folders(environment: Environment.current).configuration) else {
            return StandardError.write("On the Pi, run: \(command)\n")
        }
        let setup = try SetupCommand.parse(arguments)
        try await setup.run()
    }
}
