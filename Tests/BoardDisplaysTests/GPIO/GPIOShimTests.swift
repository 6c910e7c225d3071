import GPIOShim1
import GPIOShim2
import Testing

@Suite("The shims for libgpiod, each against a model of its version")
struct GPIOShimTests {
    /// The common transcript of both, whatever the machine's own version.
    private func transcript(_ version: Int) -> [String] {
        let text = version == 1 ? unsafe gpio_shim_1_transcript() : unsafe gpio_shim_2_transcript()
        guard let text = unsafe text else { return [] }
        return unsafe String(cString: text).split(separator: "\n").map(String.init)
    }

    @Test("a chip has its label and lines; a line is found by name, and has a consumer", arguments: [1, 2])
    func chips(version: Int) {
        #expect(
            transcript(version).prefix(5) == [
                "chip: pinctrl-bcm2711, 54 lines", "GPIO17: 17, GPIO99: -2", "line 4: used 1 by \"gpio-keys\"",
                "line 17: used 0 by \"\"", "no chip: -2",
            ])
    }

    @Test("a line in use is an error, and the lines before it are released", arguments: [1, 2])
    func lineInUse(version: Int) throws {
        let lines = transcript(version)
        let failed = try #require(lines.firstIndex(of: "open a used line: -16"))
        #expect(lines[failed + 1].hasPrefix("request of boardd"), "no line is left")
    }

    @Test(
        "a line with a pull-up is active low, the others are active high; edges of both directions are requested",
        arguments: [1, 2])
    func wiring(version: Int) throws {
        let lines = transcript(version)
        let opened = try #require(lines.firstIndex(of: "open: 0"))
        #expect(
            lines[opened...].dropFirst().prefix(5) == [
                "line 17: pull-up, active low, both edges", "line 22: no bias, active high, both edges",
                "line 27: pull-down, active high, both edges",
                // Before a press, and while all three are pressed.
                "active: 0 0 0", "active: 1 1 1",
            ])
    }

    @Test("a press is an edge to active, with the kernel's time; libgpiod 2 numbers them", arguments: [1, 2])
    func edges(version: Int) {
        func number(_ number: Int) -> Int { version == 1 ? 0 : number }
        let events = transcript(version).filter { $0.hasPrefix("event") }
        #expect(
            events == [
                "event: line 17 active at 1000000001 ns, number \(number(1))",
                "event: line 27 active at 2000000002 ns, number \(number(1))",
                "event: line 22 active at 3000000003 ns, number \(number(1))",
                "event: line 17 inactive at 4000000004 ns, number \(number(2))",
                "event: line 17 active at 5000000000 ns, number \(number(3))",
                "event: line 17 inactive at 5000000001 ns, number \(number(4))",
                "event: line 17 active at 5000000002 ns, number \(number(5))",
                "event: line 17 inactive at 5000000003 ns, number \(number(6))",
                // The kernel's first ABI queues 16 per line and drops the rest unnoticed.
                version == 1 ? "events: 16, queue full" : "events: 20, queue not full",
            ])
    }

    @Test("everything is released", arguments: [1, 2])
    func closing(version: Int) {
        #expect(transcript(version).last == "left open: 0 chips, 0 requests")
    }
}
