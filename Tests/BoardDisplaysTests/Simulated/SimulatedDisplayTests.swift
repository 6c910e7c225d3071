import BoardCore
import BoardDisplays
import Glibc
import Synchronization
import Testing

@Suite("The simulated display")
struct SimulatedDisplayTests {
    let first = Frame(columns: 16, rows: ["73  Oxford   due", "390 Archway   4m"])
    let second = Frame(columns: 16, rows: ["73  Oxford    1m", "\"é\\⚠\u{1}"], isLit: false)

    private func instant(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }

    @Test("text output prints each frame once, with its number and the seconds since the first")
    func text() throws {
        let capture = try Capture()
        var display = SimulatedDisplay(.text(descriptor: capture.writer))
        #expect(display.show(first, at: instant(60_000)) == DisplayReport(.shown))
        _ = display.show(first, at: instant(61_000))
        _ = display.show(second, at: instant(64_290))
        display.close(last: second, at: instant(70_000))
        #expect(
            capture.text() == """
                frame 1 · 0.0 s
                ┌────────────────┐
                │73  Oxford   due│
                │390 Archway   4m│
                └────────────────┘

                frame 2 · 4.2 s · light off
                ┌────────────────┐
                │73  Oxford    1m│
                │"é\\⚠            │
                └────────────────┘


                """)
    }

    @Test("text output prints up to the limit, and reports each frame")
    func limit() throws {
        let capture = try Capture()
        let counts = Mutex<[Int]>([])
        var display = SimulatedDisplay(.text(descriptor: capture.writer), limit: 2) { count in
            counts.withLock { $0.append(count) }
        }
        for minute in 1...4 {
            _ = display.show(Frame(columns: 4, rows: ["\(minute)m"]), at: instant(Int64(minute)))
        }
        display.close(last: Frame(columns: 4, rows: ["bye"]), at: instant(5))
        #expect(counts.withLock { $0 } == [1, 2])
        #expect(capture.text().hasSuffix("│2m  │\n└────┘\n\n"))
    }

    @Test("a new last frame is printed when the display closes, and nothing after it")
    func last() throws {
        let capture = try Capture()
        var display = SimulatedDisplay(.text(descriptor: capture.writer))
        display.close(last: Frame(columns: 3, rows: ["bye"]), at: instant(0))
        _ = display.show(first, at: instant(1))
        display.close(last: first, at: instant(2))
        #expect(capture.text() == "frame 1 · 0.0 s\n┌───┐\n│bye│\n└───┘\n\n")
    }

    @Test("log output writes one JSON object per line, with all required escapes")
    func log() throws {
        let capture = try Capture()
        var display = SimulatedDisplay(.log(descriptor: capture.writer))
        _ = display.show(first, at: Instant(microseconds: 1_500_000))
        _ = display.show(second, at: Instant(microseconds: 2_000_001))
        #expect(
            capture.text() == """
                {"t": 1500000, "lit": true, "rows": ["73  Oxford   due", "390 Archway   4m"]}
                {"t": 2000001, "lit": false, "rows": ["73  Oxford    1m", "\\"é\\\\⚠\\u0001           "]}

                """)
    }

    @Test("on a terminal it draws in place with a legend, and restores the main screen with the last frame")
    func terminal() throws {
        let capture = try Capture()
        var terminal = MinimalTerminal()
        var display = SimulatedDisplay(.terminal(descriptor: capture.writer, hasColour: true))
        let legend = ["space press · h hold · o hold long · d double", "2 second button · q quit"]

        _ = display.show(second, at: instant(0))
        try terminal.feed(capture.text())
        #expect(terminal.isSecondScreen)
        #expect(!terminal.isCursorShown)
        #expect(
            terminal.lines
                == [
                    "┌────────────────┐", "│73  Oxford    1m│", "│\"é\\⚠            │", "└────────────────┘",
                    "light off",
                ]
                + legend)
        #expect(terminal.attributes(line: 1) == "2;38;5;244")

        _ = display.show(first, at: instant(1))
        let drawn = capture.text()
        #expect(!drawn.contains("?1049h"))
        try terminal.feed(drawn)
        #expect(
            terminal.lines
                == ["┌────────────────┐", "│73  Oxford   due│", "│390 Archway   4m│", "└────────────────┘"] + legend)
        #expect(terminal.attributes(line: 1) == "38;5;157;48;5;22")

        display.close(last: first, at: instant(2))
        try terminal.feed(capture.text())
        #expect(!terminal.isSecondScreen)
        #expect(terminal.isCursorShown)
        #expect(
            terminal.lines == ["┌────────────────┐", "│73  Oxford   due│", "│390 Archway   4m│", "└────────────────┘"])
        #expect(terminal.attributes(line: 1) == "")
    }

    @Test("without colours it sends only cursor movement, and writes the state of the backlight as text")
    func noColour() throws {
        let capture = try Capture()
        var terminal = MinimalTerminal()
        var display = SimulatedDisplay(.terminal(descriptor: capture.writer, hasColour: false))
        _ = display.show(second, at: instant(0))
        let text = capture.text()
        #expect(!text.contains("m┌"))
        try terminal.feed(text)
        #expect(terminal.attributes(line: 1) == "")
        #expect(terminal.lines.contains("light off"))
    }

    @Test("on a terminal a note stays above the legend")
    func note() throws {
        let capture = try Capture()
        var terminal = MinimalTerminal()
        let note = "page: http://127.0.0.1:8480"
        var display = SimulatedDisplay(.terminal(descriptor: capture.writer, hasColour: true, note: note))
        for (index, frame) in [first, second].enumerated() {
            _ = display.show(frame, at: instant(Int64(index)))
            try terminal.feed(capture.text())
            #expect(terminal.lines.suffix(3).first == note)
        }
    }

    @Test("a display that drew nothing leaves the terminal unchanged")
    func untouched() throws {
        let capture = try Capture()
        var display = SimulatedDisplay(.terminal(descriptor: capture.writer, hasColour: true), limit: 0)
        display.close(last: first, at: instant(0))
        #expect(capture.text().isEmpty)
    }

    @Test("characters that a terminal would draw two columns wide do not move the box")
    func wide() throws {
        let capture = try Capture()
        var display = SimulatedDisplay(.text(descriptor: capture.writer))
        _ = display.show(Frame(columns: 6, rows: ["a駅😀é\tｱ"]), at: instant(0))
        #expect(capture.text().contains("│a??é ｱ│"))
    }

    @Test("a failed write makes the display absent, and the frame appears once writing succeeds")
    func absent() throws {
        var display = SimulatedDisplay(.text(descriptor: -1))
        let report = display.show(first, at: instant(0))
        guard case .absent(let fault) = report.health else {
            Issue.record("the display is \(report.health)")
            return
        }
        #expect(fault.description == "the simulated display cannot write to descriptor -1: Bad file descriptor")
        #expect(display.show(first, at: instant(1)).health != .shown)
    }

    @Test("colours are on unless NO_COLOR is set, and TERM=dumb is not a terminal")
    func environment() {
        #expect(Terminal.usesColour(environment: [:]))
        #expect(Terminal.usesColour(environment: ["NO_COLOR": ""]))
        #expect(!Terminal.usesColour(environment: ["NO_COLOR": "0"]))
        #expect(!Terminal.isTerminal(-1, environment: ["TERM": "xterm"]))
    }
}
