import Foundation
import Testing
import Waiting

@testable import boardd

@Suite("boardd report, as a process", .endsHangs)
struct ReportTests {
    @Test("a key is redacted wherever a user may have put it")
    func keys() async throws {
        let keys = [
            "environ-key-1", "beside-key-2", "credential-key-3", "query-key-4", "toml-key-5",
            "label-key-60123456789abcde",
            "header-key-7", "comment-key-8", "favourite-key-9", "nameless-key-10",
        ]
        let folder = try TemporaryFolder([
            "boardd.toml": """
            [feed.tfl]
            url = "https://api.tfl.gov.uk/?app_key=query-key-4"
            app_key = "toml-key-5"
            [abbreviations]
            "Street" = "label-key-60123456789abcde"
            """,
            "favourites.toml": "# key: favourite-key-9\n[[stop]]\nid = \"tfl:490000001A\"\n",
            "keys.env": "TFL_APP_KEY=beside-key-2\n#TFL_APP_KEY=comment-key-8\nnameless-key-10\n",
        ])
        for name in ["credentials", "bin"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try folder.write("TFL_APP_KEY=credential-key-3\n", to: "credentials/keys.env")
        // Stands for the journal, which should not contain keys, but may.
        try folder.write(
            """
            #!/bin/sh
            echo "boardd[1]: GET https://api.tfl.gov.uk/x?app_key=query-key-4 with environ-key-1 and toml-key-5"
            echo "boardd[1]: x-api-key: header-key-7"
            echo "boardd[1]: beside-key-2,credential-key-3;comment-key-8 nameless-key-10 (favourite-key-9)"
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
        #expect(report.output.contains("id = \"tfl:490000001A\""))
        #expect(report.output.contains("url = \"https://api.tfl.gov.uk/?app_key=(redacted)\""))
        #expect(report.output.contains("TFL_APP_KEY is set in the environment"))
        #expect(report.output.contains("\(folder.path)/boardd.toml:3:1: "), "the faults are there")
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
        #expect(top.contains("Contents:") && top.contains("redacted") && top.contains("where you live"))
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
