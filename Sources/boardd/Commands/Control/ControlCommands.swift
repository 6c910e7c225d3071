import ArgumentParser
import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore
import Glibc

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Turn the running board to a page.",
        discussion: """
            As if the button had stepped there: the board returns home after `return_home`. A dark board is lit for `wake`. \
            Example: boardd show "Oxford Street"
            """)

    @Argument(
        help: """
            overview, a stop (feed:code), a favourite's number, or the title of a page, as boardd status --json lists them.
            """)
    var page: String

    func run() async throws {
        let board = ConfigurationOption.runningBoard()
        let called = ConfigurationOption.installed.readable.entries.called(page)
        try await board.show(page: called.count == 1 ? called[0].stop.description : page)
    }
}

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
        transform: LightMode.reading("a mode of the light"))
    var mode: LightMode

    func run() async throws {
        try await ConfigurationOption.runningBoard().setLight(mode)
    }
}

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Show a message on the display of the running board.",
        discussion: """
            It lights the display in quiet hours; a press ends it. Text that does not fit on the display is shown in turns. \
            Example: boardd message "Dinner is ready" --seconds 120
            """)

    @Argument(help: "One line of at most 200 characters.")
    var text: String

    @Option(help: ArgumentHelp("How long, from 1 to 3600.", valueName: "seconds"))
    var seconds = BoardMessage.defaultSeconds

    func run() async throws {
        try await ConfigurationOption.runningBoard().show(BoardMessage(text, seconds: seconds))
    }
}

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
        transform: Gesture.reading("a gesture"))
    var gesture = Gesture.short

    @Option(
        help: ArgumentHelp("Which button, in the order of the [[button]] tables; the first is 1.", valueName: "number"))
    var button = 1

    func validate() throws {
        guard button >= 1 else { throw ValidationError("Buttons are counted from 1.") }
    }

    func run() async throws {
        try await ConfigurationOption.runningBoard().press(gesture, button: ButtonID(number: button))
    }
}

struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Poll every stop as soon as the rate limits allow.",
        discussion: "Example: boardd refresh && sleep 2 && boardd status")

    func run() async throws {
        try await ConfigurationOption.runningBoard().refresh()
    }
}

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration of the running board.",
        discussion: """
            On a fault, every fault is printed with its position, the previous configuration stays active, and the exit \
            status is 78. systemd reads keys.env when boardd starts: restart it after a change of keys. \
            Example: sudoedit /etc/boardd/boardd.toml && boardd reload
            """)

    func run() async throws {
        try await ConfigurationOption.runningBoard().reload()
        try StandardOutput.write("configuration reloaded\n")
    }
}

/// `boardd logs`: the service's log, which systemd keeps.
struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Print the log of the board's service, and follow it.",
        discussion: """
            Runs journalctl -u boardd -f; Ctrl-C ends it. Only root and members of the groups adm and systemd-journal may read \
            the log. Example: sudo boardd logs --lines 200
            """)

    @Option(help: ArgumentHelp("How many of the last lines are printed first.", valueName: "count"))
    var lines = 20

    func validate() throws {
        guard lines >= 0 else { throw ValidationError("--lines needs a count of 0 or more.") }
    }

    func run() async throws {
        let number = Subprocess.become(["journalctl", "-u", "boardd", "-n", "\(lines)", "-f"])
        throw number == ENOENT
            ? ServiceError(
                .unavailable,
                "this machine has no journalctl: without systemd, boardd run prints its log on standard error")
            : ServiceError(.failed, "journalctl cannot be run: \(errnoText(number))")
    }
}
