internal import ArgumentParser
internal import BoardCore
internal import BoardService
internal import BoardStore

/// `boardd stops show STOP`: the details of a stop.
struct StopsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the details of a stop and its parts.",
        discussion: """
            The stop is written feed:code; the code alone, the five digits on the pole, or a name will do if only one \
            stop has it. Examples: boardd stops show tfl:490008660N · boardd stops show "Oxford Street N"
            """)

    @Argument(help: "The stop, such as tfl:490008660N.", completion: .favourites)
    var stop: String

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

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
        }
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
        if let latitude = stop.latitude, let longitude = stop.longitude,
            let place = Coordinates(latitude: latitude, longitude: longitude)
        {
            add("place", "\(place)")
            add("map", place.map)
        }
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
