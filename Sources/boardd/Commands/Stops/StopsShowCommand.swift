internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardStore

/// `boardd stops show STOP`: all that is known of one stop.
struct StopsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all that is known of a stop, with its parts and a map.",
        discussion: """
            The stop is written feed:code; the code alone, the five digits on the pole, or a name will do where only one \
            stop has them. Examples: boardd stops show tfl:490008660N · boardd stops show "Oxford Street N"
            """)

    @Argument(help: "The stop, such as tfl:490008660N.")
    var stop: String

    @Flag(help: "Print everything that is known, as JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let desk = StopsDesk()
        let text = stop
        let meaning = StopMeaning(directory: desk.directory)
        let found = try await desk.look { (_) throws(DirectoryFailure) in try meaning.find(text) }
        guard case .one(let stop) = found else { throw StopsDesk.ending(.refused(meaning.refusal(found, of: text))) }
        let (parts, parent) = try await desk.look { (directory) throws(DirectoryFailure) in
            (
                try directory.parts(of: stop.id),
                try stop.parent.flatMap { (id) throws(DirectoryFailure) in try directory.stop(id) }
            )
                as ([ListedStop], ListedStop?)
        }
        let favourites = try await desk.favourites(configuration)
        let detail = StopDetail(
            StopEntry(stop, isFavourite: favourites.contains(stop.id)),
            parts: parts.map { StopEntry($0, isFavourite: favourites.contains($0.id)) })
        StandardOutput.write(json ? PrettyJSON.text(detail) : Self.text(detail, parent: parent, at: stop.coordinates))
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
