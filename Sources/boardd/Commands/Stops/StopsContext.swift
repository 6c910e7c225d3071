internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// What all commands about stops work with: the directory, the favourites, and how they end.
struct StopsContext: Sendable {
    let folders: Folders
    let directory: StopDirectory

    /// The directory of this machine, or of STATE_DIRECTORY.
    init() {
        folders = Folders(environment: Environment.current)
        directory = StopDirectory(folder: folders.state)
    }

    /// Looks into the directory on a thread of its own; where it gives no answer, that is said and the command ends.
    func look<Value: Sendable>(
        _ body: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async throws -> Value {
        let directory = directory
        let result = try await DedicatedThread.run("look") {
            Result { () throws(DirectoryFailure) in try body(directory) }
        }
        do {
            return try result.get()
        } catch {
            throw Self.exitOnFailure(error)
        }
    }

    /// Looks for what would help a person; nil where the directory gives no answer, of which others speak.
    func glance<Value: Sendable>(
        _ body: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async -> Value? {
        let directory = directory
        return (try? await DedicatedThread.run("look") { try? body(directory) }) ?? nil
    }

    /// Searches, and says who gave no answer and what was not looked for. Where nobody gave an answer, or nothing was found
    /// and somebody gave none, that is said and the command ends.
    ///
    /// - Parameter advice: what else a person may do where there is no directory.
    func search<Found: Sendable>(
        advice: String?, _ body: () async throws(DirectoryFailure) -> StopSearch.SearchResult<Found>
    ) async throws -> StopSearch.SearchResult<Found> {
        let answer: StopSearch.SearchResult<Found>
        do throws(DirectoryFailure) {
            answer = try await body()
        } catch {
            let ending = Self.exitOnFailure(error)
            if error.kind == .missing, let advice { StandardError.write(advice + "\n") }
            throw ending
        }
        Self.remark(answer.warnings)
        let said = answer.unavailable.map(\.failure.detail) + answer.limits
        for sentence in said { StandardError.write("remark: \(sentence)".asPrintedLine + "\n") }
        if let incompleteReason = answer.incompleteReason {
            StandardError.write(incompleteReason.asPrintedLine + "\n")
            throw ExitCode(SystemExit.unavailable)
        }
        return answer
    }

    /// The stops that the board shows: those that a person named, and the nearest ones of `[[nearby]]`. Faulty files are
    /// `boardd check`'s business; of those a star may be missing.
    func favourites(_ configuration: ConfigurationOption) async throws -> Set<StopID> {
        let directory = directory
        return try await DedicatedThread.run("look") {
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

    /// Says which feeds' files gave no answer beside the others.
    static func remark(_ failures: [DirectoryFailure]) {
        for failure in failures { StandardError.write("remark: \(failure)".asPrintedLine + "\n") }
    }

    /// Says what was not found and what may have been meant.
    static func notFound(_ sentence: String, _ candidates: [ListedStop] = []) -> ExitCode {
        exitOnFailure(.refused(ControlError(.notFound, sentence, candidates: candidates.map { Candidate($0) })))
    }

    /// Says why the directory gives no answer.
    static func exitOnFailure(_ failure: DirectoryFailure) -> ExitCode {
        StandardError.write(failure.description.asPrintedLine + "\n")
        return ExitCode(status(of: failure))
    }

    /// Says why a board or an operator gives no answer.
    static func exitOnFailure(_ failure: ControlClientError) -> ExitCode {
        let complaint = CommandError(failure)
        StandardError.write(complaint.text)
        return ExitCode(complaint.status)
    }

    /// What a command ends with.
    static func status(of failure: DirectoryFailure) -> Int32 {
        switch failure.kind {
        case .unwritable: SystemExit.noPermission
        case .busy: SystemExit.temporaryFailure
        case .missing, .corrupt, .newer, .older, .unreadable, .full, .empty, .tooFewStops, .other:
            SystemExit.unavailable
        }
    }
}
