import Testing
import Waiting

@testable import boardd

@Suite("The help of the commands that use a board", .endsHangs)
struct HelpTests {
    @Test(
        "--help describes a command, with an example",
        arguments: [
            ["favourites", "add"], ["favourites", "remove"], ["favourites", "move"], ["favourites", "lines"],
            ["favourites", "list"], ["favourites", "change"], ["departures"], ["press"], ["refresh"], ["reload"],
            ["show"], ["light"], ["message"], ["status"], ["render"], ["report"], ["hardware", "scan"],
            ["hardware", "test"], ["setup"], ["demo"],
            ["doctor"], ["logs"], ["page", "on"], ["page", "off"], ["page", "pair"], ["page", "list"],
            ["page", "remove"],
            ["stops", "search"], ["stops", "near"], ["stops", "lines"], ["stops", "line"],
            ["stops", "show"], ["stops", "update"],
            ["cities", "search"], ["cities", "show"], ["cities", "add"], ["cities", "remove"],
        ])
    func examples(command: [String]) async throws {
        let program = try Program(command + ["--help"])
        #expect(await program.end() == 0)
        let words = program.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Example"), "\(program.output)")
        #expect(words.contains("boardd \(command.joined(separator: " "))"))
        #expect(program.errors.isEmpty)
    }

    @Test(
        "a usage error exits with 64 and states what is right",
        arguments: [
            (["run", "--frame", "3"], "--frames"), (["run", "--frames", "0"], "a count of 1 or more"),
            (["run", "--frames", "many"], "many"), (["run", "--replay", "a", "--record", "b"], "exclude each other"),
            (["departures"], "<stop>"), (["departures", "tfl:1", "--sort", "size"], "time, line or destination"),
            (["press", "long"], "short, hold, long-hold or double"), (["press", "--button=0"], "from 1"),
            (["light", "dim"], "write auto, on or off"), (["message", " "], "text is empty"),
            (["message", "a", "--seconds", "0"], "from 1 to 3600"),
            (["favourites", "move", "tfl:1", "0"], "counted from 1"), (["favourites", "move", "tfl:1"], "<position>"),
            (["favourites", "add", "tfl:1", "--position", "0"], "counts from 1"),
            (["favourites", "add", "tfl:1", "--walk", "3h"], "from 30s to 2h"),
            (["favourites", "add", "tfl:1", "--walk", "7x"], "such as \"30s\" or \"4m\", or a number of minutes"),
            (["favourites", "change", "1"], "Nothing to change"),
            (["favourites", "change", "1", "--walk", "4", "--unset", "walk"], "exclude each other"),
            (["favourites", "change", "1", "--unset", "wlak"], "Did you mean walk?"),
            (["favourites", "change", "1", "--walk", "3h"], "from 30s to 2h"),
            (["departures", "tfl:1", "--running", "--replay", "a"], "exclude each other"),
            (["favourites", "add", "tfl:1", "--sort", "name"], "must be \"time\", \"line\" or \"destination\""),
            (["favourites", "add", "tfl:1", "--when", "weekdys"], "did you mean weekdays?"),
            (["favourites", "add", "tfl:1", "--when", "daily", "--when", "daily"], "is a duplicate"),
            (["favourites", "add", "tfl:1", "--when", "daily", "06:30-09:30"], "06:30-09:30"),
            (["favourites", "add", "tfl:1", "--platforms", ","], "at least one of the platforms"),
            (["favourites", "lines", "tfl:1", ","], "at least one of the lines"),
            (["run", "--page", "8480"], "write 127.0.0.1:8480 for this machine alone"),
            (["demo", "--page", "localhost:8480"], "is not an IP address and a port"),
            (["hardware", "test", "--pause", "0"], "from 1 to 60"),
            (["render", "--format", "png"], "'text' and 'svg'"), (["render", "--name", "x"], "needs a file"),
            (["render", "--colour", "green"], "need --format svg"), (["render", "--rom", "A02"], "need --format svg"),
            (["render", "--format", "svg", "--colour", "red"], "not a colour; write green, blue, white or amber."),
        ])
    func wrongUse(arguments: [String], words: String) async throws {
        let program = try Program(arguments)
        #expect(await program.end() == ExitStatus.usage)
        #expect(program.errors.contains(words), "\(program.errors)")
        #expect(program.output.isEmpty)
    }

    @Test(
        "a word that is no command is reported with the command that was meant, or with those there are",
        arguments: [
            (["chek"], "'chek' is not a command of boardd; did you mean check?\n  See 'boardd --help'"),
            (["favorits", "list"], "did you mean favorites?"),
            (
                ["favourites", "ad", "tfl:1"],
                "'ad' is not a command of boardd favourites; did you mean add?\n  See 'boardd favourites --help'"
            ),
            (["favorites", "remvoe", "1"], "'remvoe' is not a command of boardd favourites; did you mean remove?"),
            (
                ["search", "oxford"],
                "'search' is not a command of boardd; did you mean boardd stops search or boardd cities search?"
            ),
            (["lines"], "did you mean boardd stops lines or boardd favourites lines?"),
            (
                ["hardware", "frobnicate"],
                "'frobnicate' is not a command of boardd hardware; its commands are scan, test."
            ),
        ])
    func unknownCommand(arguments: [String], words: String) async throws {
        try await wrongUse(arguments: arguments, words: words)
    }

    @Test("another mistake in a command line is not taken for an unknown command")
    func otherMistakes() {
        for words in [
            [], ["check", "--onlin"], ["stops"], ["--vresion"], ["favourites", "--json", "swap"], ["help", "chek"],
            ["favourites", "add"],
        ] { #expect(UnknownCommand(words).map { "\($0)" } == nil, "\(words)") }
    }

    @Test("every command that reads the files takes --config; those that only call the running board do not")
    func configuration() async throws {
        let files = [
            ["run"], ["check"], ["departures"], ["report"], ["hardware", "test"], ["stops", "search"],
            ["stops", "near"],
            ["stops", "lines"], ["stops", "line"], ["stops", "show"], ["stops", "update"], ["favourites", "list"],
            ["favourites", "add"], ["favourites", "change"], ["favourites", "remove"], ["favourites", "move"],
            ["favourites", "lines"],
        ]
        for command in files + [
            ["press"], ["show"], ["light"], ["message"], ["refresh"], ["reload"], ["status"], ["render"],
            ["hardware", "scan"],
        ] {
            let program = try Program(command + ["--help"])
            #expect(await program.end() == 0)
            #expect(program.output.contains("--config") == files.contains(command), "\(command)")
        }
    }
}
