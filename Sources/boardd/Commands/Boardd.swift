internal import ArgumentParser

/// The command line.
struct Boardd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boardd",
        abstract: "A departure board that ages every estimate by its own timestamp and time to live.",
        version: Version.number,
        subcommands: [RunCommand.self, CheckCommand.self, DeparturesCommand.self])
}
