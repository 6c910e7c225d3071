import Testing
import Waiting

@testable import boardd

@Suite("The help of the commands that use a board", .endsHangs)
struct HelpTests {
    @Test(
        "--help describes a command, with an example",
        arguments: [
            ["favourites", "add"], ["favourites", "remove"], ["favourites", "move"], ["favourites", "lines"],
            ["favourites", "list"], ["press"], ["refresh"], ["reload"], ["status"], ["report"],
            ["hardware", "scan"], ["hardware", "test"], ["setup"], ["demo"], ["doctor"], ["cities", "search"],
            ["cities", "show"], ["cities", "add"], ["cities", "remove"],
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
            (["press", "long"], "short, hold, long-hold or double"), (["press", "--button=-1"], "from 0"),
            (["favourites", "move", "tfl:1", "0"], "counted from 1"), (["favourites", "move", "tfl:1"], "<position>"),
            (["favourites", "add", "tfl:1", "--position", "0"], "counts from 1"),
            (["favourites", "add", "tfl:1", "--walk", "3h"], "from 30s to 2h"),
            (["favourites", "add", "tfl:1", "--walk", "7"], "such as \"30s\" or \"4m\""),
            (["favourites", "add", "tfl:1", "--uncatchable", "show"], "must be \"hide\" or \"mark\""),
            (["favourites", "add", "tfl:1", "--sort", "name"], "must be \"time\", \"line\" or \"destination\""),
            (["favourites", "add", "tfl:1", "--when", "weekdys"], "did you mean weekdays?"),
            (["favourites", "add", "tfl:1", "--when", "daily", "--when", "daily"], "is a duplicate"),
            (["favourites", "add", "tfl:1", "--when", "daily", "06:30-09:30"], "06:30-09:30"),
            (["favourites", "add", "tfl:1", "--platforms", ","], "at least one of the platforms"),
            (["favourites", "lines", "tfl:1", ","], "at least one of the lines"), (["favourites", "swap"], "swap"),
            (["hardware", "test", "--pause", "0"], "from 1 to 60"),
        ])
    func wrongUse(arguments: [String], words: String) async throws {
        let program = try Program(arguments)
        #expect(await program.end() == ExitStatus.usage)
        #expect(program.errors.contains(words), "\(program.errors)")
        #expect(program.output.isEmpty)
    }
}
