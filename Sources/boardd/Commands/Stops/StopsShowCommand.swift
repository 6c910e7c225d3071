internal import ArgumentParser
internal import BoardControl
internal import BoardCore
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

    @Argument(help: "The stop, such as tfl:490008660N.")
    var stop: String

    @Flag(help: "Draw a map of the stops around it as well.")
    var map = false

    @Option(
        help: ArgumentHelp(
            "Draw this line on the map, such as tfl:73; sends a request to its operator.", valueName: "feed:line"))
    var line: String?

    @Flag(help: "Print JSON, without a map.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        if line != nil, !map { throw ValidationError("--line is drawn on a map: add --map.") }
    }

    func run() async throws {
        let context = StopsContext()
        let (stop, parts, parent) = try await found(context)
        let favourites = try await context.favourites(configuration)
        let detail = StopDetail(
            StopEntry(stop, isFavourite: favourites.contains(stop.id)),
            parts: parts.map { StopEntry($0, isFavourite: favourites.contains($0.id)) })
        try StandardOutput.write(
            json ? PrettyJSON.text(detail) : Self.text(detail, parent: parent, at: stop.coordinates))
        if map, !json { try await draw(stop, context, favourites) }
    }

    /// The stop, its parts and its parent: from the directory, or from an operator with a stop search.
    private func found(_ context: StopsContext) async throws -> (
        stop: ListedStop, parts: [ListedStop], parent: ListedStop?
    ) {
        let text = stop
        if let id = StopID(text), let reason = FeedFactory.missingListReason(aboutListOf: id.feed) {
            guard let finder = StopSearch(context.directory, configuration, all: true).finder(of: id.feed) else {
                throw StopsContext.notFound(reason)
            }
            do throws(ControlError) {
                return (try await finder.existing(id), [], nil)
            } catch {
                throw StopsContext.exitOnFailure(.errorResponse(error))
            }
        }
        let resolver = StopResolver(directory: context.directory)
        let found = try await context.read { (_) throws(DirectoryFailure) in try resolver.find(text) }
        guard case .unique(let stop) = found else {
            throw StopsContext.exitOnFailure(.errorResponse(resolver.error(found, of: text)))
        }
        return try await context.read { (directory) throws(DirectoryFailure) in
            (
                stop, try directory.parts(of: stop.id),
                try stop.parent.flatMap { (id) throws(DirectoryFailure) in try directory.stop(id) }
            )
        }
    }

    private func draw(_ stop: ListedStop, _ context: StopsContext, _ favourites: Set<StopID>) async throws {
        guard let middle = stop.coordinates else {
            throw StopsContext.notFound("no map of \(stop.id): its operator reports no location")
        }
        let near = try await context.read { (directory) throws(DirectoryFailure) in
            try directory.near(middle, within: Self.maximumRadius, limit: Self.maximumStops)
        }
        StopsContext.remark(near.failures)
        let around = near.found.filter { $0.stop.id != stop.id }.map {
            StopEntry($0.stop, distance: $0.distance, isFavourite: favourites.contains($0.stop.id))
        }
        var route: RouteEntry?
        do throws(ControlClientError) {
            if let line {
                route = try await RouteRequest(context: context, configuration: configuration).route(of: line)
            }
        } catch {
            throw StopsContext.exitOnFailure(error)
        }
        let environment = Environment.current
        let isTerminal = Terminal.isTerminal(STDOUT_FILENO, environment: environment)
        let size = Self.size(in: isTerminal ? Terminal.size(STDOUT_FILENO) : nil)
        let page = StopMapPage(
            around: StopEntry(stop, isFavourite: false), at: middle, stops: around, route: route, columns: size.columns,
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

    private static func text(_ detail: StopDetail, parent: ListedStop?, at place: Coordinates?) -> String {
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
        add("place", place?.description)
        add("map", place?.map)
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
