import BoardService
import Synchronization
import Testing

@testable import boardd

@Suite("boardd page on and off")
struct PageSwitchTests {
    /// A systemctl that remembers its calls, and holds the state of the two units.
    private final class Systemd: Sendable {
        struct Units {
            var isInstalled = true
            var isPageOn = false
            var isBoardOn = true
            var isEnabled = false
            var isFailed = false
            /// Another program has the port.
            var isPortTaken = false
            var calls: [String] = []
        }

        let units: Mutex<Units>

        init(_ change: (inout Units) -> Void = { _ in }) {
            var units = Units()
            change(&units)
            self.units = Mutex(units)
        }

        var state: Units { units.withLock { $0 } }

        var page: PageSwitch { PageSwitch { self.call($0) } }

        private func call(_ words: [String]) -> String {
            units.withLock { units in
                if words.first != "show" { units.calls.append(words.joined(separator: " ")) }
                var printed = ""
                for unit in words.dropFirst() {
                    switch (words.first, unit) {
                    case ("show", PageSwitch.socket):
                        printed =
                            "LoadState=\(units.isInstalled ? "loaded" : "not-found")\n"
                            + "ActiveState=\(units.isPageOn ? "active" : units.isFailed ? "failed" : "inactive")\nListen=[::]:8480 (Stream)\n"
                    case ("enable", PageSwitch.socket): units.isEnabled = true
                    case ("disable", PageSwitch.socket): units.isEnabled = false
                    case ("stop", PageSwitch.socket): units.isPageOn = false
                    case ("start", PageSwitch.socket):
                        // As systemd: "Socket service boardd.service already active", and an error.
                        if units.isPortTaken || units.isBoardOn {
                            units.isFailed = true
                            printed += "Job for boardd-page.socket failed.\n"
                        } else {
                            units.isPageOn = true
                        }
                    case ("reset-failed", PageSwitch.socket): units.isFailed = false
                    case ("stop", "boardd.service"): units.isBoardOn = false
                    case ("start", "boardd.service"): units.isBoardOn = true
                    default: break
                    }
                }
                return printed
            }
        }
    }

    @Test("the page is turned on with the board stopped, and the board runs again afterwards")
    func on() throws {
        let systemd = Systemd()
        #expect(try systemd.page.on() == 8480)
        let state = systemd.state
        #expect(state.isPageOn && state.isEnabled && state.isBoardOn)
    }

    @Test("a page that is on already stays, without a restart of the board")
    func onTwice() throws {
        let systemd = Systemd { $0.isPageOn = true }
        #expect(try systemd.page.on() == 8480)
        #expect(systemd.state.calls == ["enable --quiet boardd-page.socket"])
    }

    @Test("with a port that is taken the page stays off, the board runs, and the error names another port")
    func portTaken() throws {
        let systemd = Systemd { $0.isPortTaken = true }
        let failure = try #require(throws: ServiceError.self) { _ = try systemd.page.on() }
        #expect(failure.message.hasPrefix("the page cannot listen at port 8480: another program may have it"))
        #expect(failure.message.contains("ListenStream=8481"))
        #expect(failure.message.hasSuffix("Job for boardd-page.socket failed."))
        let state = systemd.state
        #expect(state.isBoardOn && !state.isEnabled && !state.isPageOn && !state.isFailed)
    }

    @Test("an installation without the unit is an error, and nothing is changed")
    func notInstalled() throws {
        let systemd = Systemd { $0.isInstalled = false }
        let failure = try #require(throws: ServiceError.self) { _ = try systemd.page.on() }
        #expect(failure.message.contains("boardd-page.socket is not installed"))
        #expect(systemd.state.calls.isEmpty)
    }

    @Test("the page is turned off with a restart of the board, which holds the port as well")
    func off() throws {
        let systemd = Systemd {
            $0.isPageOn = true
            $0.isEnabled = true
        }
        try systemd.page.off()
        #expect(!systemd.state.isPageOn && !systemd.state.isEnabled)
        #expect(systemd.state.calls.last == "try-restart boardd.service")
    }

    @Test(
        "the port is read from what systemd lists",
        arguments: [
            ("Listen=[::]:80 (Stream)", 80), ("Listen=0.0.0.0:8480 (Stream)\nListen=[::]:81 (Stream)", 8480),
            ("Listen=/run/x (Stream)", nil), ("", nil),
        ] as [(String, UInt16?)])
    func ports(text: String, port: UInt16?) {
        #expect(PageSwitch.State(text).port == port)
    }
}
