internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// Where the configuration is.
struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "Read this boardd.toml; favourites.toml and keys.env are looked for beside it.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var file: String?

    /// The source that was asked for; without one, the installed files.
    var source: ConfigurationSource {
        file.map { .file($0) } ?? .directory(Folders(environment: Environment.current).configuration)
    }

    /// The board's file, for the glass.
    var place: FilePlace { FilePlace(file: file ?? "boardd.toml") }

    /// Reads and checks every file.
    ///
    /// - Parameter complaint: what else is wrong with a favourite's stop, as the end of a sentence that begins with it.
    func load(
        complaint: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationFaults) -> Configuration {
        try Self.loader.load(source, environment: Environment.current, complaint: complaint)
    }

    /// What changes its favourites.
    var editor: FavouritesEditor {
        FavouritesEditor(path: source.favouritesPath, declarations: FeedRegistry.declarations)
    }

    private static var loader: ConfigurationLoader {
        ConfigurationLoader(
            declarations: FeedRegistry.declarations, pinMaps: PinMap.named,
            trial: { FeedAssembly.failure(of: $0, $1) })
    }
}
