import BoardCore
import BoardIO
import FoundationEssentials
import Glibc
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("The program's output and start, as a process", .endsHangs)
struct StandardStreamTests {
    /// Unsafe for a terminal: ESC, a C1 control, the mark that reverses a line, its end, and an isolate.
    private static let nasty = "Ev\u{1B}[2J\u{9B}31mil\u{202E}gnp\u{202C}\u{2066}"

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t"
                || scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
                    && !(0x2066...0x2069).contains(scalar.value)
        }
    }

    @Test("no text of a file or an operator moves a terminal's cursor or reverses a line")
    func filtered() async throws {
        let board = try InstalledBoard(
            favourites: "[[stop]]\nid = \"tfl:490000001A\"\nlabel = \"Ev\u{202E}il\u{2066}\"\n")
        let moment = SystemClock().reading().wall
        let stop = ListedStop(
            id: SampleDirectory.id("490000001A"), kind: .pole, name: Self.nasty, letter: "\u{202E}A", modes: ["bus"],
            lines: [ListedLine(Line(id: "7", name: Self.nasty), mode: "bus")],
            coordinates: Coordinates(latitude: 51.5, longitude: -0.1))
        try SampleDirectory.write([stop], in: "\(board.path)/st", at: moment)
        for arguments in [
            ["favourites"], ["favourites", "--json"], ["check"], ["stops", "search", "gnp"],
            ["stops", "search", "gnp", "--json"], ["stops", "show", "tfl:490000001A"],
            ["stops", "map", "tfl:490000001A"],
            ["stops", "lines"],
            ["stops", "lines", "--json"], ["stops", "near", "51.5,-0.1"], ["departures", "\u{202E}\u{1B}[2Jx"],
            ["report"],
            ["--\u{1B}[2J"],
        ] {
            let run = try await board.run(arguments)
            #expect(Self.isHarmless(run.output) && Self.isHarmless(run.errors), "\(arguments): \(run)")
        }
        let json = try await board.run("favourites", "--json")
        #expect(json.output.contains(#""label" : "Ev\u202Eil\u2066""#), "\(json)")
        let favourites = "[[stop]]\nid = \"tfl:490000001A\"\n\"wr\u{202E}ong\u{9B}\" = 1\n"
        try board.folder.write(favourites, to: "etc/favourites.toml")
        let check = try await board.run("check")
        #expect(check.status == 1 && Self.isHarmless(check.output), "\(check)")
    }

    @Test(
        "a result that cannot be written exits with 74 and one line that reports it",
        arguments: [
            ["check"], ["departures", "tfl:490008660N", "--config", Checkout.demo, "--replay", Checkout.recording],
            ["favourites"], ["favourites", "--json"], ["stops", "search", "High"], ["stops", "show", "tfl:490000001A"],
            ["stops", "lines"], ["stops", "near", "51.5,-0.1"], ["report"], ["--help"], ["--version"],
            ["run", "--config", Checkout.demo, "--replay", Checkout.recording, "--frames", "1"],
        ])
    func full(arguments: [String]) async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n")
        try board.makeDirectory()
        for (target, words) in [("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")] {
            let program = try Program(shell: "exec \"$0\" \"$@\" >\(target)", arguments, environment: board.environment)
            #expect(await program.end() == 74, "\(target): \(program.errors)")
            #expect(
                program.errors.contains("cannot write standard output: \(words); the result is lost or incomplete"),
                "\(program.errors)")
        }
    }

    @Test(
        "a pipe that its reader has closed is not a failure",
        arguments: [["--help"], ["favourites", "--json"], ["report"]])
    func closedPipe(arguments: [String]) async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n")
        let pipe = "\(board.path)/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        // Opened in both directions for a moment: a named pipe without a reader cannot be opened for writing.
        let program = try Program(
            shell: "exec 3<>'\(pipe)' 4>'\(pipe)' 3>&-; exec \"$0\" \"$@\" >&4 4>&-", arguments,
            environment: board.environment)
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.errors.isEmpty)
    }

    @Test("too low a limit of open files is an error with what to do", arguments: [4, 6, 10, 20, 34])
    func descriptors(limit: Int) async throws {
        for arguments in [["run", "--config", Checkout.demo, "--frames", "1"], ["check", "--config", Checkout.demo]] {
            let program = try Program(shell: "ulimit -n \(limit); exec \"$0\" \"$@\"", arguments)
            #expect(await program.end() == 71, "\(program.errors)")
            #expect(program.errors.contains("it may open \(limit) files, and needs 48"), "\(program.errors)")
            #expect(program.errors.contains("`ulimit -n`, or LimitNOFILE="), "\(program.errors)")
        }
    }

    @Test("SIGHUP and SIGPIPE are ignored before the program's own code runs", arguments: [SIGHUP, SIGPIPE])
    func ignored(signal: Int32) {
        // The program's entry does not run in the process of the tests: its part in C does.
        var action = sigaction()
        #expect(unsafe sigaction(signal, nil, &action) == 0)
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #expect(handler == 1, "SIG_IGN")
    }
}
