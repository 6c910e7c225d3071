import ArgumentParser
import BoardCore
import BoardIO
import BoardService
import Glibc

/// `boardd stops map PLACE`: the stops around a place as a picture.
struct StopsMapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Draw a map of the stops around a place, as an SVG picture.",
        discussion: """
            The place is latitude and longitude in degrees, or a stop: its name, code or feed:code. --line adds a line as \
            straight segments from stop to stop, at the cost of a request to its operator. \
            Examples: boardd stops map "Oxford Street N" -o map.svg · \
            boardd stops map tfl:490008660N --line tfl:73 --scale 5 >map.svg
            """)

    /// Two kilometres across at the default scale.
    private static let standardSize = "1024x1024"
    private static let scales = MapRequest.Scale.allCases.map(\.rawValue).joined(separator: ", ")

    @OptionGroup var place: PlaceArgument

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write; standard output by default.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Draw this line, such as tfl:73.", valueName: "line"))
    var line: String?

    @Option(
        help: "Metres per pixel: \(Self.scales); 2 by default.",
        transform: MapRequest.Scale.reading("a scale"))
    var scale = MapRequest.Scale.two

    @Option(
        help: """
            Width and height in pixels, \(MapRequest.Size.allowed.lowerBound) to \
            \(MapRequest.Size.allowed.upperBound); \(Self.standardSize) by default.
            """,
        transform: { text in
            guard let size = MapRequest.Size(written: text) else {
                throw ValidationError("\"\(text)\" is not a size; write 640x480.")
            }
            return size
        })
    var size = MapRequest.Size(written: Self.standardSize) ?? .standard

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let service = try await configuration.localService()
        let centre = place.isName ? try await service.place(called: place.text) : try place.written()
        var request = MapRequest(centre: centre)
        request.scale = scale
        request.size = size
        if place.isName { request.stop = try? await service.stop(called: place.text) }
        let svg: String
        if let line {
            let (feed, name) = try await configuration.line(line)
            request.line = MapRequest.NamedLine(feed: feed, line: name)
            svg = try await configuration.withOperator { [request] (board) throws(ServiceError) in
                try await board.map(request)
            }
            if !svg.contains("class=\"way\"") { StandardError.remark("line \(line) does not pass here") }
        } else {
            svg = try await service.map(request)
        }
        if !svg.contains("<a ") { StandardError.remark("there is no stop around \(centre): is the place right?") }
        // The links lead to the screens of the page.
        try write(svg.replacing(/<a href="[^"]*">/, with: "<g>").replacing("</a>", with: "</g>"))
    }

    /// Writes like a shell redirection: what the path names is written to, not replaced.
    private func write(_ svg: String) throws {
        guard let output, output != "-" else { return try StandardOutput.write(svg) }
        let descriptor = unsafe open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        var number = descriptor < 0 ? errno : 0
        if descriptor >= 0 {
            number = writeAll(Array(svg.utf8).span, to: descriptor)
            if close(descriptor) != 0, number == 0 { number = errno }
        }
        guard number == 0 else { throw ServiceError(.failed, "cannot write \(output): \(errnoText(number))") }
    }
}

/// A place that a user wrote: latitude and longitude in degrees, or a stop.
struct PlaceArgument: ParsableArguments {
    // A southern latitude looks like an option: actual options are found below.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Latitude and longitude, a link of a map, or a stop.", valueName: "place"))
    var place: [String]

    func validate() throws {
        if let option = place.first(where: Self.looksLikeOption) {
            throw ValidationError("Unknown option '\(option)'. See --help.")
        }
        if !isName { _ = try written() }
    }

    /// The place, written as one word or several.
    var text: String { place.joined(separator: " ") }

    /// Whether the place is a stop: degrees have no letters, and are two numbers.
    var isName: Bool {
        !Coordinates.isLink(text) && (text.contains(where: \.isLetter) || text.allSatisfy(\.isNumber))
    }

    func coordinates(_ operators: OperatorsOption, _ service: LocalBoardService) async throws -> Coordinates {
        if isName { try await operators.place(text, of: service) } else { try written() }
    }

    /// The place in degrees.
    func written() throws -> Coordinates {
        do {
            return try Coordinates(written: text)
        } catch {
            throw ValidationError("\"\(text)\" \(error).")
        }
    }

    /// Whether a word that begins with a minus is not a number.
    private static func looksLikeOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !(second.isNumber || second == ".")
    }
}
