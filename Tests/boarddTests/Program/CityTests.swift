import FoundationEssentials
import Glibc
import LoopbackServer
import Synchronization
import Testing

@testable import boardd

@Suite("boardd in a city of GTFS, as a process, against a server on this machine", .serialized)
struct CityTests {
    /// Nothing of the machine's own: no directory of stops, no kept archive, no running board.
    private func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path]
    }

    private func rows(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { $0.contains(" Quay ") }
    }

    @Test("departures takes the archive and prints what is live and, with a star, what only the timetable tells")
    func departures() async throws {
        let town = try Tramway()
        let folder = try TemporaryFolder(town.config())
        let config = "\(folder.path)/boardd.toml"
        let look = try await run("departures", "gtfs.town:P", "--config", config, environment: environment(folder))
        #expect(look.status == 0 && look.errors.isEmpty, "\(look.errors)")
        #expect(look.output.hasPrefix("Park"), "\(look.output)")
        let rows = rows(look.output)
        #expect(rows.count >= 11, "\(look.output)")
        #expect(rows.first?.contains("*") == false, "\(look.output)")
        #expect(rows.dropFirst().allSatisfy { $0.contains("*") }, "\(look.output)")
        #expect(look.output.hasSuffix("Timetable of Town\n"))
        // The second time the network is asked for messages alone, and does without them.
        town.files.withLock { $0.isLive = false }
        let again = try await run("departures", "gtfs.town:P", "--config", config, environment: environment(folder))
        #expect(again.status == 0)
        #expect(self.rows(again.output).allSatisfy { $0.contains("*") })
        #expect(
            again.errors == "Town, \(town.server.url("/trips")): status 503: the operator answers with status 503. "
                + "Until that is over the timetable is told, marked with *\n")
        #expect(town.count("/gtfs.zip") == 1 && town.count("/trips") == 2)
    }

    @Test("departures says of an unknown stop that it is none, and of a folder where nothing can be kept what to do")
    func refusals() async throws {
        let town = try Tramway()
        let folder = try TemporaryFolder(town.config())
        let config = "\(folder.path)/boardd.toml"
        let unknown = try await run("departures", "gtfs.town:X", "--config", config, environment: environment(folder))
        #expect(unknown.status == SystemExit.noInput)
        #expect(unknown.errors == "the timetable of Town has no stop X: search it with boardd stops\n")
        let nowhere = try await run(
            "departures", "gtfs.town:P", "--config", config,
            environment: ["STATE_DIRECTORY": "\(folder.path)/absent", "RUNTIME_DIRECTORY": folder.path])
        #expect(nowhere.status == SystemExit.protocolError && nowhere.output.isEmpty)
        #expect(nowhere.errors.contains("cannot be written: No such file or directory"), "\(nowhere.errors)")
    }

    @Test("check names no fault; check --online asks for the archive and the messages, and tells of both")
    func check() async throws {
        let town = try Tramway()
        let folder = try TemporaryFolder(town.config())
        let config = "\(folder.path)/boardd.toml"
        let plain = try await run("check", "--config", config, environment: environment(folder))
        #expect(plain.status == 0, "\(plain.output)")
        #expect(town.server.requests.isEmpty)
        let online = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(online.status == 0 && online.output.hasSuffix("gtfs.town:P: good\n"), "\(online.output)")
        #expect(town.count("/gtfs.zip") == 1 && town.count("/trips") == 1)

        town.files.withLock { $0.isLive = false }
        let blind = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(blind.status == 2, "\(blind.output)")
        #expect(
            blind.output.contains("gtfs.town:P: good\nTown, \(town.server.url("/trips")): status 503"),
            "\(blind.output)")

        try folder.write(
            "[[stop]]\nid = \"gtfs.town:P\"\nlines = [\"9\"]\n[[stop]]\nid = \"gtfs.town:X\"\n", to: "favourites.toml")
        let faulty = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(faulty.status == 1)
        #expect(
            faulty.output.contains("line \"9\" does not call there; correct `lines`. What calls: 7"), "\(faulty.output)"
        )
        #expect(faulty.output.contains("gtfs.town:X: Town knows no such stop; correct `id`"), "\(faulty.output)")

        let bare = try TemporaryFolder(["boardd.toml": "[feed.gtfs.town]\ntitle = \"Town\"\n", "favourites.toml": ""])
        let none = try await run(
            "check", "--online", "--config", "\(bare.path)/boardd.toml", environment: environment(bare))
        #expect(none.status != 0 && none.output.contains("timetable"), "\(none.output)\(none.errors)")
    }

    @Test("--frames ends with pictures of it")
    func someFrames() async throws {
        let town = try Tramway()
        let folder = try TemporaryFolder(town.config())
        let program = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--frames", "8"], environment: environment(folder))
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.output.contains("│7 Quay"), "\(program.output)")
    }

    @Test("killed -9 while an archive comes it leaves the old one, which serves, and the next one is taken whole")
    func killed() async throws {
        let town = try Tramway()
        let folder = try TemporaryFolder(town.config())
        let config = "\(folder.path)/boardd.toml"
        _ = try await run("departures", "gtfs.town:P", "--config", config, environment: environment(folder))
        let path = "\(folder.path)/gtfs.town.zip"
        let old = try Data(contentsOf: URL(filePath: path))
        #expect(old.count == town.files.withLock { $0.archive.count })
        // The operator has another one, which is long on its way.
        let new = Tramway.archive(headsign: "Quay Side")
        town.files.withLock { ($0.archive, $0.tag, $0.isSlow) = (new, "\"two\"", true) }
        let update = ["stops", "update", "gtfs.town", "--config", config]
        for _ in 0..<3 {
            let program = try Program(update, environment: environment(folder))
            let isUnderWay = await eventually {
                (try? Data(contentsOf: URL(filePath: path + ".part")))?.count ?? 0 > 1_000 || program.poll() != nil
            }
            #expect(isUnderWay && program.poll() == nil, "\(program.output)\(program.errors)")
            program.signal(SIGKILL)
            #expect(await program.end() == -SIGKILL)
            #expect(try Data(contentsOf: URL(filePath: path)) == old)
            let look = try await run("departures", "gtfs.town:P", "--config", config, environment: environment(folder))
            #expect(look.status == 0 && rows(look.output).count >= 11, "\(look.errors)")
        }
        town.files.withLock { $0.isSlow = false }
        town.server.goOn()
        let whole = try Program(update, environment: environment(folder))
        #expect(await whole.end() == 0, "\(whole.output)\(whole.errors)")
        #expect(try Data(contentsOf: URL(filePath: path)).count == new.count)
        let look = try await run("departures", "gtfs.town:P", "--config", config, environment: environment(folder))
        #expect(look.output.contains("Quay Side"), "\(look.output)")
    }

    @Test("a disk that takes no more is said with what to do, and what was kept serves")
    func fullDisk() async throws {
        let town = try Tramway()
        let folder = try TemporaryFolder(town.config())
        let config = "\(folder.path)/boardd.toml"
        // A limit of the size of files stands for a full disk; the signal of it ignored, writes fail.
        let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""
        let program = try Program(
            shell: script, ["departures", "gtfs.town:P", "--config", config], environment: environment(folder))
        #expect(await program.end() == SystemExit.protocolError, "\(program.output)")
        #expect(
            program.errors
                == "the timetable of Town cannot be kept: \(folder.path)/gtfs.town.zip.part: cannot be written: "
                + "File too large. Mend that, then: sudo boardd stops update gtfs.town\n")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/gtfs.town.zip.part"))
        let look = try await run("departures", "gtfs.town:P", "--config", config, environment: environment(folder))
        #expect(look.status == 0)
    }
}
