internal import ArgumentParser
internal import BoardHardware
internal import BoardIO

/// `boardd hardware scan`: the buses, chips and devices of this machine.
struct HardwareScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "List what responds on the I2C buses, the GPIO lines in use, and your groups.",
        discussion: """
            Only reads: nothing is written to a device, and no line is requested. Prints the lines for boardd.toml that fit what \
            was found. Exit status: 0 a device that can be a display was found, 69 none, 77 none, and you may not open a bus. \
            Example: boardd hardware scan
            """)

    func run() async throws {
        let report: HardwareReport
        do throws(ThreadFailure) {
            report = try await DedicatedThread.run("scan") {
                HardwareReport(buses: I2CBusScan.all(), gpio: GPIOScan(), user: .current)
            }
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(ExitStatus.unavailable)
        }
        try StandardOutput.write(report.text)
        if report.status != 0 { throw ExitCode(report.status) }
    }
}
