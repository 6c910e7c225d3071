internal import ArgumentParser
internal import BoardCore
internal import BoardIO
internal import BoardService
internal import BoardStore

/// `boardd stops line FEED:LINE`: the route of a line.
struct StopsLineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line", abstract: "Show a line's stops in sequence, in both directions.",
        discussion: """
            The request goes to the operator, through the running board (which has the key) or directly. Branches are drawn \
            side by side; ▶ marks the stop of --stop, ★ favourites, ↻ a stop at which a vehicle calls twice. \
            Examples: boardd stops line tfl:73 --stop 490008660N · boardd stops line northern
            """)

    @Argument(help: ArgumentHelp("The line, such as tfl:73, or a number or name that one feed has.", valueName: "line"))
    var line: String

    @Option(help: ArgumentHelp("Mark this stop: its code, the number on its pole, or its name.", valueName: "stop"))
    var stop: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            let route = try await configuration.route(of: line)
            var marked: Set<String> = []
            if let stop {
                let matcher = RouteStopMatcher(route: route, directory: .installed)
                marked = try await DedicatedThread.attempt { () throws(ServiceError) in try matcher.find(stop) }
            }
            try StandardOutput.write(json ? PrettyJSON.text(route) : RouteListing(route, marking: marked).text)
        }
    }
}

extension ConfigurationOption {
    /// A route is the board's slowest response.
    private static let routeTimeout = Duration.seconds(65)

    /// The route of a line that a user wrote.
    ///
    /// - Parameter text: `feed:line`, or a number or name that the lines of one feed have.
    func route(of text: String) async throws(ServiceError) -> RouteEntry {
        let resolver = try await localService().resolver()
        let (feed, line) = try await DedicatedThread.attempt { () throws(ServiceError) in try resolver.line(text) }
        return try await call(
            timeout: Self.routeTimeout, elseIf: [.noDaemon, .noAccess, .unexpectedResponse, .connectionLost],
            unlessFaulty: "no request sent"
        ) { (service) throws(ServiceError) in
            try await service.route(of: line, feed: feed)
        }
    }
}
