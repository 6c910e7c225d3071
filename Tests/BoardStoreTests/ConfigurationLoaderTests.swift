import BoardCore
import BoardDisplays
import FoundationEssentials
import Glibc
import Testing

@testable internal import BoardStore

@Suite("The location of a configuration")
struct ConfigurationLoaderTests {
    let loader = ConfigurationLoader(declarations: declarations)

    @Test("a missing installed configuration means all defaults, with a warning")
    func missingDirectory() throws {
        let configuration = try loader.load(.directory("/nonexistent/boardd"), environment: [:])
        #expect(configuration.board == BoardOptions())
        #expect(
            configuration.warnings.map(\.description) == ["/nonexistent/boardd/boardd.toml: not found; using defaults"])
    }

    @Test("a file that the user names must exist")
    func missingFile() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try loader.load(.file("/nonexistent/my.toml"), environment: [:])
        }
        #expect(error?.description == "/nonexistent/my.toml: cannot be read: No such file or directory")
        #expect(error?.isIncomplete == true)
        #expect(error?.position == FilePosition(file: "my.toml"))
    }

    @Test("favourites and keys are read from the folder of a named file")
    func beside() throws {
        let directory = try ConfigurationDirectory([
            "my.toml": "log.level = 'debug'", "favourites.toml": "[[stop]]\nid = 'demo:1'", "keys.env": "DEMO_TOKEN=x",
        ])
        let configuration = try loader.load(.file("\(directory.path)/my.toml"), environment: [:])
        #expect(configuration.logLevel == .debug)
        #expect(configuration.favourites.count == 1)
        #expect(configuration.feeds[FeedName("demo")]?.secret("DEMO_TOKEN") != nil)
        #expect(configuration.warnings.isEmpty)
    }

    @Test(
        "in root's folder, settings of another owner are not used: the daemon may write there, and must not choose its own"
    )
    func owner() throws {
        guard geteuid() == 0 else { return print("skipped: only root can give files to others") }
        let directory = try ConfigurationDirectory([
            "boardd.toml": "log.level = 'debug'", "feeds.d/town.toml": "[feed.town.a]",
            "favourites.toml": "[[stop]]\nid = 'demo:1'", "keys.env": "DEMO_TOKEN=x",
        ])
        for (name, hasFault) in [
            ("favourites.toml", false), ("keys.env", false), ("feeds.d/town.toml", true), ("boardd.toml", true),
        ] {
            let path = "\(directory.path)/\(name)"
            #expect(unsafe chown(path, 12_345, 12_345) == 0)
            var faults: [String] = []
            do { _ = try directory.load() } catch let failure as ConfigurationError {
                faults = failure.faults.map(\.description)
            }
            #expect(
                faults.count == (hasFault ? 1 : 0)
                    && faults.allSatisfy { $0.hasPrefix("\(path): does not belong to root") }, "\(faults)")
            #expect(unsafe chown(path, 0, 0) == 0)
        }
    }

    @Test("root's own link to settings of another owner is root's choice")
    func link() throws {
        guard geteuid() == 0 else { return print("skipped: only root can give files to others") }
        let directory = try ConfigurationDirectory(["mine.toml": "log.level = 'debug'"])
        #expect(unsafe chown("\(directory.path)/mine.toml", 12_345, 12_345) == 0)
        #expect(unsafe symlink("mine.toml", "\(directory.path)/boardd.toml") == 0)
        #expect(try directory.load().logLevel == .debug)
    }

    @Test("a folder instead of a file is an error")
    func directoryAsFile() throws {
        let directory = try ConfigurationDirectory()
        let error = #expect(throws: ConfigurationError.self) {
            try loader.load(.file(directory.path), environment: [:])
        }
        #expect(error?.faults.first?.message == "cannot be read: Is a directory")
    }

    /// The values of files with faults.
    private func readable(_ board: String, favourites: String) throws -> Configuration? {
        let directory = try ConfigurationDirectory(["boardd.toml": board, "favourites.toml": favourites])
        do {
            _ = try directory.load(["DEMO_TOKEN": "x"])
            return nil
        } catch let faults as ConfigurationError { return faults.partial }
    }

    @Test("a typo in favourites.toml affects neither the display, nor other favourites, nor keys")
    func partialFavourites() throws {
        let partial = try #require(
            try readable(
                "[display]\nsize = '16x2'\naddress = 0x3f",
                favourites: "[[stop]]\nid = 'demo:1'\nlabl = 'A'\n[[stop]]\nid = 'dmo:2'\n[[stop]]\nid = 'demo:3'"))
        #expect(partial.display.panel.size == DisplaySize(columns: 16, rows: 2))
        #expect(partial.display.address == .fixed(0x3F))
        #expect(partial.favourites.map(\.stop.code) == ["1", "3"])
        #expect(partial.feeds[FeedName("demo")]?.secret("DEMO_TOKEN") != nil)
        let broken = try #require(try readable("[display]\nsize = '16x2'", favourites: "[[stop\n"))
        #expect(broken.display.panel.size == DisplaySize(columns: 16, rows: 2))
        #expect(broken.favourites.isEmpty)
    }

    @Test("a faulty value has its default, a faulty button is absent, and the rest is valid")
    func partialBoard() throws {
        let partial = try #require(
            try readable(
                "[display]\nsize = '16x2'\nrom = 'A9'\n[[button]]\n[[button]]\nline = 17\n[[button]]\nline = 5\n[bord]",
                favourites: "[[stop]]\nid = 'demo:1'"))
        #expect(partial.display.panel == Panel(size: DisplaySize(columns: 16, rows: 2)))
        #expect(partial.buttons.map(\.wiring.line) == [17, 5])
        #expect(partial.favourites.count == 1)
        let broken = try #require(try readable("[display", favourites: "[[stop]]\nid = 'demo:1'"))
        #expect(broken.display == DisplayWiring(origin: .searched))
        #expect(broken.favourites.count == 1)
    }

    @Test("the display shows the first fault's position: the file's name and the line")
    func position() {
        func position(_ file: String, _ position: SourcePosition?) -> FilePosition {
            ConfigurationError(faults: [SourceError(file: file, position: position, message: "x")]).position
        }
        let line = position("/etc/boardd/favourites.toml", SourcePosition(line: 7, column: 1))
        #expect(line == FilePosition(file: "favourites.toml", line: 7))
        #expect(position("boardd.toml", nil) == FilePosition(file: "boardd.toml"))
    }
}
