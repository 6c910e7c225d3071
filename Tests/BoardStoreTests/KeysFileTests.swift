import BoardCore
import BoardStore
import Testing

@Suite("keys.env")
struct KeysFileTests {
    let demo = FeedName("demo")

    @Test("lines are NAME=value with or without quotes, export, comments and spaces")
    func keys() throws {
        let text = "# DEMO_TOKEN=no\n\n  export  DEMO_APP_KEY='a=b#c' \r\n\tDEMO_TOKEN=\"xyz\"\nTFL_APP_KEY=\n"
        let feeds = try load("", keys: text).feeds
        #expect(feeds[demo]?.secret("DEMO_APP_KEY")?.revealed == "a=b#c")
        #expect(feeds[demo]?.secret("DEMO_TOKEN")?.revealed == "xyz")
        #expect(feeds[FeedName("tfl")]?.secret("TFL_APP_KEY") == nil)
        #expect(feeds[FeedName("tfl")]?.secret("DEMO_TOKEN") == nil)
    }

    @Test("the environment overrides the file, even with an empty value")
    func environment() throws {
        let directory = try ConfigurationDirectory(["keys.env": "DEMO_APP_KEY=file\nDEMO_TOKEN=file"])
        let feeds = try directory.load(["DEMO_APP_KEY": "environment", "DEMO_TOKEN": "", "OTHER": "x y"]).feeds
        #expect(feeds[demo]?.secret("DEMO_APP_KEY")?.revealed == "environment")
        #expect(feeds[demo]?.secret("DEMO_TOKEN") == nil)
    }

    @Test("systemd's credentials override the file beside boardd.toml, which is read without them")
    func credentials() throws {
        let beside = try ConfigurationDirectory(["keys.env": "DEMO_TOKEN=beside"])
        let handed = try ConfigurationDirectory(["keys.env": "DEMO_TOKEN=handed"])
        let empty = try ConfigurationDirectory()
        func token(_ credentials: String) throws -> String? {
            try beside.load(["CREDENTIALS_DIRECTORY": credentials]).feeds[demo]?.secret("DEMO_TOKEN")?.revealed
        }
        #expect(try token(handed.path) == "handed")
        #expect(try token(empty.path) == "beside")
        #expect(try token("") == "beside")
    }

    @Test("no fault repeats a value, not even of a line without a name")
    func faultsHideValues() throws {
        let text = """
            # keys
            DEMO_APP_KEY=hunter2
            export DEMO_TOKEN='hunter2 hunter2'
            DEMO_TOKN=hunter2
            DEMO_APP_KEY="hunter2"
            hunter2
            hunter2=1
            TFL_APP_KEY='hunter2
            """
        let names = "DEMO_APP_KEY, DEMO_TOKEN, TFL_APP_KEY, FLEET_USER, FLEET_PASSWORD"
        let value = "must be printable ASCII without spaces, with both quotes or none"
        let found = try faults(keys: text)
        #expect(
            found == [
                "keys.env:3:19: the value of DEMO_TOKEN \(value)",
                "keys.env:4:1: unknown name DEMO_TOKN; did you mean DEMO_TOKEN? allowed: \(names)",
                "keys.env:5:1: DEMO_APP_KEY is set twice (first on line 2): remove one",
                "keys.env:6:1: is not NAME=value; allowed names: \(names)",
                "keys.env:7:1: is not NAME=value; allowed names: \(names)",
                "keys.env:8:13: the value of TFL_APP_KEY \(value)",
            ])
        #expect(!found.contains { $0.contains("hunter2") })
    }

    @Test("an invalid key in the environment is a fault that names the environment")
    func badEnvironment() throws {
        let directory = try ConfigurationDirectory()
        let error = #expect(throws: ConfigurationError.self) {
            try directory.load(["DEMO_TOKEN": "hunter2\nX-Injected: 1"])
        }
        #expect(
            error?.description == "environment: the value of DEMO_TOKEN must be printable ASCII without spaces, "
                + "with both quotes or none")
    }

    @Test("a file that other users can read gets a warning, and is read")
    func mode() throws {
        let directory = try ConfigurationDirectory(["boardd.toml": ""])
        try directory.write(Array("DEMO_TOKEN=x".utf8), to: "keys.env", mode: 0o640)
        let configuration = try directory.load()
        #expect(configuration.feeds[demo]?.secret("DEMO_TOKEN") != nil)
        let path = "\(directory.path)/keys.env"
        #expect(
            configuration.warnings.map(\.description) == [
                "\(path): contains keys and other users can read it (mode 640): chmod 600 \(path)"
            ])
        let handed = try ConfigurationDirectory(["keys.env": "DEMO_TOKEN=handed"])
        let credentials = ["CREDENTIALS_DIRECTORY": handed.path]
        #expect(try directory.load(credentials).warnings == configuration.warnings, "systemd reads it as root")
        try directory.write(Array("DEMO_TOKEN=x".utf8), to: "keys.env", mode: 0o600)
        #expect(try directory.load(credentials).warnings.isEmpty)
    }

    @Test("a key of suspicious form gets a warning at its position, and is used")
    func suspiciousKey() throws {
        let directory = try ConfigurationDirectory([
            "boardd.toml": "", "keys.env": "# keys\n export DEMO_APP_KEY=token-hunter2\nDEMO_TOKEN=token-hunter3\n",
        ])
        let configuration = try directory.load()
        #expect(configuration.feeds[demo]?.secret("DEMO_APP_KEY")?.revealed == "token-hunter2")
        let message = "DEMO_APP_KEY looks like a token"
        #expect(configuration.warnings.map(\.description) == ["\(directory.path)/keys.env:2:9: \(message)"])
        let fromEnvironment = try directory.load(["DEMO_APP_KEY": "token-hunter4"])
        #expect(fromEnvironment.warnings.map(\.description) == ["environment: \(message)"])
        #expect(try directory.load(["DEMO_APP_KEY": "hunter4"]).warnings.isEmpty)
        #expect(try directory.load(["DEMO_APP_KEY": ""]).warnings.isEmpty)
    }

    @Test("a printed key reveals nothing")
    func hidden() throws {
        let settings = try #require(try load("", keys: "DEMO_TOKEN=hunter2").feeds[demo])
        let secret = try #require(settings.secret("DEMO_TOKEN"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect("\(secret)" == "(hidden)")
        #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("hunter2"))
    }
}
