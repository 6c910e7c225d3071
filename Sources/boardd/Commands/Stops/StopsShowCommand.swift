internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardSimulation
internal import BoardStore
internal import Glibc

/// `boardd stops show STOP`: all that is known of one stop.
struct StopsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all that is known of a stop, with its parts and a map.",
        discussion: """
            The stop is written feed:code; the code alone, the five digits on the pole, or a name will do where only one \
            stop has them. --map draws the stops around it, north up, with letters that are told below; and with --line the \
            straight way from stop to stop of a line (● marks its stops). Examples: boardd stops show tfl:490008660N · \
            boardd stops show "Oxford Street N" --map · boardd stops show tfl:490008660N --map --line tfl:73
            """)

    /// How far a stop may be that is on the map, and how many there may be.
    private static let maximumRadius = Metres(2_000)
    private static let mostOnMap = 200
    /// Of the map in cells, where there is no terminal that has a size.
    private static let usual = (columns: 60, rows: 20)
    /// Wider than this one has to turn one's head.
    private static let widest = 120

    @Argument(help: "The stop, such as tfl:490008660N.")
    var stop: String

    @Flag(help: "Draw a map of the stops around it as well.")
    var map = false

    @Option(
        help: ArgumentHelp(
            "Draw this line's way on the map, such as tfl:73; its operator is asked.", valueName: "feed:line"))
    var line: String?

    @Flag(help: "Print everything that is known, as JSON, without a map.")
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

    /// The stop that is meant, its parts, and what it is a part of: as the directory has it, or as an operator says that
    /// searches its stops itself.
    private func found(_ context: StopsContext) async throws -> (
        stop: ListedStop, parts: [ListedStop], parent: ListedStop?
    ) {
        let text = stop
        if let id = StopID(text), let complaint = FeedFactory.missingListReason(aboutListOf: id.feed) {
            guard let finder = StopSearch(context.directory, configuration, all: true).finder(of: id.feed) else {
                throw StopsContext.notFound(complaint)
            }
            do throws(ControlError) {
                return (try await finder.known(id), [], nil)
            } catch {
                throw StopsContext.exitOnFailure(.refused(error))
            }
        }
        let meaning = StopResolver(directory: context.directory)
        let found = try await context.look { (_) throws(DirectoryFailure) in try meaning.find(text) }
        guard case .one(let stop) = found else {
            throw StopsContext.exitOnFailure(.refused(meaning.refusal(found, of: text)))
        }
        return try await context.look { (directory) throws(DirectoryFailure) in
            (
                stop, try directory.parts(of: stop.id),
                try stop.parent.flatMap { (id) throws(DirectoryFailure) in try directory.stop(id) }
            )
        }
    }

    /// Draws what is around a stop.
    private func draw(_ stop: ListedStop, _ context: StopsContext, _ favourites: Set<StopID>) async throws {
        guard let middle = stop.coordinates else {
            throw StopsContext.notFound("there is no map of \(stop.id): its operator does not say where it is")
        }
        let near = try await context.look { (directory) throws(DirectoryFailure) in
            try directory.near(middle, within: Self.maximumRadius, limit: Self.mostOnMap)
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
        let inColour = isTerminal && Terminal.wantsColour(environment: environment)
        // Names in it are printed lines already; colours are escape sequences.
        try StandardOutput.draw("\n" + page.text(inColour: inColour))
        if let route, !page.hasRoute {
            StandardError.write("remark: line \(route.name) does not pass here".asPrintedLine + "\n")
        }
    }

    /// The map's cells: the usual map, or one that fits a terminal and leaves a line for the prompt.
    static func size(in terminal: (columns: Int, rows: Int)?) -> (columns: Int, rows: Int) {
        guard let terminal else { return usual }
        let frame = (columns: 2, rows: 4)
        let columns = min(max(terminal.columns - frame.columns, 20), widest)
        // As wide as high on the ground, and half as much again.
        let rows = min(max(columns / 3, 7), max(terminal.rows - frame.rows, 7))
        return (columns, rows)
    }

    /// A stop for a person.
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

    /// The lines of each mode, in the operator's order; a mode of which no line is told is there all the same.
    private static func linesByMode(_ stop: StopEntry) -> [(mode: String, lines: [String])] {
        var modes = stop.modes
        for line in stop.lines {
            let mode = line.mode ?? "lines"
            if !modes.contains(mode) { modes.append(mode) }
        }
        return modes.map { mode in
            let names = stop.lines.filter { ($0.mode ?? "lines") == mode }.map(\.name)
            return (mode, names.isEmpty ? ["calls; no line is told"] : names)
        }
    }
}

extension Coordinates {
    /// Where OpenStreetMap shows it with a marker, as near as one sees the pole.
    fileprivate var map: String {
        let degrees = description.split(separator: ",")
        let (north, east) = (degrees.first ?? "", degrees.last ?? "")
        return "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)#map=19/\(north)/\(east)"
    }
}
