internal import ArgumentParser
internal import BoardCore
internal import BoardIO
internal import BoardService
internal import BoardSimulation
internal import BoardStore
internal import Glibc

/// `boardd stops show STOP`: the details of a stop.
struct StopsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the details of a stop, its parts and a map.",
        discussion: """
            The stop is written feed:code; the code alone, the five digits on the pole, or a name will do if only one \
            stop has it. --map draws the stops around it, north up, with letters and a legend; --line adds a line as straight \
            segments from stop to stop (● marks its stops). Examples: boardd stops show tfl:490008660N · \
            boardd stops show "Oxford Street N" --map · boardd stops show tfl:490008660N --map --line tfl:73
            """)

    /// The largest distance and number of stops on the map.
    private static let maximumRadius = Metres(2_000)
    private static let maximumStops = 200
    /// The size of the map in cells without a terminal.
    private static let defaultSize = (columns: 60, rows: 20)
    /// A wider map is hard to read.
    private static let maximumColumns = 120

    @Argument(help: "The stop, such as tfl:490008660N.", completion: .favourites)
    var stop: String

    @Flag(help: "Draw a map of the stops around it as well.")
    var map = false

    @Option(
        help: ArgumentHelp(
            "Draw this line on the map, such as tfl:73; sends a request to its operator.", valueName: "line"))
    var line: String?

    @Flag(help: "Print JSON, without a map.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        if line != nil, !map { throw ValidationError("--line is drawn on a map: add --map.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure {
            let service = try await configuration.localService()
            let detail = try await service.stop(try await service.stop(called: stop))
            let parent = try await service.directory.read { (directory) throws(DirectoryFailure) in
                try detail.stop.parent.flatMap { StopID($0) }.flatMap { (id) throws(DirectoryFailure) in
                    try directory.stop(id)
                }
            }
            try StandardOutput.write(json ? PrettyJSON.text(detail) : Self.text(detail, parent: parent))
            if map, !json { try await draw(detail.stop, service) }
        }
    }

    private func draw(_ stop: StopEntry, _ service: LocalBoardService) async throws {
        guard let middle = stop.coordinates else {
            throw ServiceError(.notFound, "no map of \(stop.stop): its operator reports no location")
        }
        let near = try await service.directory.read { (directory) throws(DirectoryFailure) in
            try directory.near(middle, within: Self.maximumRadius, limit: Self.maximumStops)
        }
        for failure in near.failures { StandardError.write("remark: \(failure)".asPrintedLine + "\n") }
        let around = try service.entries(near.found).filter { $0.stop != stop.stop }
        var route: RouteEntry?
        if let line { route = try await configuration.route(of: line) }
        let environment = Environment.current
        let isTerminal = Terminal.isTerminal(STDOUT_FILENO, environment: environment)
        let size = Self.size(in: isTerminal ? Terminal.size(STDOUT_FILENO) : nil)
        let page = StopMapPage(
            around: stop, at: middle, stops: around, route: route, columns: size.columns,
            rows: size.rows)
        let inColour = isTerminal && Terminal.usesColour(environment: environment)
        // Its names are printed lines already; colours are escape sequences.
        try StandardOutput.draw("\n" + page.text(inColour: inColour))
        if let route, !page.hasRoute {
            StandardError.write("remark: line \(route.name) does not pass here".asPrintedLine + "\n")
        }
    }

    /// The size of the map in cells: the default, or one that fits the terminal with a line for the prompt.
    static func size(in terminal: (columns: Int, rows: Int)?) -> (columns: Int, rows: Int) {
        guard let terminal else { return defaultSize }
        let frame = (columns: 2, rows: 4)
        let columns = min(max(terminal.columns - frame.columns, 20), maximumColumns)
        // A square of ground has a third as many rows as columns, half as much again.
        let rows = min(max(columns / 3, 7), max(terminal.rows - frame.rows, 7))
        return (columns, rows)
    }

    private static func text(_ detail: StopDetail, parent: ListedStop?) -> String {
        let stop = detail.stop
        var table = TextTable()
        func add(_ what: String, _ text: String?) {
            if let text, !text.isEmpty { table.add("  \(what)", text) }
        }
        add("stop", stop.stop)
        add("kind", stop.kind.rawValue)
        add("towards", stop.towards)
        for (mode, lines) in linesByMode(stop) { add(mode, lines.joined(separator: " ")) }
        add("on the pole", stop.shortCode)
        add("part of", stop.parent.map { id in parent.map { "\(id)  \($0.name)" } ?? id })
        add("place", stop.coordinates?.description)
        add("map", stop.coordinates?.map)
        var text = stop.nameWithLetter.asPrintedLine + (stop.isFavourite ? "  ★ a favourite" : "") + "\n" + table.text
        if !detail.parts.isEmpty {
            text += "  parts\n" + StopListing(detail.parts).table(indented: "    ")
        }
        return text
    }

    /// The lines of each mode, in the operator's order, with modes that have no lines.
    private static func linesByMode(_ stop: StopEntry) -> [(mode: String, lines: [String])] {
        var modes = stop.modes
        for line in stop.lines {
            let mode = line.mode ?? "lines"
            if !modes.contains(mode) { modes.append(mode) }
        }
        return modes.map { mode in
            let names = stop.lines.filter { ($0.mode ?? "lines") == mode }.map(\.name)
            return (mode, names.isEmpty ? ["no lines known"] : names)
        }
    }
}

extension Coordinates {
    /// The place on OpenStreetMap with a marker, at the zoom level that shows poles.
    fileprivate var map: String {
        let degrees = description.split(separator: ",")
        let (north, east) = (degrees.first ?? "", degrees.last ?? "")
        return "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)#map=19/\(north)/\(east)"
    }
}
