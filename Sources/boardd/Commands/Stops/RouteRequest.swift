internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardIO
internal import BoardStore

/// Requests the route of a line from the running board, which has the key, or else from the operator.
struct RouteRequest {
    /// A route is the board's slowest response.
    private static let timeout = Duration.seconds(65)

    let context: StopsContext
    let configuration: ConfigurationOption

    /// The route of a line that a user wrote.
    ///
    /// - Parameter text: `feed:line`, or the line alone where only one feed has it.
    func route(of text: String) async throws(ControlClientError) -> RouteEntry {
        let (feed, line) = try await parse(text)
        return try await route(of: line, feed: feed)
    }

    /// The feed and the line of a text; a line alone belongs to the only feed that has it.
    private func parse(_ line: String) async throws(ControlClientError) -> (feed: FeedName, line: String) {
        let feeds = FeedRegistry.declarations
        if let id = StopID(line) {
            guard feeds[id.feed] != nil else {
                let known = feeds.names.joined(separator: ", ")
                throw .errorResponse(ControlError(.malformed, "there is no feed \"\(id.feed)\"; known feeds: \(known)"))
            }
            return (id.feed, id.code)
        }
        if let only = feeds.only { return (only.name, line) }
        let (directory, text) = (context.directory, line)
        let called = try await DedicatedThread.read { () throws(ControlError) -> [DirectoryLine] in
            ((try? directory.lines())?.found ?? []).filter { $0.line.line.isCalled(text) }
        }
        guard let first = called.first, Set(called.map(\.feed)).count == 1 else {
            throw .errorResponse(
                ControlError(
                    .malformed, "\"\(line)\" is no line; write feed:line, such as tfl:73",
                    candidates: called.prefix(Candidate.maximumCount).map {
                        Candidate(id: "\($0.feed):\($0.line.line.id)")
                    }
                ))
        }
        return (first.feed, line)
    }

    /// Sends the request to the running board, which has the key. Without an accessible board, or with `--config`, sends it to
    /// the operator.
    private func route(
        of line: String, feed: FeedName
    ) async throws(ControlClientError) -> RouteEntry {
        if configuration.file == nil {
            do throws(ControlClientError) {
                return try await ControlClient(path: context.folders.controlSocket, timeout: Self.timeout)
                    .route(of: line, feed: feed)
            } catch {
                switch error {
                case .noDaemon, .notPermitted, .unexpectedResponse, .broken: break
                case .errorResponse, .timedOut: throw error
                }
            }
        }
        let loaded: Configuration
        let factory: FeedFactory
        do {
            loaded = try configuration.load()
            factory = try FeedFactory(source: .live(record: nil), clock: SystemClock())
        } catch let faults as ConfigurationFaults {
            throw .errorResponse(
                ControlError(
                    .invalid, "no request sent: the configuration has faults",
                    faults: faults.faults.map { Fault($0) }))
        } catch {
            throw .errorResponse(ControlError(.failed, "\(error)"))
        }
        let lookup = LineRouteLookup(directory: context.directory) {
            try factory.catalogue(of: $0, loaded.feeds, stops: [])
        }
        do throws(ControlError) {
            let route = try await lookup.route(of: line, feed: feed)
            let favourites = (try? await context.favourites(configuration)) ?? []
            return RouteEntry(route, of: feed, isFavourite: favourites.contains)
        } catch {
            throw .errorResponse(error)
        }
    }
}

extension DedicatedThread {
    /// Runs a query on a thread of its own.
    static func read<Value: Sendable>(
        _ body: @escaping @Sendable () throws(ControlError) -> Value
    ) async throws(ControlClientError) -> Value {
        do throws(ControlError) {
            return try await attempt("directory", body)
        } catch {
            throw .errorResponse(error)
        }
    }
}
