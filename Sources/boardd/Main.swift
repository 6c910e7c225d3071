import ArgumentParser
import BoardCore
import BoardFleet
import BoardIO
import BoardService
import CLinux
import Glibc

@main
enum Main {
    static func main() async {
        // CStart has run: SIGHUP and SIGPIPE are ignored, and the standard streams are open.
        boardd_keep_heap_small()
        if CommandLine.arguments.dropFirst().elementsEqual([BrokerProcess.argument]) {
            ProgramEnd.exit(BrokerProcess.main())
        }
        if let shortage = Descriptors.shortage {
            StandardError.write(shortage + "\n")
            _exit(ExitStatus.systemError)
        }
        ProgramEnd.exit(await Boardd.status())
    }
}

/// The end of the program, without C's exit handlers: OpenSSL's frees its tables while a thread still closes a
/// connection, or hangs in the network, which crashes one run in five (docs/decisions/end-of-program.md).
enum ProgramEnd {
    static func exit(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}

/// The command line.
struct Boardd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boardd",
        abstract: "A departure board that shows how old each estimate is.",
        discussion: """
            /etc/boardd/boardd.toml configures the board; it lists every key with its default and its legal values. \
            favourites.toml beside it holds the stops, and keys.env the operators' keys; an environment variable of the \
            same name takes precedence. SIGHUP reloads the files; SIGTERM and SIGINT stop the board with a last frame. \
            Results go to standard output, everything else to standard error. Exit status: 64 wrong use, 78 faulty files, \
            74 failed output, 69 or 75 operator not reachable, 76 unreadable response.
            """,
        version: "boardd \(Version.number)\nnew releases: \(Version.releases)",
        subcommands: [
            RunCommand.self, SetupCommand.self, ConfigCommand.self, DemoCommand.self, CheckCommand.self,
            DoctorCommand.self,
            DeparturesCommand.self,
            StopsCommand.self, CitiesCommand.self, FavouritesCommand.self,
            PressCommand.self, ShowCommand.self, LightCommand.self, MessageCommand.self, RefreshCommand.self,
            ReloadCommand.self, StatusCommand.self, RenderCommand.self,
            PageCommand.self, FleetCommands.self, LogsCommand.self, ReportCommand.self,
            HardwareCommand.self,
        ])

    /// Runs the command line, prints its error or help text, and returns the exit status. Nothing below ends the
    /// program by itself.
    static func status() async -> Int32 {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch let failure as ServiceError {
            let commandError = CommandError(failure)
            StandardError.write(commandError.text)
            return commandError.status
        } catch let failure as OutputError {
            return failed(failure)
        } catch {
            let (text, code) = (fullMessage(for: error), exitCode(for: error))
            if !text.isEmpty {
                // Requested help or version texts are results.
                guard code.isSuccess else {
                    let unknown = UnknownCommand(Array(CommandLine.arguments.dropFirst()))
                    StandardError.write(unknown.map { "\($0)" } ?? text + "\n")
                    return code.rawValue
                }
                do throws(OutputError) {
                    try StandardOutput.write(text + "\n")
                } catch {
                    return failed(error)
                }
            }
            return code.rawValue
        }
    }

    private static func failed(_ failure: OutputError) -> Int32 {
        StandardError.write("\(failure)\n")
        return ExitStatus.ioError
    }
}

/// A word of a command line that stands where a subcommand is expected, but is not one.
struct UnknownCommand: CustomStringConvertible {
    private let word: String
    /// The commands before the word: ["boardd", "stops"].
    private let path: [String]
    private let parent: CommandConfiguration

    /// - Parameter words: a command line that ArgumentParser rejects.
    /// - Returns: nil if every subcommand exists: something else is wrong.
    init?(_ words: [String]) {
        var parent = Boardd.configuration
        var path = [parent.name]
        for word in words {
            // Options and `help` belong to the parser, and the words after the last command to that command.
            guard !parent.subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = parent.commands.first(where: { $0.names.contains(word) }) else {
                self.word = word
                self.path = path
                self.parent = parent
                return
            }
            parent = next
            path.append(next.name)
        }
        return nil
    }

    /// The message: what was meant, or what there is, and where the help is.
    var description: String {
        let command = path.joined(separator: " ")
        return """
            Error: '\(word)' is not a command of \(command); \(suggestion)
              See '\(command) --help' for more information.

            """
    }

    private var suggestion: String {
        if let near = Spelling.nearest(to: word, of: parent.commands.flatMap(\.names)) {
            return "did you mean \(near)?"
        }
        // A command of another level: `boardd search` for `boardd stops search`.
        let elsewhere = Boardd.configuration.paths.filter { $0.last == word }.map { $0.joined(separator: " ") }
        guard elsewhere.isEmpty else { return "did you mean \(elsewhere.joined(separator: " or "))?" }
        return "its commands are \(parent.commands.map(\.name).joined(separator: ", "))."
    }
}

extension CommandConfiguration {
    fileprivate var name: String { commandName ?? "" }
    /// The name and its aliases.
    fileprivate var names: [String] { [name] + aliases }
    fileprivate var commands: [CommandConfiguration] { subcommands.map { $0.configuration } }
    /// The names from this command to each command below it.
    fileprivate var paths: [[String]] {
        commands.flatMap { [[$0.name]] + $0.paths }.map { [name] + $0 }
    }
}

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

    private static func suggestion(_ candidates: [Candidate]) -> [String] {
        guard let first = candidates.first else { return [] }
        guard candidates.count > 1 else {
            return ["did you mean \(first.id)\(first.name.map { " (\($0))" } ?? "")?"]
        }
        var table = TextTable()
        for candidate in candidates { table.add("  \(candidate.id)", candidate.name ?? "") }
        return ["did you mean one of these?"] + table.lines
    }

    private static func status(of failure: ServiceError) -> Int32 {
        switch failure.kind {
        case .malformed: ExitStatus.usage
        case .notAllowed, .notPaired, .digitsNeeded, .noAccess: ExitStatus.noPermission
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

/// The exit statuses of sysexits.h in use.
enum ExitStatus {
    static let usage: Int32 = 64
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let systemError: Int32 = 71
    static let ioError: Int32 = 74
    static let temporaryFailure: Int32 = 75
    static let protocolError: Int32 = 76
    static let noPermission: Int32 = 77
    static let configuration: Int32 = 78

    /// The exit status after a failed request.
    static func status(of failure: FeedError.Kind) -> Int32 {
        switch failure {
        case .unknownStop: noInput
        case .keyRejected, .keyMissing: noPermission
        case .unreadable: protocolError
        case .noNetwork, .timedOut, .rateLimited, .status, .certificateDate, .cancelled: temporaryFailure
        case .certificate, .noZone: unavailable
        }
    }
}
