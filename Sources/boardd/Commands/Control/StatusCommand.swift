internal import ArgumentParser
internal import BoardControl

/// `boardd status`: how the running board is doing.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say what the running board shows, and how it stands with everything.",
        discussion: "Times are in this machine's zone; with --json in UTC. Example: boardd status")

    @Flag(help: "Print everything that is known, as JSON.")
    var json = false

    func run() async throws {
        try await CommandError.exitOnFailure {
            let state = try await ControlClient.running.state()
            try StandardOutput.write(
                json ? PrettyJSON.text(state) : StatusPage(state, zone: MachineZone.current).text)
        }
    }
}
