import FoundationEssentials
import Testing
import Waiting

@testable import boardd

@Suite("boardd config, and which file a table is from", .endsHangs)
struct ConfigCommandTests {
    @Test func `a setting is checked, written with the file's comments, and printed with its file`() async throws {
        let board = try InstalledBoard(board: "# mine\n#[display]\n#size = \"20x4\"\n")
        let path = "\(board.path)/etc/boardd.toml"
        let set = try await board.run("config", "set", "display.size", "16x2")
        #expect(set.status == 0 && set.output == "display.size set in \(path)\n", "\(set)")
        #expect(try await board.run("config", "set", "display.brightness", "30").status == 0)
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(
            text.contains("# mine\n[display]\n") && text.contains("\n#size = \"20x4\"\nsize = \"16x2\"\n"), "\(text)")
        #expect(try await board.run("config", "get", "display.size").output == "\"16x2\"\n")
        let all = try await board.run("config", "get").output
        #expect(all.contains("display.brightness = 30   # \(path)\n"), "\(all)")
        #expect(try await board.run("config", "get", "display.rom").status != 0)
    }

    @Test(
        "a value that is not allowed changes nothing, and the message says what is",
        arguments: [
            ("display.size", "20x3", "must be"), ("display.sise", "16x2", "did you mean \"size\""),
            ("size", "16x2", "such as display.size"), ("display.size", "16x2\n[page]", "one line"),
        ])
    func rejected(name: String, value: String, message: String) async throws {
        let board = try InstalledBoard(board: "# mine\n")
        let set = try await board.run("config", "set", name, value)
        #expect(set.status != 0 && set.errors.contains(message), "\(set)")
        let text = try Data(contentsOf: URL(filePath: "\(board.path)/etc/boardd.toml"))
        #expect(String(decoding: text, as: UTF8.self).contains("# mine\n"))
        #expect(!String(decoding: text, as: UTF8.self).contains("16x2"))
    }

    @Test func `check, doctor and report name the file of each table, and config what it hides`() async throws {
        let board = try InstalledBoard()
        let folder = "\(board.stateFolder)/settings"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = "key-entered-by-phone"
        try Data("[display]\nsize = \"16x2\"\n# end\n".utf8).write(to: URL(filePath: "\(folder)/settings.toml"))
        try Data("TFL_APP_KEY=\(key)\n".utf8).write(to: URL(filePath: "\(folder)/keys.env"))
        for command in ["check", "doctor", "report"] {
            let output = try await board.run(command).output
            #expect(output.contains("\(folder)/settings.toml: [display]"), "\(command): \(output)")
            #expect(!output.contains(key), "\(command)")
        }
        let set = try await board.run("config", "set", "display.brightness", "30")
        #expect(set.errors.contains("[display] set by phone is not in use any more: size = \"16x2\""), "\(set)")
        #expect(try await board.run("check").output.contains("[display], not in use: /etc has its own"))
    }
}
