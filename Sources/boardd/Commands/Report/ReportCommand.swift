internal import ArgumentParser
internal import BoardControl
internal import BoardIO
internal import BoardService

/// `boardd report`: prints a text for a bug report.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Print what a bug report needs, with keys redacted.",
        discussion: """
            Sends no request and no report. The text starts with a list of its contents: read it through before you share it. \
            With sudo it includes keys.env's state and the log. Example: boardd report > report.txt
            """)

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let state: Result<BoardState, ServiceError>
        do throws(ServiceError) {
            state = .success(try await ConfigurationOption.runningBoard().state())
        } catch {
            state = .failure(error)
        }
        let report = BugReport(
            configuration: configuration, environment: Environment.current, state: state,
            zone: MachineZone.current, clock: SystemClock())
        let text: String
        do throws(ThreadFailure) {
            text = try await DedicatedThread.run("report") { report.text }
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(ExitStatus.unavailable)
        }
        try StandardOutput.write(text)
    }
}
