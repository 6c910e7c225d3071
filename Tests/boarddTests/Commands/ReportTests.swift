import BoardDisplays
import Foundation
import Testing
import Waiting

@testable import boardd

@Suite("boardd report, as a process", .endsHangs)
struct ReportTests {
    @Test("a key is not in it, wherever a user may have put it")
    func keys() async throws {
        let keys = [
            "environ-key-1", "beside-key-2", "credential-key-3", "query-key-4", "toml-key-5",
            "label-key-60123456789abcde", "password-key-7", "path-key-8", "favourite-key-9", "nameless-key-10",
            "title-key-11", "label-key-12", "comment-key-13", "header-key-14",
        ]
        let folder = try TemporaryFolder([
            "boardd.toml": """
            [feed.tfl]
            url = "https://api.tfl.gov.uk/?app_key=query-key-4"
            app_key = "toml-key-5"
            [feed.gtfs.town]
            timetable = "https://gtfs.example/path-key-8/feed.zip"
            title = "title-key-11"
            [feed.gtfs.city]
            timetable = "https://user:password-key-7@gtfs.example/feed.zip"
            [abbreviations]
            "Street" = "label-key-60123456789abcde"
            """,
            "favourites.toml":
                "# key: favourite-key-9\n[[stop]]\nid = \"tfl:490000001A\"\nlabel = \"label-key-12\"\nwalk = \"4m\"\n",
            "keys.env": "TFL_APP_KEY=beside-key-2\n#TFL_APP_KEY=comment-key-13\nnameless-key-10\n",
        ])
        for name in ["credentials", "bin"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try folder.write("TFL_APP_KEY=credential-key-3\n", to: "credentials/keys.env")
        // Stands for the journal, which should not contain keys, but may.
        try folder.write(
            """
            #!/bin/sh
            echo "boardd[1]: GET https://api.tfl.gov.uk/x?app_key=environ%2Dkey-1 with environ-key-1"
            echo "boardd[1]: /etc/boardd/boardd.toml:3:1: found header-key-14"
            echo "boardd[1]: the last line, of $*"
            """, to: "journalctl.sh")
        try folder.write("#!/bin/sh\necho 'System has not been booted with systemd' >&2\n", to: "systemctl.sh")
        // Copied by another process: a script that this process writes cannot be executed while a child that another test
        // starts has inherited its open descriptor (ETXTBSY).
        for name in ["journalctl", "systemctl"] {
            let copy = Process()
            copy.executableURL = URL(filePath: "/usr/bin/install")
            copy.arguments = ["-m", "700", "\(folder.path)/\(name).sh", "\(folder.path)/bin/\(name)"]
            try copy.run()
            copy.waitUntilExit()
            #expect(copy.terminationStatus == 0)
        }
        let report = try await run(
            "report", "--config", "\(folder.path)/boardd.toml",
            environment: [
                "TFL_APP_KEY": "environ-key-1", "CREDENTIALS_DIRECTORY": "\(folder.path)/credentials",
                "RUNTIME_DIRECTORY": folder.path, "STATE_DIRECTORY": folder.path,
                "PATH": "\(folder.path)/bin:/usr/bin:/bin",
            ])
        #expect(report.status == 0, "\(report.errors)")
        for key in keys { #expect(!(report.output + report.errors).contains(key), "\(key)") }
        #expect(report.output.contains("the last line"))
        #expect(report.output.contains("--no-hostname"), "the log does not name the machine")
        #expect(
            report.output.contains(
                "\nsystemctl reports no state of the service (System has not been booted with systemd)\n"))
        #expect(report.output.contains("app_key=(key) with (key)"))
        #expect(report.output.contains("boardd.toml:3:1 …"))
        #expect(report.output.contains("timetable https://gtfs.example/…"))
        #expect(report.output.contains("\ntfl:490000001A; walk 4m\n"))
        #expect(report.output.contains("url https://api.tfl.gov.uk/…"))
        #expect(report.output.contains("TFL_APP_KEY is set in the environment"))
        #expect(report.output.contains("\n\(folder.path)/boardd.toml:3:1\n"), "the faults' places are there")
    }

    @Test("a field report asks before it begins, and again before it writes its file, which has every part and no key")
    func field() async throws {
        let folder = try TemporaryFolder(["keys.env": "TFL_APP_KEY=beside-key-1\n"])
        let environment = [
            "CONFIGURATION_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path, "STATE_DIRECTORY": folder.path,
            "PATH": folder.path, "TERM": "xterm",
        ]
        for answers in [["no"], ["yes", "no"], ["yes", "yes"]] {
            let terminal = try PseudoTerminal()
            let program = try Program(
                ["report", "--field", "\(folder.path)/field.txt"], environment: environment, terminal: terminal)
            for (index, answer) in answers.enumerated() {
                let prompts = ["are measured", "Write this to"]
                #expect(await eventually { terminal.screen.contains(prompts[index]) })
                terminal.type(answer + "\n")
            }
            #expect(await program.end() == 0)
            #expect(folder.read("field.txt").isEmpty == (answers != ["yes", "yes"]))
        }
        let text = folder.read("field.txt")
        for part in [
            "Program\nboardd \(Version.number)", "Machine\nsystem: ", "Clock\n", "Start\nthere is no systemctl",
            "Display\n", "Button\n", "Running board",
        ] {
            #expect(text.contains("== \(part)"), "\(part)\n\(text)")
        }
        #expect(!text.contains("beside-key-1"))
    }

    @Test("the edges of a contact within 50 ms are one change, and those of the next press another")
    func bounces() {
        let edges = [(true, 0.0), (false, 0.4), (true, 1.1), (false, 180), (true, 400)].map { isDown, milliseconds in
            ButtonEdge(isDown: isDown, nanoseconds: UInt64(milliseconds * 1e6))
        }
        #expect(
            FieldReport.changes(edges) == [
                "5 edges, 3 changes", "down: 3 edges in 1.1 ms", "up: 1 edge in 0.0 ms", "down: 1 edge in 0.0 ms",
            ])
    }

    @Test("the report starts with its contents, and has every part also where nothing is installed")
    func parts() async throws {
        let folder = try TemporaryFolder()
        let report = try await run(
            "report",
            environment: [
                "CONFIGURATION_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path,
                "STATE_DIRECTORY": folder.path,
                "PATH": folder.path,
            ])
        #expect(report.status == 0, "\(report.errors)")
        let top = report.output.prefix(while: { $0 != "=" })
        #expect(top.contains("Contents:") && top.contains("Keys") && top.contains("where you live"))
        for part in [
            "Program\nboardd \(Version.number)", "Machine\nsystem: ", "Hardware\nI2C buses: ",
            "Service\nthere is no systemctl",
            "Configuration\n\(folder.path)/boardd.toml: No such file", "Feeds\nTfL: ",
            "Stop directory\n\(folder.path): no stops yet", "Running board\nboardd is not running",
            "Log, the last lines\nthere is no journalctl",
        ] {
            #expect(report.output.contains("== \(part)"), "\(part)\n\(report.output)")
        }
    }
}
