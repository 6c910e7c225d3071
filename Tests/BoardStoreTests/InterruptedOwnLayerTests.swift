import BoardCore
import BoardIO
import FileCalls
import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable internal import BoardStore

/// A kill leaves what is on the disk between two file calls. A power loss may also leave a part of the file that was
/// written last, or none of it, where a card does not keep what it was told to.
@Suite("Interrupted writing of the board's own layer", .serialized)
struct InterruptedOwnLayerTests {
    private typealias Files = [String: [UInt8]]

    /// The changes of a set-up, one after another.
    private static let changes: [@Sendable (OwnLayerEditor) throws -> Void] = [
        { _ = try $0.replace(["language": [["code": .text("de"), "clock": .text("12h")]]]) },
        { _ = try $0.set("DEMO_TOKEN", to: "a-first-key") },
        {
            let windows: [[String: SettingValue]] = [
                ["from": .text("23:00"), "to": .text("6:30")], ["from": .text("9:00"), "to": .text("10:00")],
            ]
            _ = try $0.replace(["quiet": windows])
        },
        { _ = try $0.set("DEMO_TOKEN", to: "another-key") },
        { _ = try $0.replace(["language": [["code": .text("fr")]]]) },
        { _ = try $0.set("TFL_APP_KEY", to: "of-tfl") },
        { _ = try $0.replace(["quiet": [], "pages": [["rotate": .text("off")]]]) },
    ]

    /// What a board uses.
    private struct Used: Hashable {
        var board: BoardOptions
        var keys: [String]

        init(_ configuration: Configuration) {
            board = configuration.board
            keys = configuration.feeds.sorted { $0.key.description < $1.key.description }
                .flatMap { feed in ["DEMO_TOKEN", "TFL_APP_KEY"].compactMap { feed.value.secret($0)?.revealed } }
        }
    }

    /// A board whose own layer a test puts into any state.
    private final class Board {
        let folder: ConfigurationDirectory
        let own: OwnLayer
        private(set) var states: [Files] = []

        init() throws {
            folder = try ConfigurationDirectory()
            own = OwnLayer(folder: "\(folder.path)/own")
        }

        var editor: OwnLayerEditor {
            let (own, source) = (own, ConfigurationSource.directory(folder.path))
            return OwnLayerEditor(own) { text in
                ConfigurationLoader(declarations: declarations)
                    .faults(ofOwnSettings: text, in: own, below: source, environment: [:])
            }
        }

        func load() throws -> Configuration {
            try ConfigurationLoader(declarations: declarations)
                .load(.directory(folder.path), own: own, environment: [:])
        }

        var files: Files {
            get {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: own.folder)) ?? []
                return Dictionary(
                    uniqueKeysWithValues: names.map { name in
                        (
                            name,
                            (try? Data(contentsOf: URL(filePath: "\(own.folder)/\(name)"))).map { [UInt8]($0) } ?? []
                        )
                    })
            }
            set {
                try? FileManager.default.removeItem(atPath: own.folder)
                if newValue.isEmpty { return }
                for (name, bytes) in newValue {
                    #expect(throws: Never.self) { try folder.write(bytes, to: "own/\(name)") }
                }
            }
        }

        /// Makes a change; returns what is on the disk before each of its file calls, and after the last one.
        func states(of change: (OwnLayerEditor) throws -> Void) throws -> [Files] {
            states = []
            unsafe file_calls_watch(
                own.folder,
                { context in
                    guard let context = unsafe context else { return }
                    let board = unsafe Unmanaged<Board>.fromOpaque(context).takeUnretainedValue()
                    board.states.append(board.files)
                }, Unmanaged.passUnretained(self).toOpaque())
            defer { unsafe file_calls_watch(own.folder, nil, nil) }
            try change(editor)
            return states + [files]
        }
    }

    /// Expects that the next change is made, and holds beside what is used.
    private func expectNextChange(_ board: Board, beside used: Used, _ place: Comment) throws {
        #expect(try board.editor.replace(["light": [["wake": .text("44s")]]]) == [], place)
        #expect(try board.editor.set("DEMO_TOKEN", to: "the-next-key"), place)
        let configuration = try board.load()
        var expected = used.board
        expected.wake = .seconds(44)
        #expect(configuration.board == expected && configuration.setAside == nil, place)
        #expect(Used(configuration).keys.first == "the-next-key", place)
        #expect(board.files.keys.allSatisfy { !$0.contains(".new-") }, "\(place): \(board.files.keys)")
    }

    @Test func `killed before any file call, the old or the new settings and keys hold, and the next change is made`()
        throws
    {
        let board = try Board()
        var interruptions = 0
        for (number, change) in Self.changes.enumerated() {
            let before = board.files
            let old = Used(try board.load())
            let states = try board.states(of: change)
            let after = board.files
            let new = Used(try board.load())
            #expect(old != new && states.count > 6, "change \(number): \(states.count) file calls")
            for (index, state) in states.enumerated() where state != before || index == 0 {
                board.files = state
                interruptions += 1
                let loaded = try board.load()
                let place: Comment = "change \(number), file call \(index)"
                #expect([old, new].contains(Used(loaded)) && loaded.setAside == nil, place)
                try expectNextChange(board, beside: Used(loaded), place)
            }
            board.files = after
        }
        #expect(interruptions > 40)
    }

    /// What a card may make of a file that was just written.
    private static func damages(_ bytes: [UInt8]) -> [[UInt8]] {
        var damages = bytes.indices.map { Array(bytes[..<$0]) }
        for start in stride(from: 0, to: bytes.count, by: 8) {
            for end in [min(start + 8, bytes.count), bytes.count] {
                var zeroed = bytes
                zeroed.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
                damages.append(zeroed)
            }
        }
        return damages
    }

    @Test func `a file of which the power left a part is not used, and the next change is made`() throws {
        let board = try Board()
        var interruptions = 0
        for (number, change) in Self.changes.enumerated() {
            let old = Used(try board.load())
            let states = try board.states(of: change)
            let after = board.files
            let new = Used(try board.load())
            for (last, state) in zip(states, states.dropFirst()) {
                // The file that has just been renamed.
                guard
                    let name = ["settings.toml.1", "settings.toml", "keys.env"].first(where: { state[$0] != last[$0] })
                else { continue }
                for damaged in Self.damages(try #require(state[name])) {
                    var files = state
                    files[name] = damaged
                    board.files = files
                    interruptions += 1
                    let loaded = try board.load()
                    let place: Comment = "change \(number), \(name): \(String(decoding: damaged, as: UTF8.self))"
                    if name == "keys.env" {
                        let keys = Set(old.keys + new.keys)
                        #expect(loaded.board == old.board && Used(loaded).keys.allSatisfy(keys.contains), place)
                    } else {
                        #expect(Used(loaded) == old, place)
                        #expect((loaded.setAside != nil) == (name == "settings.toml"), place)
                    }
                    if interruptions % 8 == 0 { try expectNextChange(board, beside: Used(loaded), place) }
                }
            }
            board.files = after
        }
        #expect(interruptions > 500, "\(interruptions)")
    }

    @Test func `a full disk is said, and the old settings and keys hold`() async throws {
        await #expect(processExitsWith: .success) {
            let board = try Board()
            for change in Self.changes.prefix(3) { try change(board.editor) }
            let before = board.files
            _ = signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 10, rlim_max: 10)
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect(throws: FileError.self) { try board.editor.replace(["language": [["code": .text("fr")]]]) }
            #expect(throws: FileError.self) { try board.editor.set("DEMO_TOKEN", to: "another-key") }
            #expect(board.files == before)
        }
    }
}
