import BoardCore
import BoardService
import BoardStore
import Foundation
import Testing

@testable import BoardControl

/// The index.html that the package installs, filled for one state.
@Suite struct IndexPageTests {
    // MARK: - Complete

    @Test(arguments: Language.allCases)
    func `every placeholder of the template is filled in every language`(language: Language) throws {
        let html = try page(live: Self.live(), language: language)
        #expect(!html.contains("{{"))
        #expect(html.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(html.contains(language.words.page("favourites")))
    }

    @Test func `the rows of the display and the names of the stops are text`() throws {
        let labelled = Self.stop(more: ["label": "To school", "letter": "N"])
        let html = try page(live: Self.live(stops: [Self.stop(), labelled]))
        #expect(html.contains("alt=\"73 Stoke N. 4m\n390 Archway due\""))
        let text = Self.text(of: html)
        for part in ["boardpi", "Oxford St", "To school N"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test func `notices are above the display`() throws {
        var live = Self.live()
        live.timeSource = .wall
        live.faults = BoardFaults(configuration: "boardd.toml:12")
        let html = try page(live: live)
        let places = try ["The time is uncertain", "boardd.toml:12", "id=\"picture\""].map { part in
            try #require(html.range(of: part)).lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test func `faults are sentences at the top`() throws {
        var live = Self.live()
        live.faults = BoardFaults(configuration: "boardd.toml:12", buttons: "GPIO 17 is busy")
        let text = Self.text(of: try page(live: live))
        #expect(text.contains("Something needs attention: boardd.toml:12 · GPIO 17 is busy"))
    }

    @Test func `that the time is uncertain stands at the top`() throws {
        var live = Self.live()
        #expect(!Self.text(of: try page(live: live)).contains("The time is uncertain"))
        live.timeSource = .wall
        #expect(Self.text(of: try page(live: live)).contains("The time is uncertain"))
    }

    @Test func `a board without favourites names the way to add one`() throws {
        #expect(Self.text(of: try page(live: Self.live(stops: []))).contains("The board has no favourites yet."))
    }

    @Test func `each attribution stands once`() throws {
        let live = Self.live(stops: [Self.stop(name: "A"), Self.stop(name: "B")])
        #expect(Self.text(of: try page(live: live)).components(separatedBy: "Powered by TfL").count == 2)
    }

    // MARK: - Hostile

    private static let hostile = [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><b onclick=\"alert(1)", "{{live}}",
        "<\u{338}b onclick=\"\u{301} alert(1)",
        "&lt;<!--",
        "\u{202E}gnp.exe", "ירושלים", String(repeating: "x", count: 1_000), "a\u{0}b\u{1B}[2J",
    ]

    @Test(arguments: hostile)
    func `a name from outside is text, wherever it stands`(name: String) throws {
        let departure = Self.departure(name, name, minutes: 4, more: ["platform": name])
        let stop = Self.stop(
            name: name, departures: [departure],
            more: ["label": name, "letter": name, "notice": name, "attribution": name])
        var live = Self.live(stops: [stop])
        live.name = name
        live.display.rows = [name]
        live.faults = BoardFaults(configuration: name, display: name, buttons: name)
        let html = try page(live: live)
        let harmless = try page(live: Self.live())
        for opening in ["<script", "</script", "<img", "<b ", "<!--", "onclick=\""] {
            #expect(Self.count(opening, in: html) == Self.count(opening, in: harmless), "\(opening)")
        }
        #expect(!html.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{0}" || $0 == "\u{1B}" })
        #expect(Self.text(of: html).contains(name.asPrintedLine.trimmingCharacters(in: .whitespaces)))
    }

    @Test(arguments: hostile)
    func `the script reads in the data blocks what the daemon holds`(name: String) throws {
        let live = Self.live(stops: [Self.stop(name: name, departures: [Self.departure(name, name, minutes: 4)])])
        let html = try page(live: live)
        #expect(try JSONDecoder().decode(LiveState.self, from: Self.block("live", of: html)) == live)
        let info = try JSONSerialization.jsonObject(with: Self.block("page-info", of: html)) as? [String: Any]
        #expect(info?["words"] as? [String: String] != nil)
        #expect(info?["mayChange"] as? Bool == false)
    }

    @Test func `a client that may not look gets no state`() throws {
        let html = try page(live: nil)
        #expect(try String(decoding: Self.block("live", of: html), as: UTF8.self) == "null")
        #expect(Self.text(of: html).contains("Only paired devices may look at this board."))
        #expect(!html.contains("Oxford"))
    }

    // MARK: - The page's files

    @Test func `the template has no script and no style of its own, and loads itself again without script`() throws {
        let template = try Self.template()
        #expect(!template.contains("style=") && !template.contains("<style") && !template.contains(" on"))
        #expect(template.contains("<noscript><meta http-equiv=\"refresh\" content=\"30\"></noscript>"))
    }

    // MARK: - Support

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../etc/page"
    )
    .standardized

    private static func template() throws -> String {
        try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
    }

    private func page(live: LiveState?, language: Language = .english) throws -> String {
        let info = PageInfo(
            name: "boardpi", version: "1", language: language, mayChange: false, change: .paired, device: nil,
            isOwner: false, setsUp: false, words: language.words.page, tiles: nil,
            address: "http://192.168.1.5")
        return try IndexPage(template: try Self.template(), info: info, live: live.map { ($0, 7) }).html
    }

    /// Monday, 2026-11-23 12:00:00 UTC, and minutes later.
    private static func time(_ minutes: Int) -> String {
        Timestamp(seconds: 1_795_435_200 + Int64(minutes) * 60).description
    }

    private static func departure(
        _ line: String, _ destination: String, minutes: Int, more: [String: Any] = [:]
    ) -> [String: Any] {
        let entry: [String: Any] = [
            "stop": "tfl:490008660N", "line": line, "lineID": line, "destination": destination, "status": "expected",
            "passesFilters": true, "goneAt": time(minutes + 1), "facts": [String](),
            "expected": time(minutes), "minutes": minutes, "madeAt": time(0), "expiresAt": time(minutes + 1),
            "utcOffsetSeconds": 0,
        ]
        return entry.merging(more) { _, new in new }
    }

    private static func stop(name: String = "Oxford St", departures: [[String: Any]] = [], more: [String: Any] = [:])
        -> [String: Any]
    {
        let stop: [String: Any] = [
            "stop": "tfl:490008660N", "name": name, "lines": [String](), "time": time(0),
            "attribution": "Powered by TfL", "status": "live",
            "withheld": false, "departures": departures, "alerts": [Any](),
        ]
        return stop.merging(more) { _, new in new }
    }

    private static func live(stops: [[String: Any]]? = nil) -> LiveState {
        let first = stop(departures: [
            departure("73", "Stoke Newington", minutes: 4),
            departure("390", "Archway", minutes: 0, more: ["platform": "4"]),
        ])
        let picture = DisplayPicture(
            rows: ["73 Stoke N. 4m", "390 Archway due"], lit: true,
            dots: DisplayDots(.characters, rows: [[true]]), page: .init(id: "overview", screen: 0, screens: 1))
        let decoded = (stops ?? [first]).compactMap { stop in
            (try? JSONSerialization.data(withJSONObject: stop)).flatMap {
                try? JSONDecoder().decode(StopReport.self, from: $0)
            }
        }
        precondition(decoded.count == (stops ?? [first]).count, "the fixture is not StopReport")
        return LiveState(
            name: "boardpi", version: "1", time: Timestamp(seconds: 1_795_435_200),
            timeSource: .kernel, utcOffsetSeconds: 3_600, display: picture, pages: [], stops: decoded, favourites: [],
            faults: BoardFaults())
    }

    private static func count(_ text: String, in html: String) -> Int { html.components(separatedBy: text).count - 1 }

    /// The content of a data block.
    private static func block(_ id: String, of html: String) throws -> Data {
        let begin = try #require(html.firstRange(of: try Regex("id=\"\(id)\"[^>]*>")))
        let end = try #require(html.range(of: "</script>", range: begin.upperBound..<html.endIndex))
        return Data(html[begin.upperBound..<end.lowerBound].utf8)
    }

    /// The text of the page's main part as a person reads it.
    private static func text(of html: String) -> String {
        let main = html.components(separatedBy: "<main").last?.components(separatedBy: "</main>").first ?? ""
        return plain("<main" + main)
    }

    private static func plain(_ html: String) -> String {
        var text = html.replacing(/<[^>]*>/, with: " ")
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
            text = text.replacingOccurrences(of: entity, with: character, options: .literal)
        }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }
}
