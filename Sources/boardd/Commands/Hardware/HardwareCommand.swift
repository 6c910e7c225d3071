internal import ArgumentParser

/// `boardd hardware …`: what is connected, and whether it works.
struct HardwareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hardware", abstract: "Find and test the display and the buttons.",
        discussion: "Example: boardd hardware scan",
        subcommands: [HardwareScanCommand.self, HardwareTestCommand.self])
}
