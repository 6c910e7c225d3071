internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardStore
internal import BoardThreads

/// What all commands about stops work with: the directory, the favourites, and how they end.
struct StopsDesk: Sendable {
    let folders: Folders
    let directory: StopDirectory

    /// The directory of this machine, or of STATE_DIRECTORY.
    init() {
        folders = Folders(environment: Environment.current)
        directory = StopDirectory(folder: folders.state)
    }

    /// Looks into the directory on a thread of its own; where it gives no answer, that is said and the command ends.
    ///
    /// - Parameters:
    ///   - substitute: what stands where there is no directory at all; nil: nothing does.
    ///   - advice: what else a person may do then.
    func look<Value: Sendable>(
        orElse substitute: Value? = nil, advice: String? = nil,
        _ body: @escaping @Sendable (StopDirectory) throws(DirectoryFailure) -> Value
    ) async throws -> Value {
        let directory = directory
        let result = try await DedicatedThread.run("look") {
            Result { () throws(DirectoryFailure) in try body(directory) }
        }
        do {
            return try result.get()
        } catch {
            guard error.kind == .missing else { throw Self.ending(error) }
            if let substitute { return substitute }
            let ending = Self.ending(error)
            if let advice { StandardError.write(advice + "\n") }
            throw ending
        }
    }

    /// The stops that the board shows: those that a person named, and the nearest ones of `[[nearby]]`. Faulty files are
    /// `boardd check`'s business; of those a star may be missing.
    func favourites(_ configuration: ConfigurationOption) async throws -> Set<StopID> {
        let directory = directory
        return try await DedicatedThread.run("look") {
            let entries = Self.entries(configuration)
            let favourites = entries.favourites { wish in
                let near = try? directory.near(
                    wish.location, within: wish.radius, modes: wish.modes, limit: wish.stops)
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

    /// Says which operators gave no answer.
    static func remark(_ failures: [FeedFailure]) {
        for failure in failures { StandardError.write("remark: \(failure.detail)".asPrintedLine + "\n") }
    }

    /// Says what was not found and what may have been meant.
    static func notFound(_ sentence: String, _ candidates: [ListedStop] = []) -> ExitCode {
        ending(.refused(ControlRefusal(.notFound, sentence, candidates: candidates.map { Candidate($0) })))
    }

    /// Says why the directory gives no answer.
    static func ending(_ failure: DirectoryFailure) -> ExitCode {
        StandardError.write(failure.description.asPrintedLine + "\n")
        return ExitCode(status(of: failure))
    }

    /// Says why a board or an operator gives no answer.
    static func ending(_ failure: ControlFailure) -> ExitCode {
        let complaint = Complaint(failure)
        StandardError.write(complaint.text)
        return ExitCode(complaint.status)
    }

    /// What a command ends with.
    static func status(of failure: DirectoryFailure) -> Int32 {
        switch failure.kind {
        case .unwritable: SystemExit.noPermission
        case .busy: SystemExit.temporaryFailure
        case .missing, .corrupt, .newer, .older, .unreadable, .full, .nothing, .half, .other: SystemExit.unavailable
        }
    }
}
