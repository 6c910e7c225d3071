internal import ArgumentParser
internal import BoardCore
internal import BoardService

/// The text and the exit status of a failed command.
struct CommandError {
    /// The text for standard error, each line terminated.
    let text: String
    let status: Int32

    init(_ failure: ServiceError) {
        let faults = failure.faults.map { fault in
            let place = [fault.line, fault.column].compactMap { $0.map { ":\($0)" } }.joined()
            return "\(fault.file)\(place): \(fault.message)"
        }
        let lines = [failure.message] + faults + Self.suggestion(failure.candidates)
        text = lines.map { $0.asPrintedLine + "\n" }.joined()
        status = Self.status(of: failure)
    }

    /// Runs a command; prints a failure and exits with its status.
    static func exitOnFailure(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as ServiceError {
            let commandError = CommandError(failure)
            StandardError.write(commandError.text)
            throw ExitCode(commandError.status)
        }
    }

    private static func suggestion(_ candidates: [Candidate]) -> [String] {
        guard let first = candidates.first else { return [] }
        guard candidates.count > 1 else {
            return ["did you mean \(first.id)\(first.name.map { " (\($0))" } ?? "")?"]
        }
        let width = candidates.map(\.id.count).max() ?? 0
        return ["did you mean one of these?"]
            + candidates.map { candidate in
                let padding = String(repeating: " ", count: width - candidate.id.count)
                return "  \(candidate.id)" + (candidate.name.map { "\(padding)  \($0)" } ?? "")
            }
    }

    private static func status(of failure: ServiceError) -> Int32 {
        switch failure.kind {
        case .malformed: ExitStatus.usage
        case .notAllowed, .notPaired, .noAccess: ExitStatus.noPermission
        case .notFound, .conflict: notFound
        case .invalid: failure.faults.isEmpty ? notFound : ExitStatus.configuration
        case .failed: ExitStatus.ioError
        case .unreadable, .unexpectedResponse: ExitStatus.protocolError
        case .unavailable, .rateLimited, .timedOut: ExitStatus.temporaryFailure
        case .noDirectory, .unusableDirectory, .noDaemon, .connectionLost: ExitStatus.unavailable
        }
    }

    /// The exit status when the named stop or line does not exist.
    private static let notFound: Int32 = 1
}
