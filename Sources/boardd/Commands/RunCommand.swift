import ArgumentParser
import BoardCore
import BoardDisplays
import BoardIO
import BoardStore

/// `boardd run`: the daemon.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the board.",
        discussion: """
            With --simulate the display is drawn in this terminal and keys are buttons: space or n presses, h holds, o holds \
            longer, d presses twice, 2 presses the second button, q ends. Where there is no terminal, and with --frames, \
            every frame is printed as plain text.
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Flag(help: "Draw the display in this terminal; keys are buttons.")
    var simulate = false

    @Option(
        help: ArgumentHelp("Replay this recording instead of polling.", valueName: "directory"),
        completion: .directory)
    var replay: String?

    @Option(
        help: ArgumentHelp("Record every HTTP response in this directory.", valueName: "directory"),
        completion: .directory)
    var record: String?

    @Option(help: ArgumentHelp("Print this many frames as plain text, then end.", valueName: "count"))
    var frames: Int?

    @Option(
        name: .customLong("frame-log"),
        help: ArgumentHelp("Write every frame as a line of JSON to this file.", valueName: "file"),
        completion: .file())
    var frameLog: String?

    @OptionGroup var page: PageOption

    func validate() throws {
        if replay != nil, record != nil {
            throw ValidationError("--replay and --record exclude each other.")
        }
        if let frames, frames < 1 { throw ValidationError("--frames needs a count of 1 or more.") }
    }

    func run() async throws {
        let source: FeedFactory.Source = replay.map { .replay($0) } ?? .live(record: record)
        let displayTarget: DeviceFactory.DisplayTarget =
            switch (simulate || frames != nil, frames) {
            case (false, _): .hardware
            case (true, let count?): .plain(frames: count)
            case (true, nil): Terminal.isInteractive ? .terminal : .plain(frames: nil)
            }
        let daemon = Daemon(
            configuration: configuration, source: source, displayTarget: displayTarget, frameLog: frameLog,
            page: page.address)
        let status = await daemon.run()
        if status != 0 { throw ExitCode(status) }
    }
}

struct PageOption: ParsableArguments {
    @Option(
        name: .customLong("page"),
        help: ArgumentHelp(
            "Serve the page for phones here, such as 127.0.0.1:8480; port 0 is a free one.",
            valueName: "address:port"),
        transform: { text in
            guard let address = ServerAddress(listening: text) else {
                throw ValidationError(
                    "\"\(text)\" is not an IP address and a port; write 127.0.0.1:8480 for this machine alone, "
                        + "or 0.0.0.0:8480 for its networks.")
            }
            return address
        })
    var address: ServerAddress?
}
