internal import ArgumentParser
internal import BoardCore
internal import BoardService

/// `boardd show`: a page of the running board.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Turn the running board to a page.",
        discussion: """
            As if the button had stepped there: the board returns home after `return_home`. A dark board is lit for `wake`. \
            Example: boardd show "Oxford Street"
            """)

    @Argument(help: "overview, a stop (feed:code), or the title of a page, as boardd status --json lists them.")
    var page: String

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ServiceError) in
            try await ConfigurationOption.runningBoard().show(page: page)
        }
    }
}

/// `boardd light`: the light of the display.
struct LightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "light", abstract: "Switch the light of the running board's display.",
        discussion: """
            on: lit, also in quiet hours, until boardd light auto. off: dark, until boardd light auto or a press. auto: dark in \
            quiet hours. Example: boardd light off
            """)

    @Argument(
        help: ArgumentHelp("auto, on or off.", valueName: "mode"),
        completion: .list(LightMode.allCases.map(\.rawValue)),
        transform: { text in
            guard let mode = LightMode(rawValue: text) else {
                throw ValidationError("\"\(text)\" is not a mode of the light; write auto, on or off.")
            }
            return mode
        })
    var mode: LightMode

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ServiceError) in
            try await ConfigurationOption.runningBoard().setLight(mode)
        }
    }
}

/// `boardd message`: a text on the display.
struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Show a message on the display of the running board.",
        discussion: """
            It lights the display in quiet hours; a press ends it. Text that the display has no room for is shown in turns. \
            Example: boardd message "Dinner is ready" --seconds 120
            """)

    @Argument(help: "One line of at most 200 characters.")
    var text: String

    @Option(help: ArgumentHelp("How long, from 1 to 3600.", valueName: "seconds"))
    var seconds = BoardMessage.defaultSeconds

    func run() async throws {
        try await CommandError.exitOnFailure { () throws(ServiceError) in
            try await ConfigurationOption.runningBoard().show(BoardMessage(text, seconds: seconds))
        }
    }
}
