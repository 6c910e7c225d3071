import ArgumentParser
import BoardControl
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import Glibc

/// `boardd render`: a frame as text, or as a picture of a character LCD.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Draw what the display shows, as text or as a picture.",
        discussion: """
            Without a file: what the running board shows. A file has pictures as text: rows between bars below a line with the \
            title, as boardd demo prints them without a terminal. svg is a picture of a character LCD, for web pages and \
            documents. Examples: boardd render --format svg >board.svg · boardd demo | boardd render - --format svg >demo.svg
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, svg
    }

    @Argument(help: "A file with pictures as text; - is standard input.", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("Which picture of the file, by its title; the first by default.", valueName: "title"))
    var name: String?

    @Option(help: "text, or svg: a picture of a character LCD.")
    var format = Format.text

    @Option(
        name: [.customLong("colour"), .customLong("color")],
        help: "With --format svg: the panel's colour: green, blue, white or amber; blue by default.",
        completion: .list(LCDDrawing.Colour.allCases.map(\.rawValue)), transform: LCDDrawing.Colour.reading("a colour"))
    var colour: LCDDrawing.Colour?

    @Option(
        help: "With --format svg: the display's character ROM, A00 or A02, as in boardd.toml; A00 by default.",
        completion: .list(CharacterROM.allCases.map(\.rawValue)), transform: CharacterROM.reading("a character ROM"))
    var rom: CharacterROM?

    func validate() throws {
        guard file != nil || name == nil else { throw ValidationError("--name needs a file with pictures.") }
        guard format == .svg || colour == nil && rom == nil else {
            throw ValidationError("--colour and --rom need --format svg.")
        }
    }

    func run() async throws {
        let picture = try await picture()
        switch format {
        case .text: try StandardOutput.write(picture.lines.map { $0 + "\n" }.joined())
        case .svg: try StandardOutput.write(drawing(of: picture).svg)
        }
    }

    private func drawing(of picture: FramePicture) throws(ServiceError) -> LCDDrawing {
        let size = DisplaySize(columns: picture.frame.columns, rows: picture.frame.rows.count)
        guard DisplaySize.lcd.contains(size) else {
            let sizes = DisplaySize.lcd.map { "\($0)" }.joined(separator: ", ")
            throw ServiceError(
                .malformed,
                "the picture is \(size), and character LCDs are \(sizes); --format text draws every size")
        }
        let panel = Panel(size: size, rom: rom ?? .a00)
        return LCDDrawing(picture.frame, on: panel, colour: colour ?? .blue, title: picture.title)
    }

    private func picture() async throws(ServiceError) -> FramePicture {
        guard let file else { return try await ConfigurationOption.runningBoard().live().displayPicture }
        let pictures = try await DedicatedThread.attempt("pictures") {
            try Self.pictures(in: file)
        }
        guard let name else {
            guard let first = pictures.first else {
                throw ServiceError(
                    .malformed,
                    "\(Self.source(file)) has no picture: a picture has rows between bars, such as |73  Oxford C due|")
            }
            return first
        }
        if let named = pictures.first(where: { $0.title == name }) { return named }
        let titles = pictures.map(\.title)
        let similar = titles.filter { $0.lowercased().contains(name.lowercased()) }
            .sorted { $0.count < $1.count }
        let near = similar.isEmpty ? [Spelling.nearest(to: name, of: titles)].compactMap(\.self) : similar
        throw ServiceError(
            .notFound, "\(Self.source(file)) has no picture \"\(name)\"; the title is the line above its rows",
            candidates: near.prefix(Self.maximumCandidates).map { Candidate(id: $0) })
    }

    private static func pictures(in file: String) throws(ServiceError) -> [FramePicture] {
        let source = source(file)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes =
                try file == "-"
                ? SmallFile.read(STDIN_FILENO, limit: maximumSize) : SmallFile.read(file, limit: maximumSize).bytes
        } catch {
            throw ServiceError(.failed, "cannot read \(source): \(error)")
        }
        guard bytes.count <= maximumSize else {
            throw ServiceError(.malformed, "\(source) is larger than \(maximumSize / 1_000_000) MB: it has no pictures")
        }
        do {
            return try FramePicture.all(in: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ServiceError(.malformed, "\(source):\(error)")
        }
    }

    private static func source(_ file: String) -> String { file == "-" ? "standard input" : file }

    private static let maximumSize = 4_000_000
    private static let maximumCandidates = 8
}

extension LiveState {
    var displayPicture: FramePicture {
        let columns = display.rows.map(\.count).max() ?? 0
        return FramePicture(title: pageTitle, frame: Frame(columns: columns, rows: display.rows, isLit: display.lit))
    }
}
