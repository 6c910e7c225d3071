internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// What `boardd favourites …` works with: who changes the list, the list as it is, and the stop directory.
struct FavouritesContext {
    /// A daemon that does not answer in this time is as good as none for the question whether one runs.
    private static let glance = Duration.seconds(2)

    /// The daemon may have to ask an operator first, who may take his time.
    private static let timeout = Duration.seconds(40)

    let context: any FavouritesBackend
    let entries: [FavouriteEntry]
    let directory: StopDirectory
    /// Whether a daemon answers on the control socket.
    let hasDaemon: Bool

    /// Where a daemon runs and no other configuration is named, it is asked; otherwise the file is edited here.
    init(_ configuration: ConfigurationOption) async throws(ControlClientError) {
        let folders = Folders(environment: Environment.current)
        directory = StopDirectory(folder: folders.state)
        if configuration.file == nil {
            let daemon = DaemonFavourites(client: ControlClient(path: folders.controlSocket, timeout: Self.timeout)) {
                configuration.readableEntries
            }
            do throws(ControlClientError) {
                (entries, context, hasDaemon) = (try await daemon.entries(), daemon, true)
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
            throw .refused(
                ControlError(
                    .invalid, "nothing was changed, since files are faulty", faults: faults.faults.map { Fault($0) }))
        } catch {
            throw .refused(ControlError(.failed, "\(error)"))
        }
        entries = loaded.entries
        context = FileFavourites(
            updater: FavouritesUpdater(editor: configuration.editor, directory: directory, feeds: feeds),
            written: entries)
        if configuration.file == nil {
            hasDaemon = false
        } else {
            hasDaemon = await ControlClient(path: folders.controlSocket, timeout: Self.glance).isAnswered
        }
    }

    /// The stop that a person meant for a new favourite.
    func newStop(_ text: String) async throws(ControlClientError) -> StopID {
        try await meant { (meaning) throws(ControlError) in try meaning.stop(text) }
    }

    /// The code of the stop that a person meant departures from another one to call at.
    func towards(_ text: String, from stop: StopID) async throws(ControlClientError) -> String {
        try await meant { (meaning) throws(ControlError) in try meaning.code(ofTowards: text, from: stop) }
    }

    private func meant<Value: Sendable>(
        _ look: @escaping @Sendable (StopResolver) throws(ControlError) -> Value
    ) async throws(ControlClientError) -> Value {
        let meaning = StopResolver(directory: directory)
        do throws(ControlError) {
            return try await DedicatedThread.refusing("look") { () throws(ControlError) in try look(meaning) }
        } catch {
            throw .refused(error)
        }
    }

    /// The favourite that a person meant.
    func favourite(_ text: String) async throws(ControlClientError) -> StopID {
        let favourites = entries.named
        if let favourite = favourites.called(text) { return favourite.stop }
        let named = await listed(favourites).filter { $0.isNamed(text) }
        if let only = named.first {
            guard named.count > 1 else { return only.id }
            throw .refused(
                ControlError(
                    .notFound, "\"\(text)\" can mean several favourites; write the one that is meant as feed:code",
                    candidates: named.prefix(Candidate.usualCount).map { Candidate($0) }))
        }
        // By a name that is unique in the whole directory; or else what is written is at least a stop that is none.
        var refusal = ControlError(
            .notFound, "\"\(text)\" is no favourite",
            candidates: favourites.prefix(Candidate.usualCount).map {
                Candidate(id: $0.stop.description, name: $0.label)
            })
        do throws(ControlClientError) {
            let stop = try await newStop(text)
            if favourites.contains(where: { $0.stop == stop }) || StopID(text) != nil { return stop }
        } catch {
            if case .refused(let ambiguous) = error, !ambiguous.candidates.isEmpty, favourites.isEmpty {
                refusal = ambiguous
            }
        }
        throw .refused(refusal)
    }

    /// What the directory says of the favourites, where it knows them, or what was written down: the names that `boardd favourites list` prints.
    private func listed(_ favourites: [Favourite]) async -> [ListedStop] {
        let directory = directory
        let listed = try? await DedicatedThread.run("look") {
            favourites.compactMap { favourite in
                let written = favourite.name.map { ListedStop(id: favourite.stop, kind: .station, name: $0) }
                return (try? directory.stop(favourite.stop)) ?? written
            }
        }
        return listed ?? []
    }

    /// "tfl:490008660N Oxford Street N": the stop with its name where that is known.
    func named(_ stop: StopID, in entries: [FavouriteEntry]? = nil) async -> String {
        let favourite = (entries ?? self.entries).named.first { $0.stop == stop } ?? Favourite(stop: stop)
        guard let found = await listed([favourite]).first else { return "\(stop)" }
        return "\(stop) \(found.nameWithLetter)"
    }

    /// Says what is so now, and that no board shows it where none does.
    func tell(_ sentence: String) throws(OutputFailure) {
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
    /// What favourites.toml says, as far as it can be read.
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
    /// Whether a daemon is there, even one that refuses this person.
    var isAnswered: Bool {
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
