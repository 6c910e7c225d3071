import ArgumentParser
import BoardControl
import BoardCore
import BoardIO
import BoardService

/// `boardd page …`: the page for phones.
struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Turn the page for phones on and off, and list the paired devices.",
        discussion: """
            The page shows the board to everybody in its network, and lets paired devices change it; [page] in boardd.toml \
            changes that. It is off until it is turned on. Exit status: 0 good, 1 no such device, 69 no board runs, \
            75 not possible here, 77 not allowed. Example: sudo boardd page on
            """,
        subcommands: [
            PageOn.self, PageOff.self, SetupByPhone.self, PairDevice.self, ListDevices.self, RemoveDevice.self,
        ])
}

struct PageOn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Serve the page in this network, also after a restart of the machine.",
        discussion: "The board restarts, and the address of the page is printed. Example: sudo boardd page on")

    func run() async throws {
        let addresses = try await DedicatedThread.attempt("page") {
            MachineAddress.origins(port: try PageSwitch.installed(for: "boardd page on").on()).map { "\($0)" }
        }
        try StandardOutput.write(
            """
            The page is on: \(addresses.joined(separator: " or "))
            Everybody in this network may look. To change favourites on the page, enter the six digits that the display shows then.

            """)
    }
}

struct SetupByPhone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Turn the page on, and let a phone set up the board for 30 minutes.",
        discussion: """
            A phone that enters the digits of the display in this time is an owner: it may change settings and keys, \
            also later. Holding the board's button for five seconds does the same. Example: sudo boardd page setup
            """)

    func run() async throws {
        let isOn = (try? await ConfigurationOption.runningBoard().state())?.pageAddresses?.isEmpty == false
        if !isOn {
            try await DedicatedThread.attempt("page") {
                _ = try PageSwitch.installed(for: "boardd page setup").on()
            }
        }
        try await Self.open()
        let addresses = (try? await ConfigurationOption.runningBoard().state())?.pageAddresses ?? []
        try StandardOutput.write(
            """
            On your phone, in this network: \((addresses.isEmpty ? ["the address on the display"] : addresses).joined(separator: " or "))
            Set up the board there. It asks for the six digits on the display; without one: boardd page pair

            """)
    }

    /// Opens the window, as soon as a board that was just started responds.
    private static func open() async throws(ServiceError) {
        for _ in 0..<10 {
            do throws(ServiceError) {
                return try await ConfigurationOption.runningBoard().openSetup()
            } catch {
                guard error.kind == .noDaemon else { throw error }
            }
            await SystemClock().sleep(for: .seconds(1))
        }
        try await ConfigurationOption.runningBoard().openSetup()
    }
}

struct PageOff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "End the page, also for the next start of the machine.",
        discussion: "The board restarts. Paired devices stay paired. Example: sudo boardd page off")

    func run() async throws {
        try await DedicatedThread.attempt("page") {
            try PageSwitch.installed(for: "boardd page off").off()
        }
        try StandardOutput.write("The page is off.\n")
    }
}

struct PairDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Print the digits that pair a device, where the display cannot be seen.",
        discussion: "Enter them on the page within two minutes. Example: boardd page pair")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let pairing = try await ConfigurationOption.runningBoard().startPairing(isLocal: true, from: nil)
        guard !json else { return try StandardOutput.write(PrettyJSON.text(pairing)) }
        guard let code = pairing.code else { throw ServiceError.withoutCode }
        try StandardOutput.write("\(code)\n")
        let end = MachineZone.current.text(pairing.expiresAt, at: pairing.expiresAt)
        StandardError.write("Enter these digits on the page before \(end).\n")
    }
}

extension ServiceError {
    fileprivate static let withoutCode = ServiceError(
        .unexpectedResponse, "the running boardd sent no digits; after an upgrade: sudo systemctl restart boardd")
}

struct ListDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the devices that may change the board through the page.",
        discussion: "With the days on which each was paired and last used. Example: boardd page list --json")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let devices = try await ConfigurationOption.runningBoard().devices()
        guard !json else { return try StandardOutput.write(PrettyJSON.text(devices)) }
        var table = TextTable()
        for device in devices {
            table.add(
                device.name, "paired \(device.pairedAt)", "last used \(device.lastUsedAt)",
                device.isOwner ? "owner" : "")
        }
        try StandardOutput.write(table.text)
        if devices.isEmpty { StandardError.write("no device is paired: boardd page pair\n") }
    }
}

struct RemoveDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Unpair a device: it may look, but no longer change the board.",
        discussion: "Example: boardd page remove \"Sofa phone\"")

    @Argument(help: "The name of the device, as boardd page list prints it.", completion: .devices)
    var name: String

    func run() async throws {
        try await ConfigurationOption.runningBoard().removeDevice(named: name)
        try StandardOutput.write("\(name) removed\n")
    }
}
