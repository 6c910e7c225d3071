import BoardCore
import Testing

@testable import BoardDisplays

@Suite("A picture of a display as text")
struct FramePictureTests {
    private let gallery = """
        16x2 overview
        |Oxford St 73 due|
        |a | b         2m|

        16x2 last
        |boardd stopped  |
        |at 12:04        |
        """

    private let boxes = """
        frame 1 · 0.0 s
        ┌────┐
        │73 →│
        │    │
        └────┘

        frame 2 · 4.2 s · light off\r
            ┌────┐\r
            │ due│ \r
            └────┘\r
        ┌─┐
        │x│
        └─┘
        """

    @Test("is read from the rows and titles of the gallery")
    func bars() throws {
        let pictures = try FramePicture.all(in: gallery)
        #expect(pictures.map(\.title) == ["16x2 overview", "16x2 last"])
        #expect(pictures.first?.frame == Frame(columns: 16, rows: ["Oxford St 73 due", "a | b         2m"]))
    }

    @Test("is read from boxes, with the state of the light; a title belongs to one picture")
    func boxed() throws {
        let pictures = try FramePicture.all(in: boxes)
        #expect(pictures.map(\.title) == ["frame 1 · 0.0 s", "frame 2 · 4.2 s · light off", ""])
        #expect(pictures.map(\.frame.lines) == [["73 →", "    "], [" due"], ["x"]])
        #expect(pictures.map(\.frame.isLit) == [true, false, true])
    }

    @Test("is written so that it can be read again")
    func roundTrip() throws {
        let dark = FramePicture(title: "Home", frame: Frame(columns: 3, rows: ["due"], isLit: false))
        for picture in try FramePicture.all(in: gallery) + FramePicture.all(in: boxes) + [dark] {
            let text = picture.lines.map { $0 + "\n" }.joined()
            #expect(try FramePicture.all(in: text) == [picture], "\(text)")
        }
        #expect(dark.lines == ["Home · light off", "┌───┐", "│due│", "└───┘"])
    }

    @Test("is reported with the line of a row that has no end or another width")
    func faults() throws {
        #expect(throws: PlainError("3: the row has no │ at its end")) {
            _ = try FramePicture.all(in: "title\n│ab│\n│ab|\n")
        }
        #expect(throws: PlainError("2: the row has 3 cells, the first of its picture 2")) {
            _ = try FramePicture.all(in: "|ab|\n|abc|")
        }
        #expect(throws: PlainError("1: the row has no | at its end")) {
            _ = try FramePicture.all(in: "|")
        }
        #expect(try FramePicture.all(in: "a text\n┌──┐\n└──┘\n").isEmpty)
    }
}
