internal import BoardControl
internal import BoardCore
internal import BoardStore

/// All that somebody needs who was not there when something went wrong, as one text, without a key in it.
struct BugReport: Sendable {
    /// Lines of the log.
    private static let logLines = 60

    let configuration: ConfigurationOption
    let environment: [String: String]
    /// What the running board says of itself, or why it says nothing.
    let state: Result<BoardState, ControlClientError>
    let zone: Zone
    let clock: any MachineClock

    /// The report. Blocks: it reads files and asks systemd.
    var text: String {
        let files = ConfigurationFacts(configuration, environment: environment)
        let redactor = files.redactor
        let folders = Folders(environment: environment)
        let sections: [(title: String, lines: [String])] = [
            ("Program", MachineFacts.program), ("Machine", MachineFacts.machine + time),
            ("Hardware", MachineFacts.hardware + [files.display]),
            ("Service", MachineFacts.service(environment: environment)),
            ("Configuration", files.summary), ("Feeds", files.feeds),
            ("Stop directory", Self.directory(folders.state, zone: zone, at: clock.reading().wall)),
            ("Running board", board(redactor)),
            ("Log, the last lines", log.map { redactor.redacted($0) }),
        ]
        let written =
            sections.map { title, lines in
                (["== \(title)"] + lines.map(\.asPrintedLine)).map { $0 + "\n" }.joined()
            } + files.texts
        // Once more over the whole, whatever a part forgot.
        return redactor.redactingKnown(([Self.preface] + written).joined(separator: "\n"))
    }

    private static let preface = """
        boardd report, for a bug report. Nothing was sent anywhere: this text is all there is.
        In it: the program and its service, this machine's model, system and memory, the boardd configuration files whole
        (with the stops that you watch, which may tell where you live), what the running board shows, and the end of its
        log. Keys, and what looks like one, are blanked; even so, read it through before you give it to anybody.

        """

    private var time: [String] {
        let reading = clock.reading()
        let word = reading.isSynchronised ? "kept in step" : "nobody keeps it in step"
        let local = zone.text(reading.wall, at: reading.wall - .seconds(1_000_000))
        return ["clock: \(reading.wall.rfc3339), \(word); here \(local)"]
    }

    private func board(_ redactor: Redactor) -> [String] {
        switch state {
        case .success(let state): redactor.redacted(StatusPage(state, zone: zone).text).lines
        case .failure(let failure): [redactor.redacted(failure.description)]
        }
    }

    private static func directory(_ folder: String, zone: Zone, at now: Timestamp) -> [String] {
        let directory = StopDirectory(folder: folder)
        let answer = directory.editions()
        let editions = answer.found.map { edition in
            "\(edition.feed): \(Daemon.count(edition.stops, "stop")), \(Daemon.count(edition.lines, "line")), "
                + "\(edition.bytes) bytes, complete at \(zone.text(edition.completed, at: now))"
        }
        let lines = editions + answer.failures.map { "\($0)" }
        return lines.isEmpty ? ["\(folder): no stops yet"] : lines
    }

    private var log: [String] {
        // The machine's name may be its owner's.
        let words = [
            "journalctl", "-u", "boardd", "-n", "\(Self.logLines)", "-o", "short-iso", "--no-hostname", "--no-pager",
            "-q",
        ]
        guard let output = Subprocess.output(words, environment: environment) else {
            return ["there is no journalctl"]
        }
        let lines = output.lines
        return lines.isEmpty ? ["nothing, or not for this user to read: sudo boardd report"] : lines
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
