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
            The request goes to the operator, through the running board (which has the key) or directly. Each branch is a \
            list of its own; ▶ marks the stop of --stop, ★ favourites. \
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
            let (feed, name) = try await configuration.line(line)
            let route = try await configuration.withOperator { (board) throws(ServiceError) in
                try await board.route(of: name, feed: feed)
            }
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

    /// The line that a user wrote.
    ///
    /// - Parameter text: `feed:line`, or a number or name that the lines of one feed have.
    func line(_ text: String) async throws(ServiceError) -> (feed: FeedName, line: String) {
        let resolver = try await localService().resolver()
        return try await DedicatedThread.attempt { () throws(ServiceError) in try resolver.line(text) }
    }

    /// Calls the running board for a route, or this process where no board can be called.
    func withOperator<Value>(
        _ body: (any BoardService) async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        try await call(
            timeout: Self.routeTimeout, elseIf: [.noDaemon, .noAccess, .unexpectedResponse, .connectionLost],
            unlessFaulty: "no request sent", body)
    }
}
