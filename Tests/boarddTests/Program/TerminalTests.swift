import Glibc
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("boardd run --simulate, on a terminal", .serialized, .endsHangs)
struct TerminalTests {
    private static let arguments = ["run", "--config", Checkout.demo, "--replay", Checkout.recording, "--simulate"]

    /// The program on a terminal, with the display on it and the keys read.
    private func started() async throws -> (terminal: PseudoTerminal, program: Program) {
        let terminal = try PseudoTerminal()
        let program = try Program(Self.arguments, environment: ["TERM": "xterm"], terminal: terminal)
        #expect(await eventually { terminal.takesKeys && terminal.screen.contains("Oxford St N") })
        return (terminal, program)
    }

    @Test("q and Ctrl-C end it, and the terminal's settings are restored", arguments: ["q", "\u{3}"])
    func quit(key: String) async throws {
        let (terminal, program) = try await started()
        terminal.type(key)
        #expect(await program.end() == 0)
        #expect(!terminal.takesKeys)
        #expect(terminal.echoes)
        #expect(terminal.screen.contains("boardd stopped at"))
    }

    @Test("the log is not drawn over: it is written when the terminal's own screen is back")
    func log() async throws {
        let (terminal, program) = try await started()
        #expect(!terminal.screen.contains("notice:"))
        #expect(await program.terminate() == 0)
        let ownScreen = "\u{1B}[?1049l"
        let parts = terminal.screen.split(separator: ownScreen, maxSplits: 1)
        try #require(parts.count == 2)
        #expect(parts[1].contains("notice: boardd \(Version.number) started with 5 favourites"))
        #expect(parts[1].contains("notice: boardd stopped"))
    }

    @Test("a key is a press")
    func press() async throws {
        let (terminal, program) = try await started()
        terminal.type(" ")
        #expect(await eventually { terminal.screen.contains("Gt Portland") || terminal.screen.contains("2/") })
        terminal.type("q")
        #expect(await program.end() == 0)
    }

    @Test("a closed window ends it, although that signal means to reload")
    func closed() async throws {
        let (terminal, program) = try await started()
        program.signal(SIGHUP)
        terminal.hangUp()
        #expect(await program.end() == 0)
    }
}
