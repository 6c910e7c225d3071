import BoardCore
import FoundationEssentials
import Testing

/// Questions that a person can answer at a glance. With BOARDD_GLANCE=FOLDER the pictures are written as sheets, with
/// the questions and the key beside them, to be read by people who know neither.
@Suite("Glances")
struct GlanceTests {
    /// The instants of the pictures, in seconds: the first and the third beat of the rows.
    private static let instants = [0, 6]

    @Test(
        "show the answer within two pictures, or within three where it has its turn later",
        arguments: GlancePanel.sheets)
    func situations(panel: GlancePanel) throws {
        let pictures = try GlanceSituation.all.enumerated().map { index, situation in
            try Self.pictures(of: situation, on: panel, number: index + 1)
        }
        try Self.write(
            pictures, as: "glance-" + panel.rawValue, rowsPerSheet: panel == .oled ? 4 : panel == .small ? 10 : 7)
        let numbered = Array(zip(1..., GlanceSituation.all))
        try Self.write(numbered.map { "\($0). \($1.question)\n" }.joined(), as: "questions.txt")
        let suffix = panel == .small ? "-16x2" : ""
        try Self.write(numbered.map { "\($0). \($1.key(on: panel))\n" }.joined(), as: "key\(suffix).txt")
    }

    @Test("show the answers to other questions, in four languages and on four panels")
    func others() throws {
        let situations = Array(zip(1..., GlanceSituation.others))
        let pictures = try situations.map { try Self.pictures(of: $1, on: $1.panel, number: $0) }
        try Self.write(pictures, as: "own", rowsPerSheet: 5)
        try Self.write(situations.map { "\($0). \($1.question)\n" }.joined(), as: "own-questions.txt")
        try Self.write(situations.map { "\($0). \($1.key)\n" }.joined(), as: "own-key.txt")
    }

    private static func pictures(of situation: GlanceSituation, on panel: GlancePanel, number: Int) throws -> [SVG] {
        let state = try situation.board(panel)
        var frames = instants.map { (seconds: $0, frame: state.later($0).frame) }
        let patterns = try situation.patterns(on: panel).map { try Regex($0) }
        func missing() -> [Int] {
            patterns.indices.filter { index in
                !frames.flatMap { panel.rows(of: $0.frame) }.contains { $0.contains(patterns[index]) }
            }
        }
        let before = missing()
        if !before.isEmpty {
            // The first later beat in which all of them, or most, are on the panel.
            let later = (1...15).map { 3 * $0 }.filter { !instants.contains($0) }.map { seconds in
                let frame = state.later(seconds).frame
                let rows = panel.rows(of: frame)
                return (seconds, frame, before.filter { index in rows.contains { $0.contains(patterns[index]) } }.count)
            }
            if let best = later.max(by: { ($0.2, -$0.0) < ($1.2, -$1.0) }), best.2 > 0 {
                frames.append((best.0, best.1))
            }
        }
        let left = missing().map { situation.patterns(on: panel)[$0] }
        #expect(left.isEmpty, "\(panel) \(number): \(frames.map { panel.rows(of: $0.frame) })")
        let adjacent = /[0-9] ~?[0-9]+( min| Min|m|') *$/
        for (seconds, frame) in frames {
            for row in frame.lines { #expect(!row.contains(adjacent), "\(panel) \(number), \(seconds) s: \(row)") }
        }
        return frames.sorted { $0.seconds < $1.seconds }.map { seconds, frame in
            panel.picture(of: frame, title: "\(number): " + (seconds == 0 ? "now" : "\(seconds) seconds later"))
        }
    }

    private static var folder: URL? {
        ProcessInfo.processInfo.environment["BOARDD_GLANCE"].map { URL(filePath: $0) }
    }

    private static func write(_ pictures: [[SVG]], as name: String, rowsPerSheet: Int) throws {
        for (sheet, start) in stride(from: 0, to: pictures.count, by: rowsPerSheet).enumerated() {
            let rows = Array(pictures[start..<min(pictures.count, start + rowsPerSheet)])
            try write(SVG.sheet(rows, title: name, hasCaptions: true), as: "\(name)-\(sheet + 1).svg")
        }
    }

    private static func write(_ text: String, as file: String) throws {
        if let folder { try Data(text.utf8).write(to: folder.appending(path: file)) }
    }
}
