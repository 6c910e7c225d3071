internal import ArgumentParser
internal import BoardService

/// `boardd status`: the state of the running board.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the running board.",
        discussion: "Times are in this machine's zone; with --json in UTC. Example: boardd status")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await CommandError.exitOnFailure {
            let state = try await ConfigurationOption.runningBoard().state()
            try StandardOutput.write(
                json ? PrettyJSON.text(state) : StatusPage(state, zone: MachineZone.current).text)
        }
    }
}
