import Glibc
import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import boardd

/// The program with Debian's LCDd, whose text driver prints each picture.
@Suite(
    "boardd run with LCDd", .serialized, .endsHangs,
    .enabled(
        if: LCDd.isInstalled,
        "LCDd and its text driver are not installed: apt-get install lcdproc"))
struct LCDdTests {
    private func board(_ lcdd: LCDd, size: String = "20x4") throws -> (Program, TemporaryFolder) {
        let folder = try TemporaryFolder([
            "boardd.toml": """
            button = []
            [display]
            driver = "lcdproc"
            server = "127.0.0.1:\(lcdd.port)"
            size = "\(size)"
            """,
            "favourites.toml": #"""
            [[stop]]
            id = "tfl:490008660N"
            label = "Ox\" \\ é"
            lines = ["73", "390"]

            """#,
        ])
        let program = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--replay", Checkout.recording],
            environment: folder.environment)
        return (program, folder)
    }

    @Test("the display shows the board, with quotes, backslashes and accents of a name as text")
    func pictures() async throws {
        let lcdd = try LCDd(size: "20x4")
        let (program, folder) = try board(lcdd)
        defer { _ = folder }
        // The text driver prints ISO 8859-1.
        #expect(await eventually { lcdd.output.contains("|Ox\" \\ \u{FFFD} ") }, "\(program.errors)")
        #expect(await eventually { lcdd.output.contains("|73  ") })
        #expect(await program.terminate() == 0)
    }

    @Test("the board is back when LCDd is")
    func restart() async throws {
        let lcdd = try LCDd(size: "20x4")
        let (program, folder) = try board(lcdd)
        defer { _ = folder }
        #expect(await eventually { lcdd.output.contains("|73  ") }, "\(program.errors)")
        await lcdd.stop()
        #expect(await eventually { program.errors.contains("display: ") })
        let next = try LCDd(size: "20x4", port: lcdd.port)
        #expect(await eventually { next.output.contains("|73  ") }, "\(program.errors)")
        #expect(await eventually { program.errors.contains("display: responding again") })
    }

    @Test("boardd hardware test shows its pictures")
    func hardwareTest() async throws {
        let lcdd = try LCDd(size: "20x4")
        let folder = try TemporaryFolder([
            "boardd.toml": "button = []\n[display]\ndriver = \"lcdproc\"\nserver = \"127.0.0.1:\(lcdd.port)\"\n"
        ])
        let test = try await run("hardware", "test", "--pause", "2", environment: folder.environment)
        #expect(test.status == 0, "\(test.errors)")
        #expect(test.output.hasPrefix("The first and the last cell of each row hold its number, 1 to 4; else the size"))
        for row in ["|1 20x4             1|", "|4                  4|", "|Accent \u{FFFD}", "|Light off", "|Light on"] {
            #expect(await eventually { lcdd.output.contains(row) }, "\(row)")
        }
    }
}

/// Debian's LCDd with the text driver, on loopback.
final class LCDd: Sendable {
    private static let program = "/usr/sbin/LCDd"

    /// The folder of the drivers, in /usr/lib/ARCHITECTURE.
    private static let drivers: String? = {
        let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)/lcdproc/" }
        return folders.first { unsafe access($0 + "text.so", R_OK) == 0 }
    }()

    static var isInstalled: Bool { unsafe access(program, X_OK) == 0 && drivers != nil }

    let port: UInt16
    private let folder: TemporaryFolder
    private let process: Program

    init(size: String, port: UInt16? = nil) throws {
        let port = try port ?? Self.freePort()
        self.port = port
        folder = try TemporaryFolder([
            "LCDd.conf": """
            [server]
            DriverPath=\(Self.drivers ?? "")
            Driver=text
            Bind=127.0.0.1
            Port=\(port)
            Foreground=yes
            ServerScreen=no
            Hello=""
            [text]
            Size=\(size)

            """
        ])
        process = try Program(shell: "exec \(Self.program) -f -c '\(folder.path)/LCDd.conf'", [])
    }

    /// The pictures so far.
    var output: String { process.output }

    func stop() async {
        process.signal(SIGKILL)
        _ = await process.end()
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let server = try LoopbackServer { _ in [] }
        defer { server.stop() }
        return server.port
    }
}
