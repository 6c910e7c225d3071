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
    var place: FilePosition { FilePosition(file: file ?? "boardd.toml") }

    /// Reads and checks every file.
    ///
    /// - Parameter stopProblem: what else is wrong with a favourite's stop, as the end of a sentence that begins with it.
    func load(
        stopProblem: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationFaults) -> Configuration {
        try Self.loader.load(source, environment: Environment.current, stopProblem: stopProblem)
    }

    /// What changes its favourites.
    var editor: FavouritesEditor {
        FavouritesEditor(path: source.favouritesPath, declarations: FeedRegistry.declarations)
    }

    private static var loader: ConfigurationLoader {
        ConfigurationLoader(
            declarations: FeedRegistry.declarations, pinMaps: PinMap.named,
            checkSettings: { FeedFactory.failure(of: $0, $1) })
    }
}
