internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// The option `--config`.
struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "Read this boardd.toml; favourites.toml and keys.env are read from its folder.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var file: String?

    /// The source of the option; without it, the installed files.
    var source: ConfigurationSource { Self.source(file) }

    /// The source with this boardd.toml; nil: the installed files.
    static func source(_ file: String?) -> ConfigurationSource {
        file.map { .file($0) } ?? .directory(Folders(environment: Environment.current).configuration)
    }

    /// The path of boardd.toml, for messages on the display.
    var place: FilePosition { FilePosition(file: file ?? "boardd.toml") }

    /// Reads and checks every file.
    ///
    /// - Parameter stopProblem: a further fault of a favourite's stop, as the end of a sentence that begins with the stop.
    func load(
        stopProblem: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationFaults) -> Configuration {
        try Self.load(source, stopProblem: stopProblem)
    }

    static func load(
        _ source: ConfigurationSource, stopProblem: (StopID) -> String? = { _ in nil }
    ) throws(ConfigurationFaults) -> Configuration {
        let loader = ConfigurationLoader(
            declarations: FeedRegistry.declarations, pinMaps: PinMap.named,
            checkSettings: { FeedFactory.failure(of: $0, $1) })
        return try loader.load(source, environment: Environment.current, stopProblem: stopProblem)
    }

    var editor: FavouritesEditor {
        FavouritesEditor(path: source.favouritesPath, declarations: FeedRegistry.declarations)
    }
}
