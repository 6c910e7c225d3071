internal import ArgumentParser
internal import BoardControl

/// `boardd press`: a button from afar.
struct PressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Do what a press of the running board's button does.",
        discussion: """
            What a gesture means is said by its [[button]] table in boardd.toml. On a dark board it only wakes it, as a \
            finger would. Example: boardd press hold
            """)

    @Argument(
        help: ArgumentHelp("short, hold, long-hold or double.", valueName: "gesture"),
        completion: .list(PressRequest.Gesture.allCases.map(\.rawValue)),
        transform: { text in
            guard let gesture = PressRequest.Gesture(rawValue: text) else {
                throw ValidationError("\"\(text)\" is no press; write short, hold, long-hold or double.")
            }
            return gesture
        })
    var gesture = PressRequest.Gesture.short

    @Option(
        help: ArgumentHelp(
            "Which button, in the order of the [[button]] tables; the first is 0.", valueName: "number"))
    var button = 0

    func validate() throws {
        guard button >= 0 else { throw ValidationError("Buttons are counted from 0.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ControlClientError) in
            try await ControlClient.running.press(gesture, button: button)
        }
    }
}

/// `boardd refresh`: ask every operator now.
struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Have the running board ask about every stop as soon as the quotas allow.",
        discussion: "Example: boardd refresh && sleep 2 && boardd status")

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ControlClientError) in
            try await ControlClient.running.refresh()
        }
    }
}

/// `boardd reload`: read the files anew.
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have the running board read its configuration anew.",
        discussion: """
            Where a file is faulty, every fault is printed with its place, the board goes on with what it had, and the exit \
            status is 78. Keys are read by systemd when boardd starts: after a change of keys.env, restart it. \
            Example: sudoedit /etc/boardd/boardd.toml && boardd reload
            """)

    func run() async throws {
        try await CommandError.exitOnFailure {
            try await ControlClient.running.reload()
            try StandardOutput.write("the configuration was read anew\n")
        }
    }
}

extension ControlClient {
    /// The board of this machine.
    static var running: ControlClient {
        ControlClient(path: Folders(environment: Environment.current).controlSocket)
    }
}
