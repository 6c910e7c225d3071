import BoardCore
import Foundation
import Testing

@testable internal import BoardStore

@Suite("Writing the board's own layer")
struct OwnLayerEditorTests {
    /// A board's files, and the editor of its own layer.
    private struct Layer: ~Copyable {
        let folder: ConfigurationDirectory
        let own: OwnLayer
        let editor: OwnLayerEditor

        init(_ files: [String: String] = [:]) throws {
            folder = try ConfigurationDirectory(files)
            let own = OwnLayer(folder: "\(folder.path)/own")
            self.own = own
            let source = ConfigurationSource.directory(folder.path)
            editor = OwnLayerEditor(own) { text in
                ConfigurationLoader(declarations: declarations)
                    .faults(ofOwnSettings: text, in: own, below: source, environment: [:])
            }
        }

        func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

        func load() throws -> Configuration {
            try ConfigurationLoader(declarations: declarations)
                .load(.directory(folder.path), own: own, environment: [:])
        }
    }

    @Test func `a table is written, holds, is replaced and is removed, and other tables stay`() throws {
        let layer = try Layer()
        #expect(try layer.editor.replace(["language": [["code": .text("de"), "clock": .text("12h")]]]) == [])
        #expect(
            try layer.editor.replace([
                "quiet": [
                    ["from": .text("23:00"), "to": .text("6:30")], ["from": .text("9:00"), "to": .text("10:00")],
                ]
            ]) == [])
        var loaded = try layer.load()
        #expect(loaded.board.language == .german && loaded.board.clock == .h12 && loaded.board.quiet.count == 2)
        #expect(try layer.editor.replace(["language": [["code": .text("fr")]]]) == [])
        loaded = try layer.load()
        #expect(loaded.board.language == .french && loaded.board.clock != .h12 && loaded.board.quiet.count == 2)
        #expect(try layer.editor.replace(["quiet": []]) == [])
        loaded = try layer.load()
        #expect(loaded.board.language == .french && loaded.board.quiet.isEmpty)
        #expect(loaded.setAside == nil && loaded.warnings.filter { $0.kind != .unreadable } == [])
    }

    @Test func `what would be a fault is not written, and names the value`() throws {
        let layer = try Layer()
        _ = try layer.editor.replace(["language": [["code": .text("de")]]])
        let before = layer.text(layer.own.settingsPath)
        let faults = try layer.editor.replace(["language": [["code": .text("tlh")]]])
        #expect(faults.first?.value?.key == "code" && faults.first?.value?.allowed.contains("fr") == true)
        #expect(layer.text(layer.own.settingsPath) == before)
    }

    @Test(arguments: [
        ["page": [["change": SettingValue.text("network")]]],
        ["display": [["size = \"20x4\"\n[page]\nchange": SettingValue.text("network")]]],
        ["display": [["size": SettingValue.text("20x4\"\n[page]\nchange = \"network")]]],
        ["display]\n[page": [["change": SettingValue.text("network")]]],
        ["language": [["code": SettingValue.list([.text("de")])]]],
        ["feed.motis": [["url": SettingValue.text("https://evil.example")]]],
        ["display": [["bus": SettingValue.text("/etc/shadow")]]],
    ])
    func `no value, key or name leads out of the allow-list`(tables: [String: [[String: SettingValue]]]) throws {
        let layer = try Layer()
        #expect(try layer.editor.replace(tables) != [])
        #expect(layer.text(layer.own.settingsPath) == nil)
        #expect(try layer.load().page == PageOptions())
    }

    @Test func `the last good settings stay beside new ones, and faulty ones are never kept as the good ones`() throws {
        let layer = try Layer()
        _ = try layer.editor.replace(["language": [["code": .text("de")]]])
        _ = try layer.editor.replace(["language": [["code": .text("fr")]]])
        #expect(layer.text("\(layer.own.settingsPath).1")?.contains("\"de\"") == true)
        // A card that is worn out.
        try layer.folder.write(Array("[language".utf8), to: "own/settings.toml", mode: 0o644)
        #expect(try layer.load().board.language == .german)
        _ = try layer.editor.replace(["pages": [["rotate": .text("off")]]])
        #expect(layer.text("\(layer.own.settingsPath).1")?.contains("\"de\"") == true)
        let loaded = try layer.load()
        #expect(loaded.board.language == .german && loaded.board.rotation == .off && loaded.setAside == nil)
    }

    @Test func `the settings that hold replace a faulty file, also unchanged`() throws {
        let layer = try Layer()
        _ = try layer.editor.replace(["language": [["code": .text("de")]]])
        _ = try layer.editor.replace(["language": [["code": .text("fr")]]])
        try layer.folder.write(Array("[language".utf8), to: "own/settings.toml", mode: 0o644)
        #expect(try layer.load().setAside != nil)
        #expect(try layer.editor.replaceAll(with: try layer.editor.settings()) == [])
        let loaded = try layer.load()
        #expect(loaded.board.language == .german && loaded.setAside == nil)
    }

    @Test func `a key is written for the daemon alone, replaced and removed`() throws {
        let layer = try Layer()
        #expect(try layer.editor.set("TFL_APP_KEY", to: "one"))
        #expect(try layer.editor.set("OTHER_KEY", to: "x=y"))
        #expect(try layer.editor.set("TFL_APP_KEY", to: "two"))
        #expect(layer.text(layer.own.keysPath) == "OTHER_KEY=x=y\nTFL_APP_KEY=two\n")
        let mode = try FileManager.default.attributesOfItem(atPath: layer.own.keysPath)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try layer.editor.set("TFL_APP_KEY", to: nil))
        #expect(layer.text(layer.own.keysPath) == "OTHER_KEY=x=y\n")
    }

    @Test func `a key in a file that a worn-out card damaged is written, and what is no line of it goes`() throws {
        let layer = try Layer()
        try layer.folder.write(
            Array("OTHER_KEY=x=y\nTFL_APP_KEY=\0\0\0\0\nha\0lf\n\0\0\nTHIRD_KEY=ha".utf8), to: "own/keys.env")
        #expect(try layer.editor.set("TFL_APP_KEY", to: "one"))
        #expect(layer.text(layer.own.keysPath) == "OTHER_KEY=x=y\nTFL_APP_KEY=one\n")
    }

    @Test(arguments: [
        "", "a b", "one\nRAIL_TOKEN=two", "\"quoted\"", "schlüssel", "tab\t", String(repeating: "k", count: 1_001),
    ])
    func `what is no key is not written`(text: String) throws {
        let layer = try Layer()
        #expect(try !layer.editor.set("TFL_APP_KEY", to: text))
        #expect(layer.text(layer.own.keysPath) == nil)
    }
}
