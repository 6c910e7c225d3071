import ArgumentParser
import BoardIO
import BoardService
import Glibc

/// `boardd logs`: the service's log, which systemd keeps.
struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Print the log of the board's service, and follow it.",
        discussion: """
            Runs journalctl -u boardd -f; Ctrl-C ends it. Only root and members of the groups adm and systemd-journal may read \
            the log. Example: sudo boardd logs --lines 200
            """)

    @Option(help: ArgumentHelp("How many of the last lines are printed first.", valueName: "count"))
    var lines = 20

    func validate() throws {
        guard lines >= 0 else { throw ValidationError("--lines needs a count of 0 or more.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure {
            let number = Subprocess.become(["journalctl", "-u", "boardd", "-n", "\(lines)", "-f"])
            throw number == ENOENT
                ? ServiceError(
                    .unavailable,
                    "this machine has no journalctl: without systemd, boardd run prints its log on standard error")
                : ServiceError(.failed, "journalctl cannot be run: \(errnoText(number))")
        }
    }
}
