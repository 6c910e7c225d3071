internal import ArgumentParser
internal import BoardCore
internal import BoardService

/// `boardd press`: a button press over the control socket.
struct PressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Press a button of the running board.",
        discussion: """
            The button's [[button]] table in boardd.toml assigns an action to each gesture. On a dark board a press only \
            switches the light on. Example: boardd press hold
            """)

    @Argument(
        help: ArgumentHelp("short, hold, long-hold or double.", valueName: "gesture"),
        completion: .list(Gesture.allCases.map(\.rawValue)),
        transform: { text in
            guard let gesture = Gesture(rawValue: text) else {
                throw ValidationError("\"\(text)\" is not a gesture; write short, hold, long-hold or double.")
            }
            return gesture
        })
    var gesture = Gesture.short

    @Option(
        help: ArgumentHelp(
            "Which button, in the order of the [[button]] tables; the first is 1.", valueName: "number"))
    var button = 1

    func validate() throws {
        guard button >= 1 else { throw ValidationError("Buttons are counted from 1.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ServiceError) in
            try await ConfigurationOption.runningBoard().press(gesture, button: ButtonID(number: button))
        }
    }
}

/// `boardd refresh`: polls every stop now.
struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Poll every stop as soon as the rate limits allow.",
        discussion: "Example: boardd refresh && sleep 2 && boardd status")

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ServiceError) in
            try await ConfigurationOption.runningBoard().refresh()
        }
    }
}

/// `boardd reload`: reloads the configuration.
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration of the running board.",
        discussion: """
            On a fault, every fault is printed with its position, the previous configuration stays active, and the exit \
            status is 78. systemd reads keys.env when boardd starts: restart it after a change of keys. \
            Example: sudoedit /etc/boardd/boardd.toml && boardd reload
            """)

    func run() async throws {
        try await CommandError.exitOnFailure {
            try await ConfigurationOption.runningBoard().reload()
            try StandardOutput.write("configuration reloaded\n")
        }
    }
}
