internal import ArgumentParser
internal import BoardCore
internal import BoardIO
internal import BoardService
internal import BoardStore

/// `boardd favourites list`.
struct ListFavourites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the favourites, as favourites.toml has them.",
        discussion: """
            A [[nearby]] entry takes one position; its current stops are listed below it. \
            Example: boardd favourites list --json
            """)

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            let loaded: Configuration
            do throws(ConfigurationFaults) {
                loaded = try configuration.load()
            } catch {
                // A fault in another file does not affect this list.
                guard !error.faults.contains(where: { $0.file == configuration.source.favouritesPath }) else {
                    throw ServiceError(error, "favourites.toml has faults")
                }
                for fault in error.faults { StandardError.write("remark: \(fault)".asPrintedLine + "\n") }
                loaded = error.partial
            }
            let entries = loaded.entries
            let listing = try await DedicatedThread.attempt { FavouriteListing(entries, in: .installed) }
            try StandardOutput.write(json ? listing.json : listing.table)
            for failure in listing.failures { StandardError.write("remark: \(failure)\n") }
            if listing.rows.isEmpty, !json {
                StandardError.write(Diagnosis.noFavourites + "\n")
            }
            if configuration.file == nil { await compare(loaded.entries) }
        }
    }

    /// Reports when the running board has another list.
    private func compare(_ entries: [FavouriteEntry]) async {
        guard let shown = try? await ConfigurationOption.runningBoard().favourites() else { return }
        guard shown.map(\.favourite.stop) != entries.named.map(\.stop) else { return }
        StandardError.write(
            "remark: the running board shows other favourites; see boardd status\n")
    }
}
