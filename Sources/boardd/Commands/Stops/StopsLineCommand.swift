internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardIO

/// `boardd stops line FEED:LINE`: the route of a line.
struct StopsLineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line", abstract: "Show a line's stops in sequence, in both directions.",
        discussion: """
            The request goes to the operator, through the running board (which has the key) or directly. Branches are drawn \
            side by side; ▶ marks the stop of --stop, ★ favourites, ↻ a stop at which a vehicle calls twice. \
            Example: boardd stops line tfl:73 --stop 490008660N
            """)

    @Argument(help: ArgumentHelp("The line, such as tfl:73 or tfl:northern.", valueName: "feed:line"))
    var line: String

    @Option(help: ArgumentHelp("Mark this stop: its code, the number on its pole, or its name.", valueName: "stop"))
    var stop: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let context = StopsContext()
        let text: String
        do throws(ControlClientError) {
            let route = try await RouteRequest(context: context, configuration: configuration).route(of: line)
            var marked: Set<String> = []
            if let stop {
                let matcher = RouteStopMatcher(route: route, directory: context.directory)
                marked = try await DedicatedThread.read { () throws(ControlError) in try matcher.find(stop) }
            }
            text = json ? PrettyJSON.text(route) : RouteListing(route, marking: marked).text
        } catch {
            throw StopsContext.exitOnFailure(error)
        }
        try StandardOutput.write(text)
    }
}
