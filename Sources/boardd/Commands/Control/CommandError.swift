internal import ArgumentParser
internal import BoardControl
internal import BoardCore

/// A failure in words for the person who typed a command, and as the exit status that a script sees.
struct CommandError {
    /// What is printed on standard error, each line ended.
    let text: String
    /// The exit status.
    let status: Int32

    /// The complaint about a failure.
    init(_ failure: ControlClientError) {
        var lines = [failure.description]
        if case .refused(let refusal) = failure {
            lines += refusal.faults.map { fault in
                let place = [fault.line, fault.column].compactMap { $0.map { ":\($0)" } }.joined()
                return "\(fault.file)\(place): \(fault.message)"
            }
            lines += Self.suggestion(refusal.candidates)
        }
        text = lines.map { $0.asPrintedLine + "\n" }.joined()
        status = Self.status(of: failure)
    }

    /// Runs what a command does; a failure is printed, and ends the command with its status.
    static func exitOnFailure(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as ControlClientError {
            let complaint = CommandError(failure)
            StandardError.write(complaint.text)
            throw ExitCode(complaint.status)
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

    private static func status(of failure: ControlClientError) -> Int32 {
        switch failure {
        case .noDaemon, .broken: SystemExit.unavailable
        case .notPermitted: SystemExit.noPermission
        case .unexpectedResponse: SystemExit.protocolError
        case .timedOut: SystemExit.temporaryFailure
        case .refused(let refusal):
            switch refusal.kind {
            case .malformed: SystemExit.usage
            case .notAllowed: SystemExit.noPermission
            case .notFound, .conflict: notFound
            case .invalid: refusal.faults.isEmpty ? notFound : SystemExit.configuration
            case .failed: SystemExit.ioError
            case .unreadable: SystemExit.protocolError
            case .unavailable: SystemExit.temporaryFailure
            }
        }
    }

    /// What a command that did not find what was named ends with.
    private static let notFound: Int32 = 1
}
