import ArgumentParser
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// The state of `boardd favourites …`: the backend for changes, the entries, and the stop directory.
struct FavouritesContext {
    /// A daemon that does not respond in this time counts as not running.
    private static let probeTimeout = Duration.seconds(2)

    /// The daemon may have to wait for an operator.
    private static let timeout = Duration.seconds(40)

    let service: any FavouriteService
    /// The entries of favourites.toml, or of the running board if it uses another file.
    private(set) var entries: [FavouriteEntry]
    /// Whether a daemon responds on the control socket.
    let hasDaemon: Bool
    private let directory: StopDirectory
    private let configuration: ConfigurationOption

    /// Uses a running daemon unless the command names another configuration; otherwise edits the file in this process.
    init(_ configuration: ConfigurationOption) async throws(ServiceError) {
        self.configuration = configuration
        directory = .installed
        if configuration.file == nil {
            let board = ConfigurationOption.runningBoard(timeout: Self.timeout)
            do throws(ServiceError) {
                entries = try await Self.entries(of: board, configuration)
                service = board
                hasDaemon = true
                return
            } catch {
                guard error.kind == .noDaemon else { throw error }
            }
        }
        let local = try await configuration.localService(unlessFaulty: "not changed")
        entries = try await Self.entries(of: local, configuration)
        service = local
        if configuration.file == nil {
            hasDaemon = false
        } else {
            hasDaemon = await ConfigurationOption.runningBoard(timeout: Self.probeTimeout).isResponding
        }
    }

    /// Reads the entries again after a change.
    mutating func refresh() async throws(ServiceError) {
        entries = try await Self.entries(of: service, configuration)
    }

    /// A service lists only stops. The file, which every user may read, also has the nearby entries between them. If
    /// this process would read another file, only the stops are available.
    private static func entries(
        of service: any FavouriteService, _ configuration: ConfigurationOption
    ) async throws(ServiceError) -> [FavouriteEntry] {
        let written = configuration.readable.entries
        if service is LocalBoardService { return written }
        let reported = try await service.favourites().map { item in
            var favourite = item.favourite
            favourite.name = item.name
            return favourite
        }
        return written.named.map(\.stop) == reported.map(\.stop) ? written : reported.map { .stop($0) }
    }

    /// The service of this process, which resolves what a user wrote.
    func local() async throws(ServiceError) -> LocalBoardService {
        if let local = service as? LocalBoardService { return local }
        return try await configuration.localService()
    }

    /// Resolves one of the favourites.
    func favourite(_ text: String) async throws(ServiceError) -> StopID {
        let favourites = entries.named
        let named = await listed(favourites)
        var meant = entries.called(text).map(\.stop)
        if meant.isEmpty, let position = Int(text), entries.indices.contains(position - 1) {
            let file = configuration.source.favouritesPath
            throw ServiceError(.notFound, "entry \(position) of the list is a [[nearby]] search: change it in \(file)")
        } else if meant.isEmpty {
            meant = named.filter { $0.isNamed(text) }.map(\.id)
        }
        let found = Set(meant)
        if let only = found.first {
            guard found.count > 1 else { return only }
            throw ServiceError(
                .invalid, "\"\(text)\" matches several favourites; write it as feed:code",
                candidates: Self.candidates(favourites.filter { found.contains($0.stop) }, named))
        }
        // A name that is unique in the whole directory; otherwise a valid stop that is not a favourite.
        var failure = ServiceError(
            .notFound, "\"\(text)\" is not a favourite", candidates: Self.candidates(favourites, named))
        do throws(ServiceError) {
            let stop = try await local().stop(called: text)
            if favourites.contains(where: { $0.stop == stop }) || StopID(text) != nil { return stop }
        } catch {
            if !error.candidates.isEmpty, favourites.isEmpty { failure = error }
        }
        throw failure
    }

    private static func candidates(_ favourites: [Favourite], _ listed: [ListedStop]) -> [Candidate] {
        favourites.prefix(Candidate.maximumCount).map { favourite in
            let name = listed.first { $0.id == favourite.stop }?.nameWithLetter
            return Candidate(id: favourite.stop.description, name: favourite.label ?? name)
        }
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

    /// "tfl:490008660N Oxford Street N": the stop with its name, if there is one.
    func named(_ stop: StopID) async -> String {
        let favourite = entries.named.first { $0.stop == stop } ?? Favourite(stop: stop)
        guard let found = await listed([favourite]).first else { return "\(stop)" }
        return "\(stop) \(found.nameWithLetter)"
    }

    /// Prints the result, and a remark if no daemon runs.
    func printResult(_ sentence: String) throws(OutputError) {
        try StandardOutput.write(sentence.asPrintedLine + "\n")
        if !hasDaemon { StandardError.write("boardd is not running: the board shows this when it is started\n") }
    }

    /// "tfl:490008660N Oxford Street N is favourite 2 of 3".
    func status(_ stop: StopID) async -> String {
        let index = entries.firstIndex { entry in
            if case .stop(let favourite) = entry { favourite.stop == stop } else { false }
        }
        guard let index else { return "\(await named(stop)) is not a favourite" }
        return "\(await named(stop)) is favourite \(index + 1) of \(entries.count)"
    }
}

extension FavouriteService {
    /// Whether a daemon runs, even one that denies this user access.
    var isResponding: Bool {
        get async {
            do throws(ServiceError) {
                _ = try await favourites()
                return true
            } catch {
                return error.kind != .noDaemon
            }
        }
    }
}
