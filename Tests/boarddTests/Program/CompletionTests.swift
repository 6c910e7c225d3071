import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("Completions of the command line", .endsHangs)
struct CompletionTests {
    private static let favourites = """
        [[stop]]
        id = "tfl:490000001A"
        label = "Oxford St"
        [[stop]]
        id = "tfl:490000001B"
        label = "$(touch pwned); `touch pwned` 'x"
        [[stop]]
        id = "rail:PAD"
        name = "London Paddington"

        """

    /// The completions of the last word of a command line, as bash lists them.
    private func bash(_ board: InstalledBoard, _ line: String...) async throws -> [String] {
        let script = """
            exec bash -c '
                source <("$0" --generate-completion-script bash)
                COMP_WORDS=("$0" "$@") COMP_CWORD=$# COMP_LINE="$0 $*" COMP_POINT=${#COMP_LINE}
                _boardd "$0" "${@: -1}" "${@: -2:1}"
                printf "%s\\n" "${COMPREPLY[@]}"
            ' "$0" "$@"
            """
        let program = try Program(shell: script, line, environment: board.environment)
        #expect(await program.end() == 0)
        #expect(program.errors.isEmpty, "\(program.errors)")
        return program.output.split(separator: "\n").map { String($0) }
    }

    @Test("gestures, orders, settings, formats, colours, feeds, modes and one's own favourites are completed")
    func words() async throws {
        let board = try InstalledBoard(favourites: Self.favourites)
        try board.makeDirectory()
        #expect(try await bash(board, "press", "").contains("long-hold"))
        #expect(try await bash(board, "departures", "tfl:1", "--sort", "") == ["time", "line", "destination"])
        #expect(try await bash(board, "favourites", "add", "x", "--sort", "l") == ["line"])
        #expect(try await bash(board, "favourites", "change", "1", "--unset", "w") == ["walk", "when"])
        #expect(try await bash(board, "render", "--format", "") == ["text", "svg"])
        #expect(try await bash(board, "render", "--colour", "") == ["green", "blue", "white", "amber"])
        #expect(try await bash(board, "stops", "near", "x", "--mode", "") == ["bus", "tube"])
        let feeds = try await bash(board, "stops", "update", "")
        #expect(
            feeds.prefix(2) == ["rail", "tfl"] && feeds.contains("motis") && !feeds.contains { $0.contains("NAME") })
        for command in [["favourites", "remove"], ["favourites", "change"], ["departures"], ["stops", "show"]] {
            let words = command + [""]
            let found = try await words.count == 3 ? bash(board, words[0], words[1], "") : bash(board, words[0], "")
            #expect(found.contains("Oxford St") && found.contains("PAD"), "\(found)")
        }
    }

    @Test("a label is completed as text, whatever a shell could run in it")
    func hostileLabel() async throws {
        let board = try InstalledBoard(favourites: Self.favourites)
        let found = try await bash(board, "favourites", "remove", "")
        #expect(found.contains("$(touch pwned); `touch pwned` 'x"), "\(found)")
        #expect(!FileManager.default.fileExists(atPath: "pwned"))
        #expect(try await bash(board, "favourites", "remove", "Ox") == ["Oxford St"])
    }

    @Test("other shells get identifiers with their names", arguments: ["zsh", "fish"])
    func otherShells(shell: String) async throws {
        let board = try InstalledBoard(favourites: Self.favourites)
        let program = try Program(
            [
                "---completion", "favourites", "remove", "--", "positional@0", "3", "0", "boardd", "favourites",
                "remove", "",
            ],
            environment: board.environment.merging(["SAP_SHELL": shell]) { $1 })
        #expect(await program.end() == 0, "\(program.errors)")
        let expected = shell == "zsh" ? "rail\\:PAD:London Paddington" : "rail:PAD\tLondon Paddington"
        #expect(program.output.split(separator: "\n").contains { $0 == expected }, "\(program.output)")
    }

    @Test("the favourites are those of --config")
    func configuration() async throws {
        let board = try InstalledBoard(favourites: Self.favourites)
        let other = try TemporaryFolder(["boardd.toml": "", "favourites.toml": "[[stop]]\nid = \"tfl:9\"\n"])
        let found = try await bash(board, "favourites", "remove", "--config", "\(other.path)/boardd.toml", "")
        #expect(found == ["9"])
    }
}
