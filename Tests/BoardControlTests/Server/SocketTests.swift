import BoardControl
import BoardCore
import FoundationEssentials
import Glibc
import ServerTesting
import Testing
import Waiting

@Suite("The control socket's file", .endsHangs)
struct SocketTests {
    private func file(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    @Test("is accessible only to the daemon and its group, and removed at the end")
    func mode() async throws {
        let served = try await RunningServer()
        let status = try #require(file(served.path))
        #expect(status.st_mode & S_IFMT == S_IFSOCK)
        #expect(status.st_mode & 0o7777 == 0o660)
        #expect(try FileManager.default.contentsOfDirectory(atPath: served.folder) == ["control.sock"])
        try await served.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: served.folder) == [])
    }

    @Test("gets its group; a missing group is reported")
    func group() async throws {
        let without = try await RunningServer()
        #expect(
            without.events == [
                .withoutGroup("no-such-group-here", reason: "no such group"),
                .listening("control socket \(without.path)"),
            ])
        // A user may always set their own group.
        let own = try #require(unsafe getgrgid(getgid()).map { unsafe String(cString: $0.pointee.gr_name) })
        let with = try await RunningServer(group: own)
        #expect(with.events == [.listening("control socket \(with.path)")])
        #expect(file(with.path)?.st_gid == getgid())
    }

    @Test("gets the configured group and keeps its owner")
    func otherGroup() async throws {
        guard geteuid() == 0 else { return print("skipped: only root may set any group") }
        // Every Debian has the groups tty and mail.
        for (name, number) in [("tty", gid_t(5)), ("mail", 8)] {
            try #require(unsafe getgrgid(number).map { unsafe String(cString: $0.pointee.gr_name) } == name)
            let served = try await RunningServer(group: name)
            #expect(served.events == [.listening("control socket \(served.path)")])
            let status = try #require(file(served.path))
            #expect(status.st_gid == number)
            #expect(status.st_uid == geteuid())
            #expect(status.st_mode & 0o7777 == 0o660)
        }
    }

    @Test("of another live server is not replaced")
    func taken() async throws {
        let first = try await RunningServer()
        await #expect {
            _ = try await RunningServer(folder: first.folder)
        } throws: { error in
            error is PlainError && "\(error)".contains("another boardd is listening here: stop it first")
        }
        await first.servesOthers()
    }

    @Test("that a dead server left is replaced")
    func stale() async throws {
        let folder = "/tmp/boardd-stale-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: "\(folder)/control.sock".utf8)
        }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(dead, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(dead)
        let served = try await RunningServer(folder: folder)
        await served.servesOthers()
    }

    @Test("does not replace another kind of file")
    func notASocket() async throws {
        let folder = "/tmp/boardd-file-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("precious".utf8).write(to: URL(filePath: "\(folder)/control.sock"))
        await #expect {
            _ = try await RunningServer(folder: folder)
        } throws: { error in
            error is PlainError && "\(error)".contains("a file that is not a socket exists here")
        }
        #expect(try Data(contentsOf: URL(filePath: "\(folder)/control.sock")) == Data("precious".utf8))
    }

    @Test("cannot be created in a missing folder, nor with a path that is too long")
    func nowhere() async throws {
        func failure(_ path: String) async -> String? {
            let server = ControlServer([.control(path: path, router: Router(board: FakeBoard()))]) { _ in }
            do {
                try await server.run()
                return nil
            } catch {
                return "\(error)"
            }
        }
        let missing = "/tmp/boardd-not-there/control.sock"
        #expect(
            await failure(missing)
                == "control socket \(missing): cannot be created (No such file or directory): check its folder")
        let long = await failure("/tmp/" + String(repeating: "a", count: 110))
        #expect(long?.contains("the path is too long") == true)
    }

    @Test("completes a response in progress when the server ends")
    func shutdown() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await RunningServer(board) { $0.shutdown = .seconds(60) }
        let idle = try RawClient(served.path)
        let client = try await RawClient.sending("POST /v1/refresh HTTP/1.1\r\n\r\n", to: served.path)
        try await until { board.calls.contains("refresh") }
        async let ending: Void = served.stop()
        #expect(try await idle.drain() == 0)
        #expect(file(served.path) == nil)
        board.resume()
        let response = try await client.response()
        #expect(response?.status == 204)
        #expect(response?.header("connection") == "close")
        try await ending
    }

    @Test("closes even where an action never ends")
    func abruptShutdown() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await RunningServer(board) { $0.shutdown = .milliseconds(50) }
        let client = try await RawClient.sending("POST /v1/refresh HTTP/1.1\r\n\r\n", to: served.path)
        try await until { board.calls.contains("refresh") }
        try await served.stop()
        #expect(try await client.response() == nil)
    }

    @Test("can be created again after the server has ended")
    func again() async throws {
        let first = try await RunningServer()
        try await first.stop()
        let second = try await RunningServer(folder: first.folder)
        await second.servesOthers()
    }
}
