import FoundationEssentials
import Glibc
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("boardd with a GTFS feed, as a process, against a server on this machine", .serialized, .endsHangs)
struct GTFSTests {
    /// Nothing of the machine itself: no stop directory, no stored archive, no running board.
    private func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path]
    }

    /// Runs a command with the files of a folder to its end.
    private func command(_ arguments: String..., in folder: TemporaryFolder) async throws -> Program.Result {
        try await Program.run(arguments + ["--config", "\(folder.path)/boardd.toml"], environment: environment(folder))
    }

    private func rows(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { $0.contains(" Quay ") }
    }

    @Test("departures downloads the archive and prints live departures, and scheduled ones as about")
    func departures() async throws {
        let gtfs = try GTFSServer.trams()
        let folder = try TemporaryFolder(gtfs.config())
        let result = try await command("departures", "gtfs.town:P", in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.hasPrefix("Park"), "\(result.output)")
        let rows = rows(result.output)
        #expect(rows.count >= 11, "\(result.output)")
        #expect(rows.first?.contains("about ") == false, "\(result.output)")
        #expect(rows.dropFirst(2).allSatisfy { $0.contains("about ") || !$0.hasSuffix(" min") }, "\(result.output)")
        #expect(result.output.hasSuffix("Timetable of Town\n"))
        // The second time only the realtime messages are requested, and their failure is tolerated.
        gtfs.files.withLock { $0.messageSteps = [.reply(503, text: "")] }
        let again = try await command("departures", "gtfs.town:P", in: folder)
        #expect(again.status == 0)
        #expect(self.rows(again.output).allSatisfy { $0.contains("about ") || !$0.hasSuffix(" min") })
        #expect(
            again.errors.hasPrefix("Town, \(gtfs.server.url("/trips")): status 503, ")
                && again.errors.hasSuffix("Showing scheduled times\n"), "\(again.errors)")
        #expect(gtfs.count("/gtfs.zip") == 1 && gtfs.count("/trips") == 2)
    }

    @Test("check finds no fault; check --online requests the archive and the messages, and reports both")
    func check() async throws {
        let gtfs = try GTFSServer.trams()
        let folder = try TemporaryFolder(gtfs.config())
        let plain = try await command("check", in: folder)
        #expect(plain.status == 0, "\(plain.output)")
        #expect(gtfs.server.requests.isEmpty)
        let online = try await command("check", "--online", in: folder)
        let lines = online.output.split(separator: "\n")
        #expect(online.status == 0 && lines.count == 5 && lines.last == "gtfs.town:P: good", "\(online.output)")
        #expect(
            online.output.contains(
                "\ngtfs.town: \(gtfs.server.url("/gtfs.zip")): good, from 2020-01-01, until 2099-12-31\n"
                    + "gtfs.town: \(gtfs.server.url("/trips")): good, made "), "\(online.output)")
        #expect(gtfs.count("/gtfs.zip") == 1 && gtfs.count("/trips") == 1)

        gtfs.files.withLock { $0.messageSteps = [.reply(503, text: "")] }
        let blind = try await command("check", "--online", in: folder)
        #expect(blind.status == 2, "\(blind.output)")
        #expect(
            blind.output.contains("gtfs.town: not checked: Town, \(gtfs.server.url("/trips")): status 503"),
            "\(blind.output)")
        #expect(blind.output.hasSuffix("gtfs.town:P: good\n"))

        try folder.write(
            "[[stop]]\nid = \"gtfs.town:P\"\nlines = [\"9\"]\n[[stop]]\nid = \"gtfs.town:X\"\n", to: "favourites.toml")
        let faulty = try await command("check", "--online", in: folder)
        #expect(faulty.status == 1)
        #expect(
            faulty.output.contains("line \"9\" does not call there; correct `lines`. Lines there: 7"),
            "\(faulty.output)"
        )
        #expect(faulty.output.contains("gtfs.town:X: Town: no such stop"), "\(faulty.output)")

        let bare = try TemporaryFolder(["boardd.toml": "[feed.gtfs.town]\ntitle = \"Town\"\n", "favourites.toml": ""])
        let none = try await command("check", "--online", in: bare)
        #expect(none.status != 0 && none.output.contains("timetable"), "\(none.output)\(none.errors)")
    }

    @Test("check --online checks a feed without a favourite, and reports which of its addresses is wrong")
    func checkWithoutFavourites() async throws {
        let gtfs = try GTFSServer.trams()
        var files = gtfs.config()
        files["favourites.toml"] = ""
        let folder = try TemporaryFolder(files)
        let good = try await command("check", "--online", in: folder)
        #expect(good.status == 0 && good.output.contains("/gtfs.zip: good, "), "\(good.output)")
        #expect(gtfs.count("/gtfs.zip") == 1 && gtfs.count("/trips") == 1)

        files["boardd.toml"] = files["boardd.toml"]?.replacing("/gtfs.zip", with: "/gone")
        let other = try TemporaryFolder(files)
        let gone = try await command("check", "--online", in: other)
        #expect(gone.status == 1, "\(gone.output)")
        #expect(
            gone.output.contains("gtfs.town: Town, \(gtfs.server.url("/gone")): status 404, "),
            "\(gone.output)")

        let keyed = try TemporaryFolder(gtfs.config("key_header = \"x-key\""))
        let key = try await command("check", "--online", in: keyed)
        #expect(key.status == 1, "a key that is missing is a fault: \(key.output)")
        #expect(
            key.output.contains("gtfs.town: \(gtfs.server.url("/trips")): Town requires an API key"),
            "\(key.output)")
    }

    @Test("departures and the display show that a timetable has ended, and check --online always reports it as a fault")
    func ended() async throws {
        let gtfs = try GTFSServer.trams()
        gtfs.files.withLock {
            $0.archive = GTFSServer.archive(days: "20200101,20251101")
            $0.messageSteps = [.reply(503, text: "")]
        }
        let folder = try TemporaryFolder(gtfs.config())
        let config = "\(folder.path)/boardd.toml"
        for _ in 0..<6 {
            let check = try await command("check", "--online", in: folder)
            #expect(check.status == 1, "\(check.output)")
            #expect(check.output.contains("/gtfs.zip: the timetable ended on 2025-11-01: "), "\(check.output)")
        }
        let result = try await command("departures", "gtfs.town:P", in: folder)
        #expect(
            result.status == 0 && result.output.contains("\nTown's timetable ended on 1 Nov 2025\n"), "\(result.output)"
        )
        let json = try await command("departures", "gtfs.town:P", "--json", in: folder)
        #expect(json.output.contains("\"timetableEndsAt\" : \"2025-11-02T00:00:00Z\""), "\(json.output)")
        let program = try Program(["run", "--config", config, "--simulate"], environment: environment(folder))
        #expect(await eventually { program.output.contains("ended on 1 Nov 2025") }, "\(program.output)")
        #expect(await program.terminate() == 0)
    }

    @Test("a bad archive costs stops update one download; the old stops and the data of favourites stay")
    func badUpdate() async throws {
        let gtfs = try GTFSServer.trams()
        let folder = try TemporaryFolder(gtfs.config())
        let update = ["stops", "update", "gtfs.town", "--config", "\(folder.path)/boardd.toml"]
        let first = try Program(update, environment: environment(folder))
        #expect(await first.end() == 0, "\(first.errors)")
        let downloaded = gtfs.count("/gtfs.zip")
        let line = try await command("stops", "line", "gtfs.town:7", in: folder)
        #expect(line.output.hasPrefix("Line 7  tram  gtfs.town:R7\n"), "\(line.errors)")
        #expect(gtfs.count("/gtfs.zip") == downloaded, "the archive is there")
        let path = "\(folder.path)/gtfs.town.zip"
        let old = try Data(contentsOf: URL(filePath: path))
        // Malformed times: its stops are as good as before.
        let soon = GTFSServer.archive(time: "soon")
        for bad in [soon, Array(soon.prefix(3_000))] {
            let downloads = gtfs.count("/gtfs.zip")
            gtfs.files.withLock { ($0.archive, $0.etag) = (bad, "\"two\"") }
            let program = try Program(update, environment: environment(folder))
            #expect(await program.end() == ExitStatus.protocolError, "\(program.output)\(program.errors)")
            #expect(program.errors.hasSuffix(". The old list stays\n"), "\(program.errors)")
            #expect(gtfs.count("/gtfs.zip") == downloads + 1)
            #expect(try Data(contentsOf: URL(filePath: path)) == old)
        }
        // One that is not valid yet is no fault.
        gtfs.files.withLock { ($0.archive, $0.etag) = (GTFSServer.archive(days: "20990101,20991231"), "\"three\"") }
        let early = try Program(update, environment: environment(folder))
        #expect(await early.end() == 0)
        #expect(
            early.errors.contains(
                "the operator's next timetable of Town starts on 2099-01-01: the stored one is used until then\n"),
            "\(early.errors)")
        #expect(try Data(contentsOf: URL(filePath: path)) == old)
    }

    @Test("the board shows live rows and rows marked as about, and logs what it read")
    func frames() async throws {
        let gtfs = try GTFSServer.trams()
        let folder = try TemporaryFolder(gtfs.config())
        let program = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"], environment: environment(folder))
        #expect(await eventually { program.output.contains(" Quay ") }, "\(program.output) \(program.errors)")
        #expect(await program.terminate() == 0)
        let rows = program.output.split(separator: "\n").filter { $0.contains(" Quay ") }
        #expect(rows.contains { $0.contains("~") } && rows.contains { !$0.contains("~") }, "\(program.output)")
        // Whether there is a group for the socket depends on the machine.
        let warnings = program.errors.split(separator: "\n").filter {
            $0.hasPrefix("warning") && !$0.contains("control socket")
        }
        #expect(warnings.isEmpty)
        // Started again without a network, and without what the board remembers, it has the timetable.
        gtfs.server.stop()
        let other = try TemporaryFolder()
        let alone = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"],
            environment: ["STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": other.path])
        #expect(await eventually { alone.output.contains(" Quay ") }, "\(alone.output) \(alone.errors)")
        #expect(await alone.terminate() == 0)
        let shown = alone.output.split(separator: "\n").filter { $0.contains(" Quay ") }
        #expect(shown.allSatisfy { $0.contains("~") }, "\(alone.output)")
    }

    @Test("kill -9 during a download leaves the old archive in use, and the next one is downloaded completely")
    func killed() async throws {
        let gtfs = try GTFSServer.trams()
        let folder = try TemporaryFolder(gtfs.config())
        let config = "\(folder.path)/boardd.toml"
        _ = try await command("departures", "gtfs.town:P", in: folder)
        let path = "\(folder.path)/gtfs.town.zip"
        let old = try Data(contentsOf: URL(filePath: path))
        #expect(old.count == gtfs.files.withLock { $0.archive.count })
        // The operator has another archive, which downloads slowly.
        let new = GTFSServer.archive(headsign: "Quay Side")
        let head = LoopbackServer.Step.head(200, ["ETag: \"two\"", "Content-Length: \(new.count)"])
        gtfs.files.withLock {
            ($0.archive, $0.etag) = (new, "\"two\"")
            $0.archiveSteps = [.send(head), .send(Array(new.prefix(new.count / 2))), .wait]
        }
        let update = ["stops", "update", "gtfs.town", "--config", config]
        for _ in 0..<3 {
            let program = try Program(update, environment: environment(folder))
            let isRunning = await eventually {
                (try? Data(contentsOf: URL(filePath: path + ".part")))?.count ?? 0 > 1_000 || program.poll() != nil
            }
            #expect(isRunning && program.poll() == nil, "\(program.output)\(program.errors)")
            program.signal(SIGKILL)
            #expect(await program.end() == -SIGKILL)
            #expect(try Data(contentsOf: URL(filePath: path)) == old)
            let result = try await command("departures", "gtfs.town:P", in: folder)
            #expect(result.status == 0 && rows(result.output).count >= 11, "\(result.errors)")
        }
        gtfs.files.withLock { $0.archiveSteps = nil }
        let whole = try Program(update, environment: environment(folder))
        #expect(await whole.end() == 0, "\(whole.output)\(whole.errors)")
        #expect(try Data(contentsOf: URL(filePath: path)).count == new.count)
        let result = try await command("departures", "gtfs.town:P", in: folder)
        #expect(result.output.contains("Quay Side"), "\(result.output)")
    }
}
