import Testing
import Waiting

/// A person at a terminal with `boardd setup`.
final class SetupTerminal: Sendable {
    let terminal: PseudoTerminal
    let program: Program

    init(_ board: InstalledBoard, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        terminal = try PseudoTerminal()
        let own = ["TERM": "xterm", "TMPDIR": board.folder.path]
        program = try Program(
            ["setup"] + arguments,
            environment: board.environment.merging(own) { $1 }.merging(environment) { $1 }, terminal: terminal)
    }

    /// Types an entry at each prompt, which ends with these words; returns the screen at the end of the program.
    func enter(_ entries: [(prompt: String, entry: String)]) async throws -> (status: Int32?, screen: String) {
        var seen = 0
        for (prompt, entry) in entries {
            try await waitForPrompt(prompt, after: &seen)
            terminal.type(entry + "\n")
        }
        let status = await program.end()
        return (status, terminal.screen)
    }

    /// Waits until the last line of the screen is a prompt with these words.
    func waitForPrompt(_ words: String, after seen: inout Int) async throws {
        let start = seen
        var end: Int?
        _ = await eventually {
            let screen = terminal.screen
            let new = screen.dropFirst(start)
            if new.hasSuffix(": "), let last = new.split(whereSeparator: \.isNewline).last, last.contains(words) {
                end = screen.count
            }
            return end != nil || program.poll() != nil
        }
        seen = try #require(end, "no prompt \"\(words)\" in: \(terminal.screen.dropFirst(start))")
    }
}
