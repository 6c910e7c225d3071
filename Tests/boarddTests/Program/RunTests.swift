import FoundationEssentials
import Glibc
import LoopbackServer
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("boardd run, as a process", .serialized, .endsHangs)
struct RunTests {
    /// A configuration with one stop, polled at a server on this machine.
    private func files(_ server: LoopbackServer, board: String = "") -> [String: String] {
        [
            "boardd.toml": "[feed.tfl]\nurl = \"\(server.url())\"\n\(board)",
            "favourites.toml": "[[stop]]\nid = \"tfl:490008660N\"\nlabel = \"Oxford St\"\n",
        ]
    }

    private var demo: [String] { ["run", "--config", Checkout.demo, "--replay", Checkout.recording] }

    @Test("--frames 3 prints three boxed frames and exits with 0")
    func frames() async throws {
        let program = try Program(demo + ["--frames", "3"])
        #expect(await program.end() == 0, "\(program.errors)")
        let lines = program.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("frame ") }.count == 3)
        #expect(lines.filter { $0.hasPrefix("┌────────────────────┐") }.count == 3)
        #expect(lines.filter { $0.hasPrefix("│") && $0.hasSuffix("│") && $0.count == 22 }.count == 12)
        // The first row of the overview.
        #expect(program.output.contains(/│[A-Z][a-z]{2} [0-9]+ [A-Z][a-z]{2} +[0-9]{2}:[0-9]{2}│/))
    }

    @Test("without a display it suggests --simulate, but not to systemd")
    func noDisplay() async throws {
        let toml = "button = []\n[display]\nbus = \"/dev/i2c-none\"\n"
        let folder = try TemporaryFolder(["boardd.toml": toml])
        let run = ["run", "--config", "\(folder.path)/boardd.toml", "--replay", Checkout.recording]
        for (environment, isAdvised) in [([:], true), (["NOTIFY_SOCKET": "@boardd-no-listener"], false)] {
            let program = try Program(run, environment: environment)
            #expect(
                await eventually { program.errors.contains("display: there is no /dev/i2c-none") }, "\(program.errors)")
            #expect(await program.terminate() == 0, "\(program.errors)")
            #expect(program.errors.contains("boardd run --simulate") == isAdvised, "\(program.errors)")
        }
    }

    @Test("it exits with 0 each time, whichever service ends first")
    func manyEnds() async throws {
        for _ in 0..<20 {
            let program = try Program(demo + ["--frames", "1"])
            #expect(await program.end() == 0, "\(program.errors)")
        }
    }

    @Test(
        "SIGTERM ends it with status 0 while a request hangs, leaves nothing behind, and shows a last frame",
        arguments: [SIGTERM, SIGINT])
    func terminate(_ signal: Int32) async throws {
        let server = try LoopbackServer.unresponsive()
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server))
        let program = try Program(["run", "--config", "\(folder.path)/boardd.toml", "--simulate"])
        #expect(await eventually { !server.requests.isEmpty })
        program.signal(signal)
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.output.contains("boardd stopped at"))
        #expect(program.errors.hasSuffix("notice: boardd stopped\n"))
    }

    @Test("SIGHUP does no harm from its first statement on")
    func hangupSignals() async throws {
        for _ in 0..<3 {
            let program = try Program(demo + ["--frames", "2"])
            while !program.ignoresHangUp, program.poll() == nil, !Task.isCancelled {}
            var signals = 0
            // Until it has drawn a frame.
            let isDrawn = await eventually {
                program.signal(SIGHUP)
                signals += 1
                return signals >= 20 && program.output.contains("frame ") || program.poll() != nil
            }
            #expect(isDrawn)
            #expect(await program.end() == 0, "\(program.errors)")
        }
    }

    @Test("a change right after the start, with its signal, is not missed")
    func earlyReload() async throws {
        let server = try LoopbackServer.unresponsive()
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server))
        let program = try Program(["run", "--config", "\(folder.path)/boardd.toml", "--simulate"])
        while !program.ignoresHangUp, program.poll() == nil, !Task.isCancelled {}
        try folder.write("[[stop]]\nid = \"tfl:1\"\nlabel = \"Elsewhere\"\n", to: "favourites.toml")
        program.signal(SIGHUP)
        #expect(await eventually { program.output.contains("Elsewhere") })
        #expect(await program.terminate() == 0)
    }

    @Test("a reload with a faulty file shows that on the display and keeps the old stops; a valid one ends that")
    func faultyReload() async throws {
        let server = try LoopbackServer.unresponsive()
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server))
        let program = try Program(["run", "--config", "\(folder.path)/boardd.toml", "--simulate"])
        #expect(await eventually { program.output.contains("Loading") })
        let good = folder.read("boardd.toml")
        try folder.write(good + "[language]\nlanguish = \"en\"\n", to: "boardd.toml")
        program.signal(SIGHUP)
        #expect(await eventually { program.output.contains("boardd.toml line 4") }, "\(program.output)")
        #expect(program.errors.contains("boardd.toml:4:1: "))
        // Logged faults are not logged again, however many reloads are requested; a valid configuration is logged once.
        func lines(_ part: String) -> Int { program.errors.components(separatedBy: part).count - 1 }
        let bad = folder.read("boardd.toml")
        try folder.write(good, to: "boardd.toml")
        program.signal(SIGHUP)
        #expect(await eventually { lines("valid again: 1 favourite") == 1 }, "\(program.errors)")
        try folder.write(bad, to: "boardd.toml")
        let reads = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        defer { close(reads) }
        let watch = unsafe inotify_add_watch(reads, "\(folder.path)/boardd.toml", UInt32(IN_CLOSE_NOWRITE))
        try #require(watch >= 0)
        var event = [UInt8](repeating: 0, count: 4_096)
        for _ in 0..<5 {
            program.signal(SIGHUP)
            #expect(await eventually { unsafe read(reads, &event, event.count) > 0 }, "the file is read again")
        }
        #expect(await eventually { lines("the old one stays") == 2 }, "\(program.errors)")
        let count = program.output.count
        try folder.write(good + "[language]\nclock = \"12h\"\n", to: "boardd.toml")
        program.signal(SIGHUP)
        #expect(await eventually { program.output.dropFirst(count).contains("Loading") })
        #expect(program.output.components(separatedBy: "Oxford St").count > 2)
        #expect(await program.terminate() == 0, "\(program.errors)")
        #expect(lines("boardd.toml:4:1: ") == 2)
        #expect(lines("the old one stays") == 2)
        #expect(lines("valid again: ") == 2)
    }

    @Test(
        "a stray bracket ends neither the running board nor the next start, and every command reports its line",
        arguments: ["boardd.toml", "favourites.toml"], ["[", "[[\u{201C}stop\u{201D}]]", "a = []\n[a.b]"])
    func strayBracket(file: String, text: String) async throws {
        let server = try LoopbackServer.unresponsive()
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server))
        let run = ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"]
        let program = try Program(run)
        #expect(await eventually { program.output.contains("Loading") })
        let good = folder.read(file)
        try folder.write("\(good)\n\(text)\n", to: file)
        program.signal(SIGHUP)
        // In one row or two, however long the name is.
        func reports(_ program: Program) -> Bool { program.output.contains("│\(file)") }
        #expect(await eventually { reports(program) }, "\(program.errors)")
        #expect(program.poll() == nil)
        #expect(await program.terminate() == 0)

        let check = try Program(["check", "--config", "\(folder.path)/boardd.toml"])
        #expect(await check.end() == 1)
        let line = "\(good)\n\(text)".split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(check.output.contains("/\(file):\(line):"), "\(check.output)")

        // As systemd starts it: the board must show what is wrong.
        let socket = try NotifySocket("\(folder.path)/notify")
        let again = try Program(run, environment: ["NOTIFY_SOCKET": socket.name])
        #expect(await eventually { reports(again) }, "\(again.errors)")
        #expect(await again.terminate() == 0)
    }

    @Test("a reload that changes size, address and level is applied while a request hangs")
    func changedReload() async throws {
        let old = try LoopbackServer.unresponsive()
        let new = try LoopbackServer.unresponsive()
        defer { [old, new].forEach { $0.stop() } }
        let folder = try TemporaryFolder(files(old))
        let program = try Program(["run", "--config", "\(folder.path)/boardd.toml", "--simulate"])
        #expect(await eventually { !old.requests.isEmpty })
        let changed = files(new, board: "[display]\nsize = \"16x2\"\n[log]\nlevel = \"debug\"\n")
        try folder.write(changed["boardd.toml"] ?? "", to: "boardd.toml")
        program.signal(SIGHUP)
        #expect(await eventually { !new.requests.isEmpty }, "polled at once, not after the old timeout")
        #expect(await eventually { program.output.contains("\n┌────────────────┐\n") })
        #expect(await program.terminate() == 0)
    }

    @Test("systemd receives READY after the first frame, a status, watchdog notifications, and STOPPING")
    func notify() async throws {
        let server = try LoopbackServer.unresponsive()
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server, board: "[pages]\nturns = false\n"))
        let socket = try NotifySocket("\(folder.path)/notify")
        let program = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"],
            environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "1000000"])
        var messages: [String] = []
        var framesAtReady: Int?
        let isAlive = await eventually {
            for message in socket.messages() {
                messages.append(message)
                if message == "READY=1" { framesAtReady = program.output.components(separatedBy: "frame ").count - 1 }
            }
            return messages.count { $0 == "WATCHDOG=1" } >= 4
        }
        #expect(isAlive, "\(messages)")
        #expect(messages.count { $0 == "READY=1" } == 1)
        #expect((framesAtReady ?? 0) >= 1)
        #expect(messages.contains("STATUS=tfl:490008660N is loading"))
        #expect(await program.terminate() == 0)
        #expect(socket.messages().last == "STOPPING=1")
    }

    @Test("started by systemd with a typo in favourites.toml it shows that on the panel of boardd.toml")
    func faultyFavourites() async throws {
        let folder = try TemporaryFolder([
            "boardd.toml": "[display]\nsize = \"16x2\"\n",
            "favourites.toml": "[[stop]]\nid = \"tfl:490008660N\"\nlable = \"Oxford St\"\n",
        ])
        let socket = try NotifySocket("\(folder.path)/notify")
        let program = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"],
            environment: ["NOTIFY_SOCKET": socket.name])
        #expect(
            await eventually { program.output.contains("│favourites.toml │\n│line 3          │") }, "\(program.output)")
        #expect(program.output.contains("\n┌────────────────┐\n"))
        #expect(program.errors.contains("boardd \(Version.number) started with 1 favourite\n"))
        #expect(await program.terminate() == 0)
    }

    @Test("a key from the environment is in no output, also when it is rejected and the log level is debug")
    func secret() async throws {
        let server = try LoopbackServer { _ in [.reply(403, text: "no, not with sekret")] }
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server, board: "[log]\nlevel = \"debug\"\n"))
        let config = "\(folder.path)/boardd.toml"
        let record = "\(folder.path)/recording"
        let key = ["TFL_APP_KEY": "sekret"]
        let program = try Program(
            ["run", "--config", config, "--simulate", "--record", record, "--frame-log", "\(folder.path)/frames"],
            environment: key)
        #expect(await eventually { program.output.contains("rejects") }, "\(program.output)")
        #expect(await program.terminate() == 0)
        #expect(server.requests.contains { $0.contains("sekret") }, "the operator itself gets the key")
        let departures = try await run("departures", "tfl:490008660N", "--config", config, environment: key)
        #expect(departures.status == ExitStatus.noPermission)
        let check = try await run("check", "--online", "--config", config, environment: key)
        #expect(check.status == 1)
        let recorded = folder.read("recording/00001.http")
        #expect(recorded.contains("403"))
        let outputs = [
            program.output, program.errors, departures.output, departures.errors, check.output, check.errors,
            recorded, folder.read("frames"),
        ]
        for output in outputs {
            #expect(!output.isEmpty || output == departures.output || output == check.errors)
            #expect(!output.contains("sekret"), "\(output)")
        }
    }

    @Test("without a runtime folder it runs without a control socket, and reports that once")
    func noFolder() async throws {
        let server = try LoopbackServer.unresponsive()
        defer { server.stop() }
        let folder = try TemporaryFolder(files(server))
        let absent = "\(folder.path)/absent"
        let program = try Program(
            ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"], environment: ["RUNTIME_DIRECTORY": absent])
        #expect(await eventually { program.output.contains("Loading") })
        #expect(await eventually { !server.requests.isEmpty })
        #expect(await program.terminate() == 0)
        let warnings = program.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(warnings.count == 1, "\(program.errors)")
        #expect(warnings.first?.hasPrefix("warning: \(absent) cannot be written: No such file or directory. ") == true)
        #expect(warnings.first?.contains("RUNTIME_DIRECTORY") == true)
    }

    @Test("it ends when its reader goes away")
    func brokenPipe() async throws {
        let folder = try TemporaryFolder()
        let fifo = "\(folder.path)/fifo"
        try #require(unsafe mkfifo(fifo, 0o600) == 0)
        // Without a reader the frame log cannot be opened for writing without waiting, so one is there, then gone.
        let reader = unsafe open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let program = try Program(demo + ["--simulate", "--frame-log", fifo])
        #expect(await eventually { program.output.contains("frame 1") })
        close(reader)
        #expect(await eventually { program.output.contains("frame 3") }, "a lost log is no reason to end")
        #expect(await program.terminate() == 0)
    }
}
