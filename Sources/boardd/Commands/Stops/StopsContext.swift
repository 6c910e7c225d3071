internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardIO
internal import BoardStore

/// What all commands about stops share: the directory, the favourites, and the exit statuses.
struct StopsContext: Sendable {
    let folders: Folders
    let directory: StopDirectory

    init() {
        folders = Folders(environment: Environment.current)
        directory = StopDirectory(folder: folders.state)
    }

    /// Runs a query of the directory on a thread of its own; prints a failure and exits.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async throws -> Value {
        let directory = directory
        let result = try await DedicatedThread.run("directory") {
            Result { () throws(DirectoryFailure) in try body(directory) }
        }
        do {
            return try result.get()
        } catch {
            throw Self.exitOnFailure(error)
        }
    }

    /// Runs an optional query; nil where the directory fails, which other queries report.
    func readIfAvailable<Value: Sendable>(
        _ body: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async -> Value? {
        let directory = directory
        return (try? await DedicatedThread.run("directory") { try? body(directory) }) ?? nil
    }

    /// Searches, and prints remarks on failures and limits. Exits when everything failed, or when nothing was found and an
    /// operator did not respond.
    ///
    /// - Parameter advice: what else to do where there is no directory.
    func search<Found: Sendable>(
        advice: String?, _ body: () async throws(DirectoryFailure) -> StopSearch.SearchResult<Found>
    ) async throws -> StopSearch.SearchResult<Found> {
        let result: StopSearch.SearchResult<Found>
        do throws(DirectoryFailure) {
            result = try await body()
        } catch {
            let exitCode = Self.exitOnFailure(error)
            if error.kind == .missing, let advice { StandardError.write(advice + "\n") }
            throw exitCode
        }
        Self.remark(result.warnings)
        let remarks = result.unavailable.map(\.failure.detail) + result.limits
        for sentence in remarks { StandardError.write("remark: \(sentence)".asPrintedLine + "\n") }
        if let incompleteReason = result.incompleteReason {
            StandardError.write(incompleteReason.asPrintedLine + "\n")
            throw ExitCode(SystemExit.unavailable)
        }
        return result
    }

    /// The stops on the board: favourites, and the nearest stops of `[[nearby]]`. Unreadable files are left out: `boardd check`
    /// reports them.
    func favourites(_ configuration: ConfigurationOption) async throws -> Set<StopID> {
        let directory = directory
        return try await DedicatedThread.run("directory") {
            let entries = Self.entries(configuration)
            let favourites = entries.favourites { nearby in
                let near = try? directory.near(
                    nearby.location, within: nearby.radius, modes: nearby.modes, limit: nearby.stops)
                return near?.found.map { ($0.stop.id, $0.distance) } ?? []
            }
            return Set(favourites.map(\.stop))
        }
    }

    private static func entries(_ configuration: ConfigurationOption) -> [FavouriteEntry] {
        do throws(ConfigurationFaults) {
            return try configuration.load().entries
        } catch {
            return error.partial.entries
        }
    }

    /// Prints remarks on failures of the directory's files.
    static func remark(_ failures: [DirectoryFailure]) {
        for failure in failures { StandardError.write("remark: \(failure)".asPrintedLine + "\n") }
    }

    /// Prints that nothing was found, with candidates.
    static func notFound(_ sentence: String, _ candidates: [ListedStop] = []) -> ExitCode {
        exitOnFailure(.errorResponse(ControlError(.notFound, sentence, candidates: candidates.map { Candidate($0) })))
    }

    /// Prints a failure of the directory.
    static func exitOnFailure(_ failure: DirectoryFailure) -> ExitCode {
        StandardError.write(failure.description.asPrintedLine + "\n")
        return ExitCode(status(of: failure))
    }

    /// Prints a failure of the board or an operator.
    static func exitOnFailure(_ failure: ControlClientError) -> ExitCode {
        let commandError = CommandError(failure)
        StandardError.write(commandError.text)
        return ExitCode(commandError.status)
    }

    /// The exit status for a failure of the directory.
    static func status(of failure: DirectoryFailure) -> Int32 {
        switch failure.kind {
        case .unwritable: SystemExit.noPermission
        case .busy: SystemExit.temporaryFailure
        case .missing, .corrupt, .newer, .older, .unreadable, .full, .empty, .tooFewStops, .other:
            SystemExit.unavailable
        }
    }
}
