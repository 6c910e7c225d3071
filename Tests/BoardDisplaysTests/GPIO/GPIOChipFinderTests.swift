import BoardCore
import Glibc
import Synchronization
import Testing

@testable import BoardDisplays

@Suite("Finding the GPIO chip")
struct GPIOChipChoiceTests {
    @Test(
        "the header's chip is found by its label, whatever its number",
        arguments: [
            ["/dev/gpiochip0": "gpio-brcmstb@107d508500", "/dev/gpiochip4": "pinctrl-rp1"],
            ["/dev/gpiochip10": "gpio-brcmstb@107d508500", "/dev/gpiochip15": "pinctrl-rp1"],
            ["/dev/gpiochip0": "pinctrl-bcm2711", "/dev/gpiochip1": "raspberrypi-exp-gpio"],
            ["/dev/gpiochip0": "raspberrypi-exp-gpio", "/dev/gpiochip1": "pinctrl-bcm2835"],
        ] as [KeyValuePairs<String, String>])
    func headerChip(_ labels: KeyValuePairs<String, String>) throws {
        let chip = try GPIOChipFinder(FakeGPIO(labels)).chip(.auto)
        #expect(chip.label?.hasPrefix("pinctrl-") == true)
    }

    @Test("an unknown chip with a line named GPIO17 is the header's")
    func byLineName() throws {
        let gpio = FakeGPIO(["/dev/gpiochip0": "other", "/dev/gpiochip1": "pinctrl-rp2"])
        gpio.state.withLock { $0.lineNames = ["/dev/gpiochip1": ["GPIO16", "GPIO17"]] }
        #expect(try GPIOChipFinder(gpio).chip(.auto).path == "/dev/gpiochip1")
    }

    @Test("a chip may be configured by label or by path")
    func named() throws {
        let choice = GPIOChipFinder(FakeGPIO(["/dev/gpiochip0": "pinctrl-rp1", "/dev/gpiochip1": "gpio-sim-lab"]))
        #expect(try choice.chip(.named("gpio-sim-lab")).path == "/dev/gpiochip1")
        #expect(try choice.chip(.named("/dev/gpiochip1")).label == "gpio-sim-lab")
    }

    @Test(
        "a missing chip is an error that lists the existing ones", arguments: ["auto", "gpio-simm", "/dev/gpiochip7"])
    func absent(_ name: String) {
        let choice = GPIOChipFinder(FakeGPIO(["/dev/gpiochip0": "gpio-sim-lab", "/dev/gpiochip1": "exp"]))
        let fault = #expect(throws: DeviceError.self) { try choice.chip(name == "auto" ? .auto : .named(name)) }
        let text = fault?.description ?? ""
        #expect(text.contains("/dev/gpiochip0 [gpio-sim-lab], /dev/gpiochip1 [exp]"))
        #expect(name == "auto" ? text.contains("pinctrl-rp1") : text.contains(name))
    }

    @Test("a machine without GPIO is an error")
    func none() {
        let fault = #expect(throws: DeviceError.self) { try GPIOChipFinder(FakeGPIO([:])).chip(.auto) }
        #expect(fault?.description.contains("no /dev/gpiochip*") == true)
    }

    @Test("a chip without permission is an error that names the group", arguments: ["auto", "/dev/gpiochip0"])
    func denied(_ name: String) {
        let gpio = FakeGPIO([:])
        let denied = GPIOChip(path: "/dev/gpiochip0", identity: .failure(DeviceError(gpio: EACCES)))
        gpio.state.withLock { $0.chips = [denied] }
        let fault = #expect(throws: DeviceError.self) {
            try GPIOChipFinder(gpio).chip(name == "auto" ? .auto : .named(name))
        }
        #expect(fault == .notPermitted("/dev/gpiochip0"))
        #expect(fault?.description.contains("group gpio") == true)
    }

    @Test("a path that is not a chip is an error with libgpiod's reason")
    func notAChip() {
        #expect(LibGPIO().chip(at: "/dev/absent").identity == .failure(DeviceError(gpio: ENOENT)))
        #expect(LibGPIO().chip(at: "/dev/null").label == nil)
        #expect(LibGPIO().user(ofLine: 1, onChipAt: "/dev/null") == nil)
        #expect(!LibGPIO().hasLine(named: "GPIO17", onChipAt: "/dev/null"))
        #expect(throws: DeviceError.self) {
            try LibGPIO().request([GPIOLine(offset: 1, pull: .up)], onChipAt: "/dev/null")
        }
    }
}
