internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// `boardd favourites list`.
struct ListFavourites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the favourites, as favourites.toml has them.",
        discussion: """
            A wish for near stops ([[nearby]]) takes one place, and what it comes to now stands below it. \
            Example: boardd favourites list --json
            """)

    @Flag(help: "Print everything that is known, as JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            let loaded: Configuration
            do throws(ConfigurationFaults) {
                loaded = try configuration.load()
            } catch {
                // What is wrong with another file does not make this one's list wrong.
                guard !error.faults.contains(where: { $0.file == configuration.source.favouritesPath }) else {
                    throw ControlClientError.refused(
                        ControlError(
                            .invalid, "the favourites are not certain, since their file is faulty",
                            faults: error.faults.map { Fault($0) }))
                }
                for fault in error.faults { StandardError.write("remark: \(fault)".asPrintedLine + "\n") }
                loaded = error.partial
            }
            let folders = Folders(environment: Environment.current)
            let listing: FavouriteListing
            do throws(ThreadFailure) {
                listing = try await DedicatedThread.run("look") {
                    FavouriteListing(loaded.entries, in: StopDirectory(folder: folders.state))
                }
            } catch {
                throw ControlClientError.refused(ControlError(.failed, "\(error)"))
            }
            try StandardOutput.write(json ? listing.json : listing.table)
            for failure in listing.failures { StandardError.write("remark: \(failure)\n") }
            if listing.rows.isEmpty, !json {
                StandardError.write("there are no favourites yet: boardd favourites add STOP\n")
            }
            if configuration.file == nil { await compare(loaded.entries, withDaemonAt: folders.controlSocket) }
        }
    }

    /// Says when the running board has another list.
    private func compare(_ entries: [FavouriteEntry], withDaemonAt socket: String) async {
        guard let shown = try? await ControlClient(path: socket).favourites() else { return }
        guard shown.map(\.stop) != entries.named.map(\.stop.description) else { return }
        StandardError.write(
            "remark: the running board has other favourites: boardd status says why, or it was given other files\n")
    }
}
