import BoardCore
import Glibc
import Testing

@testable import BoardIO
@testable import boardd

@Suite("Sockets of the page")
struct ListeningSocketTests {
    @Test("port 0 listens at a free port of loopback, of both families", arguments: ["127.0.0.1:0", "[::1]:0"])
    func freePort(text: String) throws {
        let given = try #require(ServerAddress(listening: text))
        let socket = try ListeningSocket(at: given)
        defer { close(socket.descriptor) }
        #expect(socket.address.port > 0)
        #expect(socket.address.host == given.host)
        // The descriptor alone has the same address.
        #expect(ListeningSocket(socket.descriptor) == socket)
        #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("a port that is taken is an error that names another one")
    func taken() throws {
        let first = try ListeningSocket(at: try #require(ServerAddress(listening: "127.0.0.1:0")))
        defer { close(first.descriptor) }
        let failure = try #require(throws: PlainError.self) { _ = try ListeningSocket(at: first.address) }
        #expect(
            failure.description == "the page cannot listen at \(first.address): another program listens there: "
                + "choose another port, such as --page 127.0.0.1:8480")
    }

    @Test("an address of another machine is an error that names this one's")
    func foreignAddress() throws {
        // For documentation (RFC 5737): no machine has it.
        let address = try #require(ServerAddress(listening: "192.0.2.1:0"))
        let failure = try #require(throws: PlainError.self) { _ = try ListeningSocket(at: address) }
        #expect(
            failure.description == "the page cannot listen at 192.0.2.1:0: the address is not one of this machine: "
                + "write 127.0.0.1 for this machine alone, or 0.0.0.0 for its networks")
    }

    @Test("only a listening TCP socket is one")
    func otherDescriptors() throws {
        let sockets = [
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0),
            unsafe open("/dev/null", O_RDONLY | O_CLOEXEC),
        ]
        for descriptor in sockets {
            #expect(descriptor >= 0)
            #expect(ListeningSocket(descriptor) == nil)
            close(descriptor)
        }
        #expect(ListeningSocket(-1) == nil)
    }

    @Test("a listening socket of another family is none")
    func unixSocket() throws {
        let folder = try TemporaryFolder()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = try #require(UnixAddress("\(folder.path)/s"))
        #expect(address.bind(descriptor) == 0)
        #expect(listen(descriptor, 1) == 0)
        #expect(ListeningSocket(descriptor) == nil)
    }

    @Test("of the sockets that systemd passed, those named page are the page's, and no child inherits any")
    func inherited() throws {
        let page = try ListeningSocket(at: try #require(ServerAddress(listening: "127.0.0.1:0")))
        defer { close(page.descriptor) }
        #expect(fcntl(page.descriptor, F_SETFD, 0) == 0)
        let sockets = InheritedSockets(pid: "\(getpid())", count: "1", names: "page", first: page.descriptor)
        #expect(try sockets.page() == [page])
        #expect(fcntl(page.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        let others = InheritedSockets(pid: "\(getpid())", count: "1", names: "other", first: page.descriptor)
        #expect(try others.page().isEmpty)
    }

    @Test(
        "sockets of another process, and unreadable variables, are ignored",
        arguments: [
            (nil, "1", "page"), ("1", "1", "page"), ("", "1", "page"), ("self", nil, "page"), ("self", "0", "page"),
            ("self", "-1", "page"), ("self", "x", "page"), ("self", "2147483647", "page"),
        ] as [(String?, String?, String?)])
    func notForUs(pid: String?, count: String?, names: String?) {
        let pid = pid == "self" ? "\(getpid())" : pid
        #expect(InheritedSockets(pid: pid, count: count, names: names).descriptors.isEmpty)
    }

    @Test("names are counted with their sockets, and a missing name is empty")
    func names() {
        let sockets = InheritedSockets(pid: "\(getpid())", count: "3", names: "a:page", first: 100)
        #expect(sockets.descriptors.map(\.descriptor) == [100, 101, 102])
        #expect(sockets.descriptors.map(\.name) == ["a", "page", ""])
    }

    @Test("a passed descriptor that does not listen is an error that names the unit")
    func notListening() throws {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let sockets = InheritedSockets(pid: "\(getpid())", count: "1", names: "page", first: descriptor)
        let failure = try #require(throws: PlainError.self) { _ = try sockets.page() }
        #expect(failure.description.hasSuffix("(systemctl edit boardd-page.socket)"))
    }

    @Test("no program that boardd starts sees the variables of passed sockets")
    func clearedVariables() async throws {
        let folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\nenv >'\(folder.path)/environment'\n", to: "systemctl")
        try #require(unsafe chmod("\(folder.path)/systemctl", 0o755) == 0)
        let program = try Program(
            shell: "LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=page OWN=own exec \"$0\" \"$@\"", ["report"],
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(await program.end() == 0)
        let environment = folder.read("environment")
        #expect(environment.contains("OWN=own"))
        #expect(!environment.contains("LISTEN_"))
    }

    @Test("the networks of this machine contain loopback, and none contains everybody")
    func interfaces() throws {
        let networks = InterfaceNetworks.now
        #expect(networks.contains(try NetworkPrefix(written: "127.0.0.0/8")))
        #expect(networks.allSatisfy { $0.length > 0 })
    }
}
