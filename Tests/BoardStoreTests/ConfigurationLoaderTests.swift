internal import BoardCore
internal import BoardStore
internal import FoundationEssentials
internal import Testing

@Suite("Where a configuration is looked for")
struct ConfigurationLoaderTests {
    let loader = ConfigurationLoader(declarations: declarations)

    @Test("an installed configuration that is not there is all defaults, and said so")
    func missingDirectory() throws {
        let configuration = try loader.load(.directory("/nonexistent/boardd"), environment: [:])
        #expect(configuration.board == BoardOptions())
        #expect(
            configuration.remarks.map(\.description) == ["/nonexistent/boardd/boardd.toml: is not there: all defaults"])
    }

    @Test("a file that a person named must be there")
    func missingFile() throws {
        let error = #expect(throws: ConfigurationFaults.self) {
            try loader.load(.file("/nonexistent/my.toml"), environment: [:])
        }
        #expect(error?.description == "/nonexistent/my.toml: cannot be read: No such file or directory")
        #expect(error?.isIncomplete == true)
        #expect(error?.place == FilePlace(file: "my.toml"))
    }

    @Test("favourites and keys are looked for beside a named file")
    func beside() throws {
        let directory = try ConfigurationDirectory([
            "my.toml": "log.level = 'debug'", "favourites.toml": "[[stop]]\nid = 'demo:1'", "keys.env": "DEMO_TOKEN=x",
        ])
        let configuration = try loader.load(.file("\(directory.path)/my.toml"), environment: [:])
        #expect(configuration.logLevel == .debug)
        #expect(configuration.favourites.count == 1)
        #expect(configuration.feeds[FeedName("demo")]?.secret("DEMO_TOKEN") != nil)
        #expect(configuration.remarks.isEmpty)
    }

    @Test("a directory in the place of a file is an error that says so")
    func directoryAsFile() throws {
        let directory = try ConfigurationDirectory()
        let error = #expect(throws: ConfigurationFaults.self) {
            try loader.load(.file(directory.path), environment: [:])
        }
        #expect(error?.faults.first?.message == "cannot be read: Is a directory")
    }

    @Test("the first fault's place is for the glass: the file's name and the line")
    func place() {
        func place(_ file: String, _ place: SourcePlace?) -> FilePlace {
            ConfigurationFaults([ConfigurationFault(file: file, place: place, message: "x")]).place
        }
        let line = place("/etc/boardd/favourites.toml", SourcePlace(line: 7, column: 1))
        #expect(line == FilePlace(file: "favourites.toml", line: 7))
        #expect(place("boardd.toml", nil) == FilePlace(file: "boardd.toml"))
    }
}
