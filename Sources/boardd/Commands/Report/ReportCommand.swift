internal import ArgumentParser
internal import BoardControl
internal import BoardThreads

/// `boardd report`: what a bug report needs.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Print what a bug report needs, with every key blanked.",
        discussion: """
            It asks no operator and sends nothing. It says at its top what is in it: read it through before you give it to \
            anybody. With sudo it also sees keys.env and the log. Example: boardd report > report.txt
            """)

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let state: Result<BoardState, ControlClientError>
        do throws(ControlClientError) {
            state = .success(try await ControlClient.running.state())
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
            throw ExitCode(SystemExit.unavailable)
        }
        try StandardOutput.write(text)
    }
}
