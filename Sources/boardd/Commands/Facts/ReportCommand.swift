import ArgumentParser
import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// `boardd report`: prints a text for a bug report.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Print what a bug report needs, without keys.",
        discussion: """
            Sends no request and no report. The text starts with a list of its contents: read it through before you share it. \
            With sudo it includes keys.env's state and the log. With --field it measures display, button, memory and network of \
            this Pi for two minutes, in which the board stops for half a minute (docs/field-test.md). \
            Examples: boardd report > report.txt · sudo boardd report --field field.txt
            """)

    @Option(help: ArgumentHelp("Measure this machine, and write what was found there.", valueName: "file"))
    var field: String?

    @Flag(help: "With --field: do not ask before the measurement and before the file is written.")
    var yes = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        if let field { return try await measure(into: field) }
        let report = BugReport(
            configuration: configuration, environment: Environment.current,
            state: await ConfigurationOption.boardState(), zone: MachineZone.current, now: SystemClock().reading())
        try StandardOutput.write(try await DedicatedThread.attempt("report") { report.text })
    }
}

extension ReportCommand {
    private func measure(into path: String) async throws {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        if path.isEmpty { throw ServiceError(.malformed, "--field needs the name of a file") }
        if let reason = Folders.writeError(to: folder) {
            throw ServiceError(.notAllowed, "\(path) cannot be written (\(reason))")
        }
        let service = InstalledService(of: configuration.source)
        let (report, yes) = (FieldReport(configuration: configuration, environment: Environment.current), yes)
        try await SetupSession.run(nil, service) {
            guard try await Self.isWanted("The board stops for half a minute, and display and button are measured", yes)
            else { return }
            let text = try await report.text(service)
            try StandardOutput.write(text)
            guard try await Self.isWanted("Nothing was sent anywhere. Write this to \(path)", yes) else { return }
            try await DedicatedThread.attempt("report") { try WrittenFile.write(Array(text.utf8), to: path) }
        }
    }

    private static func isWanted(_ sentence: String, _ yes: Bool) async throws -> Bool {
        if yes { return true }
        return try SetupStep.isYes(try await TerminalLine.read("\(sentence) (yes, no): "))
    }
}

/// A text for a bug report, without keys.
struct BugReport: Sendable {
    private static let logLines = 60

    let configuration: ConfigurationOption
    let environment: [String: String]
    /// The state of the running board, or why it is not available.
    let state: Result<BoardState, ServiceError>
    let zone: Zone
    let now: CorrectedClock.Reading

    /// The report. Blocks: it reads files and runs systemctl and journalctl.
    var text: String {
        let facts = ConfigurationFacts(configuration, environment: environment)
        let sections: [(title: String, lines: [String])] = [
            ("Program", MachineFacts.program), ("Machine", MachineFacts.machine + [time]),
            ("Hardware", MachineFacts.hardware + [facts.devices]),
            ("Service", MachineFacts.service(environment: environment)),
            ("Configuration", facts.files), ("Feeds", facts.feeds), ("Favourites", facts.favourites),
            ("Stop directory", directory), ("Running board", board), ("Log, the last lines", log),
        ]
        let text = Self.preface + "\n" + sections.map { ["== \($0.title)"] + $0.lines }.page
        return facts.mask.masking(text, with: "(key)")
    }

    private static let preface = """
        boardd report, for a bug report. Nothing was sent anywhere: this text is all there is.
        Contents: the program and its service, this machine's model, system and memory, the settings of the board (with your
        stops, which may reveal where you live), what the running board shows, and the end of its log. Keys are not in it, and
        of your files' texts only what the board shows, such as labels; even so, read it through before you share it.

        """

    private var time: String {
        let word = now.isSynchronised ? "synchronised" : "not synchronised"
        return "clock: \(now.wall.rfc3339), \(word); here \(zone.text(now.wall, at: now.wall - .seconds(1_000_000)))"
    }

    private var board: [String] {
        switch state {
        case .success(let state): StatusPage(state: state, zone: zone).text.lines
        case .failure(let failure): [failure.description]
        }
    }

    private var directory: [String] {
        let folder = Folders(environment: environment).state
        let result = StopDirectory(folder: folder).editions()
        let editions = result.found.map { edition in
            "\(edition.feed): \(Daemon.count(edition.stops, "stop")), \(Daemon.count(edition.lines, "line")), "
                + "\(edition.bytes) bytes, complete at \(zone.text(edition.completed, at: now.wall))"
        }
        let lines = editions + result.failures.map { "\($0)" }
        return lines.isEmpty ? ["\(folder): no stops yet"] : lines
    }

    private var log: [String] {
        // The host name may be its owner's.
        let words = [
            "journalctl", "-u", "boardd", "-n", "\(Self.logLines)", "-o", "short-iso", "--no-hostname", "--no-pager",
            "-q",
        ]
        guard let output = Subprocess.output(words, environment: environment) else {
            return ["there is no journalctl"]
        }
        // After a place in a file comes what was found there, which may be anything.
        let lines = output.lines.map { line in
            line.firstMatch(of: /\.(?:toml|env)(?::\d+)+/).map { line[..<$0.range.upperBound] + " …" } ?? line
        }
        return lines.isEmpty ? ["no lines, or no permission to read them: sudo boardd report"] : lines
    }
}

extension String {
    /// The lines, without empty ones at the end.
    var lines: [String] {
        var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
