import BoardCore
import Testing

@testable import boardd

@Suite("Notifications to systemd")
struct SystemdNotifierTests {
    @Test("go to a socket at a path, one message per datagram")
    func path() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket("\(folder.path)/notify")
        let manager = SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.name])
        #expect(manager.isActive)
        #expect(manager.ready())
        #expect(manager.status("tfl:1 is live"))
        #expect(manager.alive())
        manager.stopping()
        #expect(socket.messages() == ["READY=1", "STATUS=tfl:1 is live", "WATCHDOG=1", "STOPPING=1"])
    }

    @Test("go to an abstract socket, whose name has no byte too many")
    func abstract() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket("@\(folder.path)/abstract")
        #expect(SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.name]).ready())
        #expect(socket.messages() == ["READY=1"])
    }

    @Test("fail without blocking where the socket is missing or full")
    func unavailable() throws {
        let folder = try TemporaryFolder()
        let gone = SystemdNotifier(environment: ["NOTIFY_SOCKET": "\(folder.path)/missing"])
        #expect(!gone.ready())
        let socket = try NotifySocket("\(folder.path)/full")
        let busy = SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.name])
        var sent = 0
        while sent < 100_000, busy.alive() { sent += 1 }
        #expect(sent < 100_000, "the socket's queue is full")
        #expect(!busy.ready())
        #expect(socket.messages().count == sent)
        #expect(busy.ready())
    }

    @Test("without systemd nothing is sent, and that is no failure")
    func absent() {
        for environment in [[:], ["NOTIFY_SOCKET": ""], ["WATCHDOG_USEC": "10000000"]] {
            let manager = SystemdNotifier(environment: environment)
            #expect(!manager.isActive)
            #expect(manager.watchdog == nil)
            #expect(manager.ready())
        }
    }

    @Test(
        "the watchdog's period is that of the environment, if it is for this process",
        arguments: [
            (["WATCHDOG_USEC": "10000000"], Duration.seconds(10)),
            (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"], nil),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ])
    func period(environment: [String: String], expected: Duration?) {
        let all = environment.merging(["NOTIFY_SOCKET": "@missing"]) { given, _ in given }
        #expect(SystemdNotifier(environment: all).watchdog == expected)
    }
}
