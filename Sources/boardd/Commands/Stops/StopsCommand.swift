import ArgumentParser
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// `boardd stops …`: queries of the stop directory.
struct StopsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Find a stop by name, by place or along a line.",
        discussion: """
            The stops come from the operators' lists, which the daemon downloads once a week to /var/lib/boardd. Only `line`, \
            `map --line`, `update` and searches of operators without a list send requests. A ★ marks favourites. Exit status: 0 found, \
            1 not found, 69 no usable list, 75 no response, 76 unreadable response, 77 not allowed, 78 faulty files. Example: boardd stops search oxford street n
            """,
        subcommands: [
            StopsSearchCommand.self, StopsNearCommand.self, StopsLinesCommand.self, StopsLineCommand.self,
            StopsShowCommand.self, StopsMapCommand.self, StopsUpdateCommand.self,
        ])
}

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
        let service = try await configuration.localService()
        let detail = try await service.stop(try await service.stop(called: stop))
        let parent = try await service.directory.read { directory in
            try detail.stop.parent.flatMap { StopID($0) }.flatMap { (id) throws(StoreError) in
                try directory.stop(id)
            }
        }
        try StandardOutput.write(json ? PrettyJSON.text(detail) : Self.text(detail, parent: parent))
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
        if let place = Coordinates(latitude: stop.latitude, longitude: stop.longitude) {
            add("place", "\(place)")
            add("map", place.map)
        }
        var text = stop.nameWithLetter.asPrintedLine + (stop.isFavourite ? "  ★ a favourite" : "") + "\n" + table.text
        if !detail.parts.isEmpty {
            text += "  parts\n" + detail.parts.table(indented: "    ")
        }
        return text
    }

    /// The lines of each mode, in the operator's order, including modes that have no lines.
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

/// Stops as a table: star, distance, code, name with letter, modes, direction, lines.
extension [StopEntry] {
    /// Longer names and directions are cut: the columns after them distinguish the poles.
    private static let maximumLength = 36
    /// The number of lines in a row; `show` and JSON have all.
    private static let maximumLines = 8

    /// The rows after a margin, each terminated.
    func table(indented margin: String = "") -> String {
        var table = TextTable()
        let distances = map { $0.distanceMetres.map { Metres($0).description } ?? "" }
        let width = distances.map(\.count).max() ?? 0
        for (stop, distance) in zip(self, distances) {
            table.add(
                stop.isFavourite ? "★" : "", String(repeating: " ", count: width - distance.count) + distance,
                stop.stop, Self.cut(stop.nameWithLetter), stop.kindDescription,
                stop.towards.map { Self.cut("→ \($0)") } ?? "", Self.lines(stop))
        }
        return table.lines.map { "\(margin)\($0)\n" }.joined()
    }

    private static func lines(_ stop: StopEntry) -> String {
        let names = stop.lines.map(\.name)
        // One more name is as short as "+1".
        guard names.count > maximumLines + 1 else { return names.joined(separator: " ") }
        return names.prefix(maximumLines).joined(separator: " ") + " +\(names.count - maximumLines)"
    }

    private static func cut(_ text: String) -> String {
        text.count <= maximumLength ? text : text.prefix(maximumLength - 1) + "…"
    }
}

extension StopEntry {
    /// "High Street (N)": the name, and the letter on the pole.
    var nameWithLetter: String { letter.map { "\(name) (\($0))" } ?? name }

    /// The modes at a pole or a station; for other stops, the kind as well.
    var kindDescription: String {
        let modes = modes.joined(separator: " ")
        switch kind {
        case .pole: return modes.isEmpty ? "pole" : modes
        case .station: return modes.isEmpty ? "station" : modes
        case .area, .interchange: return modes.isEmpty ? kind.rawValue : "\(kind.rawValue): \(modes)"
        }
    }
}
