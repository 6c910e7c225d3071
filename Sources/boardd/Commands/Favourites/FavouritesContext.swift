internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardIO
internal import BoardStore

/// The state of `boardd favourites …`: the backend for changes, the entries, and the stop directory.
struct FavouritesContext {
    /// A daemon that does not respond in this time counts as not running.
    private static let probeTimeout = Duration.seconds(2)

    /// The daemon may have to wait for an operator.
    private static let timeout = Duration.seconds(40)

    let backend: any FavouritesBackend
    let entries: [FavouriteEntry]
    let directory: StopDirectory
    /// Whether a daemon responds on the control socket.
    let hasDaemon: Bool

    /// Uses a running daemon unless the command names another configuration; otherwise edits the file in this process.
    init(_ configuration: ConfigurationOption) async throws(ControlClientError) {
        let folders = Folders(environment: Environment.current)
        directory = StopDirectory(folder: folders.state)
        if configuration.file == nil {
            let daemon = DaemonFavourites(client: ControlClient(path: folders.controlSocket, timeout: Self.timeout)) {
                configuration.readableEntries
            }
            do throws(ControlClientError) {
                (entries, backend, hasDaemon) = (try await daemon.entries(), daemon, true)
                return
            } catch {
                guard case .noDaemon = error else { throw error }
            }
        }
        let loaded: Configuration
        let feeds: [FeedName: any DepartureFeed]
        do {
            loaded = try configuration.load()
            feeds = try FeedFactory(source: .live(record: nil), clock: SystemClock()).feeds(loaded.feeds)
        } catch let faults as ConfigurationFaults {
            throw .errorResponse(
                ControlError(
                    .invalid, "not changed: the configuration files have faults",
                    faults: faults.faults.map { Fault($0) }))
        } catch {
            throw .errorResponse(ControlError(.failed, "\(error)"))
        }
        entries = loaded.entries
        backend = FileFavourites(
            updater: FavouritesUpdater(editor: configuration.editor, directory: directory, feeds: feeds),
            written: entries)
        if configuration.file == nil {
            hasDaemon = false
        } else {
            hasDaemon = await ControlClient(path: folders.controlSocket, timeout: Self.probeTimeout).isResponding
        }
    }

    /// Resolves the stop of a new favourite.
    func newStop(_ text: String) async throws(ControlClientError) -> StopID {
        try await resolve { (resolver) throws(ControlError) in try resolver.stop(text) }
    }

    /// Resolves the code for `towards`.
    func towards(_ text: String, from stop: StopID) async throws(ControlClientError) -> String {
        try await resolve { (resolver) throws(ControlError) in try resolver.code(ofTowards: text, from: stop) }
    }

    private func resolve<Value: Sendable>(
        _ query: @escaping @Sendable (StopResolver) throws(ControlError) -> Value
    ) async throws(ControlClientError) -> Value {
        let resolver = StopResolver(directory: directory)
        do throws(ControlError) {
            return try await DedicatedThread.attempt("directory") { () throws(ControlError) in try query(resolver) }
        } catch {
            throw .errorResponse(error)
        }
    }

    /// Resolves one of the favourites.
    func favourite(_ text: String) async throws(ControlClientError) -> StopID {
        let favourites = entries.named
        if let favourite = favourites.called(text) { return favourite.stop }
        let named = await listed(favourites).filter { $0.isNamed(text) }
        if let only = named.first {
            guard named.count > 1 else { return only.id }
            throw .errorResponse(
                ControlError(
                    .notFound, "\"\(text)\" matches several favourites; write it as feed:code",
                    candidates: named.prefix(Candidate.maximumCount).map { Candidate($0) }))
        }
        // A name that is unique in the whole directory; otherwise a valid stop that is no favourite.
        var failure = ControlError(
            .notFound, "\"\(text)\" is no favourite",
            candidates: favourites.prefix(Candidate.maximumCount).map {
                Candidate(id: $0.stop.description, name: $0.label)
            })
        do throws(ControlClientError) {
            let stop = try await newStop(text)
            if favourites.contains(where: { $0.stop == stop }) || StopID(text) != nil { return stop }
        } catch {
            if case .errorResponse(let ambiguous) = error, !ambiguous.candidates.isEmpty, favourites.isEmpty {
                failure = ambiguous
            }
        }
        throw .errorResponse(failure)
    }

    /// The favourites' directory entries, or their names from the file: the names of `boardd favourites list`.
    private func listed(_ favourites: [Favourite]) async -> [ListedStop] {
        let directory = directory
        let listed = try? await DedicatedThread.run("directory") {
            favourites.compactMap { favourite in
                let written = favourite.name.map { ListedStop(id: favourite.stop, kind: .station, name: $0) }
                return (try? directory.stop(favourite.stop)) ?? written
            }
        }
        return listed ?? []
    }

    /// "tfl:490008660N Oxford Street N": the stop with its name where there is one.
    func named(_ stop: StopID, in entries: [FavouriteEntry]? = nil) async -> String {
        let favourite = (entries ?? self.entries).named.first { $0.stop == stop } ?? Favourite(stop: stop)
        guard let found = await listed([favourite]).first else { return "\(stop)" }
        return "\(stop) \(found.nameWithLetter)"
    }

    /// Prints the result, and a remark if no daemon runs.
    func printResult(_ sentence: String) throws(OutputFailure) {
        try StandardOutput.write(sentence.asPrintedLine + "\n")
        if !hasDaemon { StandardError.write("boardd is not running: the board shows this when it is started\n") }
    }

    /// "tfl:490008660N Oxford Street N is favourite 2 of 3".
    func status(_ stop: StopID, in entries: [FavouriteEntry]) async -> String {
        let index = entries.firstIndex { entry in
            if case .stop(let favourite) = entry { favourite.stop == stop } else { false }
        }
        guard let index else { return "\(await named(stop)) is no favourite" }
        return "\(await named(stop, in: entries)) is favourite \(index + 1) of \(entries.count)"
    }
}

extension ConfigurationOption {
    /// The entries of favourites.toml, as far as it is readable.
    var readableEntries: [FavouriteEntry] {
        do {
            return try load().entries
        } catch {
            return error.partial.entries
        }
    }
}

extension ListedStop {
    /// "Oxford Street N": the name, and the letter on the pole.
    var nameWithLetter: String { letter.map { "\(name) \($0)" } ?? name }
}

extension ControlClient {
    /// Whether a daemon runs, even one that denies this user access.
    var isResponding: Bool {
        get async {
            do throws(ControlClientError) {
                _ = try await favourites()
                return true
            } catch {
                if case .noDaemon = error { return false }
                return true
            }
        }
    }
}
