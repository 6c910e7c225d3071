internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads

/// `boardd stops line FEED:LINE`: where a line runs.
struct StopsLineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line", abstract: "Show a line's stops in sequence, in both directions.",
        discussion: """
            The operator is asked, by the running board (which has the key) or else directly. Branches are drawn beside each \
            other; ▶ marks the stop of --stop, ★ favourites, ↻ a stop at which a vehicle calls twice. \
            Example: boardd stops line tfl:73 --stop 490008660N
            """)

    /// A route is the slowest answer that a board may give.
    private static let patience = Duration.seconds(65)

    @Argument(help: ArgumentHelp("The line, such as tfl:73 or tfl:northern.", valueName: "feed:line"))
    var line: String

    @Option(help: ArgumentHelp("Mark this stop: its code, the number on its pole, or its name.", valueName: "stop"))
    var stop: String?

    @Flag(help: "Print everything that is known, as JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let desk = StopsDesk()
        do throws(ControlFailure) {
            let (feed, name) = try await meaning(desk)
            let route = try await route(of: name, feed: feed, desk)
            var marked: Set<String> = []
            if let stop {
                let finding = RouteStopFinding(route: route, directory: desk.directory)
                marked = try await onThread { () throws(ControlRefusal) in try finding.find(stop) }
            }
            StandardOutput.write(json ? PrettyJSON.text(route) : RouteListing(route, marking: marked).text)
        } catch {
            throw StopsDesk.ending(error)
        }
    }

    /// The feed and the line that were written; a line alone is one of the only feed that has it.
    private func meaning(_ desk: StopsDesk) async throws(ControlFailure) -> (feed: FeedName, line: String) {
        let feeds = FeedRegistry.declarations
        if let id = StopID(line) {
            guard feeds[id.feed] != nil else {
                let known = feeds.names.joined(separator: ", ")
                throw .refused(ControlRefusal(.malformed, "there is no feed \"\(id.feed)\"; known feeds: \(known)"))
            }
            return (id.feed, id.code)
        }
        if let only = feeds.only { return (only.name, line) }
        let (directory, text) = (desk.directory, line)
        let called = try await onThread { () throws(ControlRefusal) -> [DirectoryLine] in
            ((try? directory.lines())?.found ?? []).filter { $0.line.line.isCalled(text) }
        }
        guard let first = called.first, Set(called.map(\.feed)).count == 1 else {
            throw .refused(
                ControlRefusal(
                    .malformed, "\"\(line)\" is no line; write feed:line, such as tfl:73",
                    candidates: called.prefix(Candidate.usualCount).map {
                        Candidate(id: "\($0.feed):\($0.line.line.id)")
                    }
                ))
        }
        return (first.feed, line)
    }

    /// Asks the running board, which has the key; where there is none that may be asked, or another configuration was
    /// named, the operator.
    private func route(
        of line: String, feed: FeedName, _ desk: StopsDesk
    ) async throws(ControlFailure) -> RouteEntry {
        if configuration.file == nil {
            do throws(ControlFailure) {
                return try await ControlClient(path: desk.folders.controlSocket, patience: Self.patience)
                    .route(of: line, feed: feed)
            } catch {
                switch error {
                case .noDaemon, .notPermitted, .notUnderstood, .broken: break
                case .refused, .timedOut: throw error
                }
            }
        }
        let loaded: Configuration
        let assembly: FeedAssembly
        do {
            loaded = try configuration.load()
            assembly = try FeedAssembly(source: .live(record: nil), clock: SystemClock())
        } catch let faults as ConfigurationFaults {
            throw .refused(
                ControlRefusal(
                    .invalid, "the operator cannot be asked with a faulty configuration",
                    faults: faults.faults.map { Fault($0) }))
        } catch {
            throw .refused(ControlRefusal(.failed, "\(error)"))
        }
        let lookup = LineLookup(directory: desk.directory) { try assembly.catalogue(of: $0, loaded.feeds) }
        do throws(ControlRefusal) {
            let route = try await lookup.route(of: line, feed: feed)
            let favourites = (try? await desk.favourites(configuration)) ?? []
            return RouteEntry(route, of: feed, isFavourite: favourites.contains)
        } catch {
            throw .refused(error)
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(ControlRefusal) -> Value
    ) async throws(ControlFailure) -> Value {
        do throws(ControlRefusal) {
            return try await DedicatedThread.refusing("look", body)
        } catch {
            throw .refused(error)
        }
    }
}
