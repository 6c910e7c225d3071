import BoardCore
import BoardDisplays
import BoardService
import FoundationEssentials
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("boardd render", .endsHangs)
struct RenderTests {
    private func drawing(_ picture: FramePicture, _ colour: LCDDrawing.Colour, rom: CharacterROM = .a00) -> String {
        let size = DisplaySize(columns: picture.frame.columns, rows: picture.frame.rows.count)
        return LCDDrawing(picture.frame, on: Panel(size: size, rom: rom), colour: colour, title: picture.title).svg
    }

    @Test("the pictures in docs/images are drawn from the gallery; make pictures writes them")
    func images() throws {
        let images: [(file: String, title: String, colour: LCDDrawing.Colour)] = [
            ("departures", "20x4 departures", .blue), ("overview", "20x4 overview", .blue),
            ("leave", "20x4 six minutes' walk", .blue), ("details", "20x4 detail page of a train, in time", .blue),
            ("first-start", "20x4 no favourites", .blue), ("small", "16x2 departures", .green),
        ]
        let pictures = [(16, 2), (20, 4)].flatMap {
            GalleryTests.pictures(of: GallerySample.london, on: DisplaySize(columns: $0.0, rows: $0.1))
        }
        let folder = URL(filePath: "\(Checkout.path)/docs/images")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".svg") }
        #expect(Set(files) == Set(images.map { "\($0.file).svg" }))
        for image in images {
            let path = folder.appending(path: "\(image.file).svg")
            let svg = drawing(try #require(pictures.first { $0.title == image.title }), image.colour)
            if ProcessInfo.processInfo.environment["BOARDD_GALLERY"] == "write" { try Data(svg.utf8).write(to: path) }
            let isCurrent = String(decoding: try Data(contentsOf: path), as: UTF8.self) == svg
            #expect(isCurrent, "docs/images/\(image.file).svg differs: make pictures draws it again")
        }
    }

    @Test("it draws the first picture of a file, or the one with a title, as text or in SVG")
    func files() async throws {
        let folder = try TemporaryFolder([
            "pictures": "16x2 a\n|73 due          |\n|8   4m          |\n20x4 b\n|x|\n|y|\n"
        ])
        let pictures = try FramePicture.all(in: folder.read("pictures"))
        let text = try await run("render", "\(folder.path)/pictures")
        #expect(text.output == pictures[0].lines.map { $0 + "\n" }.joined(), "\(text.errors)")
        let svg = try await run("render", "\(folder.path)/pictures", "--name", "16x2 a", "--format", "svg")
        #expect(svg.status == 0, "\(svg.errors)")
        #expect(svg.output == drawing(pictures[0], .blue))
        let named = try await run("render", "\(folder.path)/pictures", "--name", "20x4 b")
        #expect(named.output == pictures[1].lines.map { $0 + "\n" }.joined())
    }

    @Test("--colour and --rom are those of the panel")
    func panel() async throws {
        // One glyph more than a display with A00 has.
        let frame = Frame(columns: 16, rows: ["⇨~…✗⚠✓♪♥é", ""])
        let picture = FramePicture(title: "glyphs", frame: frame)
        let folder = try TemporaryFolder(["file": picture.lines.joined(separator: "\n")])
        let file = "\(folder.path)/file"
        for (rom, colour) in [(CharacterROM.a00, LCDDrawing.Colour.green), (.a02, .amber)] {
            let svg = try await run(
                "render", file, "--format", "svg", "--color", colour.rawValue, "--rom", rom.rawValue)
            #expect(svg.output == drawing(picture, colour, rom: rom), "\(svg.errors)")
        }
        #expect(drawing(picture, .green) != drawing(picture, .green, rom: .a02))
    }

    @Test("it reads standard input")
    func standardInput() async throws {
        let script = #"printf 'one\n|ab|\ntwo\n|cd|\n' | "$0" "$@""#
        let program = try Program(shell: script, ["render", "-", "--name", "two"])
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.output == "two\n┌──┐\n│cd│\n└──┘\n")
    }

    @Test("without a file it draws the display of the running board")
    func running() async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n")
        let missing = try await board.run("render")
        #expect(missing.status == ExitStatus.unavailable)
        #expect(missing.errors.contains("boardd is not running"), "\(missing.errors)")
        let daemon = try await board.start()
        // The first response brings the name of the stop.
        _ = await board.state { !$0.stops.contains { $0.status == .loading } }
        let text = try await board.run("render")
        let drawn = try #require(try FramePicture.all(in: text.output).first, "\(text.errors)")
        #expect(drawn.title == (try await board.state().live.pageTitle))
        #expect(drawn.frame.rows.map(\.count) == [20, 20, 20, 20])
        #expect(drawn.frame.lines.joined().contains { $0 != " " })
        let svg = try await board.run("render", "--format", "svg")
        #expect(svg.output.contains("<title>\(drawn.title)</title>"), "\(svg.errors)")
        try await board.end(daemon)
    }

    @Test(
        "a file without the picture is reported with what is wrong",
        arguments: [
            ("text\n", [], ExitStatus.usage, "FILE has no picture: a picture has rows between bars, such as "),
            ("a\n|12|\n|1|\n", [], ExitStatus.usage, "FILE:3: the row has 1 cells, the first of its picture 2\n"),
            (
                "16x3\n|12|\n", ["--format", "svg"], ExitStatus.usage,
                "the picture is 2x1, and character LCDs are 16x2, 20x2, 40x2, 16x4, 20x4, 40x4; --format text draws "
                    + "every size\n"
            ),
            ("16x2 start\n|12|\n", ["--name", "16x2 sart"], 1, "did you mean 16x2 start?\n"),
            (
                "16x2 start\n|1|\n20x4 start\n|1|\n16x2 end\n|1|\n", ["--name", "Start"], 1,
                "FILE has no picture \"Start\"; the title is the line above its rows\n"
                    + "did you mean one of these?\n  16x2 start\n  20x4 start\n"
            ),
            ("a\n|1|\n", ["--name", "end"], 1, "\"end\"; the title is the line above its rows\n"),
            (nil, [], ExitStatus.ioError, "cannot read FILE: No such file or directory\n"),
        ])
    func faults(text: String?, arguments: [String], status: Int32, words: String) async throws {
        let folder = try TemporaryFolder()
        if let text { try folder.write(text, to: "pictures.txt") }
        let file = "\(folder.path)/pictures.txt"
        let program = try Program(["render", file] + arguments)
        #expect(await program.end() == status)
        let errors = program.errors.split(separator: file).joined(separator: "FILE")
        let message = program.errors.hasPrefix(file) ? "FILE" + errors : errors
        #expect(message.contains(words), "\(message)")
        #expect(program.output.isEmpty)
    }
}
