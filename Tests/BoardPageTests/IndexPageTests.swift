import BoardCore
import BoardService
import Foundation
import Testing

@testable import BoardPage

/// The index.html that the package installs, filled for one state.
@Suite struct IndexPageTests {
    // MARK: - Complete

    @Test(arguments: Language.allCases)
    func `every placeholder of the template is filled in every language`(language: Language) throws {
        let html = try page(live: Self.live(), language: language)
        #expect(!html.contains("{{"))
        #expect(html.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(html.contains(PageWords.of(language).favourites))
    }

    @Test func `the display and the departures of every stop are text`() throws {
        let text = Self.text(of: try page(live: Self.live()))
        for part in ["boardpi", "73 Stoke N. 4m", "Oxford St", "Archway", "4 min", "due", "Platform 4"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test func `a departure has the marks, the words and the times of the display`() throws {
        let marked = Self.stop(departures: [
            Self.departure("1", "Stale", minutes: 2, more: ["isStale": true]),
            Self.departure("2", "Timetable", minutes: 3, more: ["status": "scheduled"]),
            Self.departure("3", "Cancelled", minutes: 4, more: ["status": "cancelled", "minutes": NSNull()]),
            Self.departure(
                "4", "Delayed", minutes: 5, more: ["status": "delayed", "expected": NSNull(), "minutes": NSNull()]),
            Self.departure("5", "Soon", minutes: 0),
        ])
        let later = Self.stop(departures: [
            Self.departure("6", "Later", minutes: 90, more: ["utcOffsetSeconds": 7_200]),
            Self.departure("7", "Tomorrow", minutes: 2_000),
            Self.departure("9", "Zone of the board", minutes: 90, more: ["utcOffsetSeconds": NSNull()]),
            Self.departure("8", "Missed", minutes: 6, more: ["isCatchable": false]),
        ])
        let rows = Self.rows(of: try page(live: Self.live(stops: [marked, later])))
        #expect(
            rows == [
                "1 Stale ? old estimate 2 min", "2 Timetable * timetable 3 min", "3 Cancelled 12:04 cancelled",
                "4 Delayed delayed", "5 Soon due", "6 Later 15:30", "7 Tomorrow Tue 24 21:20",
                "9 Zone of the board 14:30",
                "8 Missed too late to catch 6 min",
            ])
    }

    @Test func `the letter of the stop is not repeated as a platform`() throws {
        let departures = [
            Self.departure("1", "Here", minutes: 2, more: ["platform": "N"]),
            Self.departure("2", "There", minutes: 3, more: ["platform": "P"]),
        ]
        let stop = Self.stop(departures: departures, more: ["letter": "N"])
        #expect(
            Self.rows(of: try page(live: Self.live(stops: [stop]))) == ["1 Here 2 min", "2 There Platform P 3 min"])
    }

    @Test func `what the display does not show, and what has expired, is left out`() throws {
        let stop = Self.stop(departures: [
            Self.departure("1", "Shown", minutes: 2),
            Self.departure("2", "Filtered", minutes: 2, more: ["isShown": false]),
            Self.departure("3", "Expired", minutes: 0, more: ["expiresAt": Self.time(0)]),
        ])
        let text = Self.text(of: try page(live: Self.live(stops: [stop])))
        #expect(text.contains("Shown") && !text.contains("Filtered") && !text.contains("Expired"))
    }

    @Test func `a stop has six departures at most, as with the script`() throws {
        let stop = Self.stop(departures: (1...8).map { Self.departure("\($0)", "Archway", minutes: $0) })
        #expect(Self.rows(of: try page(live: Self.live(stops: [stop]))).count == 6)
    }

    @Test func `notices are above the display, as with the script`() throws {
        var live = Self.live()
        live.timeSource = .wall
        live.faults = BoardFaults(configuration: "boardd.toml:12")
        let html = try page(live: live)
        let places = try ["The time is uncertain", "boardd.toml:12", "id=\"display\""].map { part in
            try #require(html.range(of: part)).lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test func `alerts that are active are texts under their number`() throws {
        func alert(_ text: String, from: Int? = nil, until: Int? = nil) -> [String: Any] {
            ["text": text, "severity": "minor", "from": from.map(Self.time), "until": until.map(Self.time)]
                .compactMapValues { $0 }
        }
        let alerts = [
            alert("Closed <b>"), alert("Since noon", from: 0, until: 5), alert("Tonight", from: 60),
            alert("This morning", until: 0),
        ]
        let stop = Self.stop(departures: [], more: ["alerts": alerts])
        let text = Self.text(of: try page(live: Self.live(stops: [stop])))
        #expect(text.contains("Alerts: 2 Closed <b> Since noon"), "\(text)")
        #expect(!text.contains("Tonight") && !text.contains("This morning"))
    }

    @Test func `a stop without departures stays, with the display's sentence or with one of its own`() throws {
        let quiet = Self.stop(name: "Quiet", departures: [])
        let later = Self.stop(name: "Later", departures: [], more: ["notice": "Next departure 05:12"])
        let text = Self.text(of: try page(live: Self.live(stops: [quiet, later])))
        #expect(text.contains("Quiet No departures predicted."))
        #expect(text.contains("Later Next departure 05:12"))
    }

    @Test func `faults are sentences at the top`() throws {
        var live = Self.live()
        live.faults = BoardFaults(configuration: "boardd.toml:12", buttons: "GPIO 17 is busy")
        let text = Self.text(of: try page(live: live))
        #expect(text.contains("Something needs attention: boardd.toml:12 · GPIO 17 is busy"))
    }

    @Test func `the time of the board stands at the top, and that it is uncertain`() throws {
        var live = Self.live()
        #expect(Self.text(of: try page(live: live)).hasPrefix("boardpi 13:00 "))
        #expect(!Self.text(of: try page(live: live)).contains("The time is uncertain"))
        live.timeSource = .wall
        #expect(Self.text(of: try page(live: live)).contains("The time is uncertain"))
    }

    @Test func `the age of a response is named once it is older than two intervals`() throws {
        let fresh = Self.stop(departures: [], more: ["lastResponseAt": Self.time(-1), "intervalSeconds": 30])
        let old = Self.stop(departures: [], more: ["lastResponseAt": Self.time(-2), "intervalSeconds": 30])
        #expect(!Self.text(of: try page(live: Self.live(stops: [fresh]))).contains("Updated"))
        #expect(Self.text(of: try page(live: Self.live(stops: [old]))).contains("Updated 2 min ago."))
    }

    @Test func `only marks of rows that are on the page are explained`() throws {
        let hidden = Self.stop(departures: [
            Self.departure("1", "Filtered", minutes: 2, more: ["isShown": false, "isStale": true])
        ])
        #expect(!Self.text(of: try page(live: Self.live(stops: [hidden]))).contains("old estimate"))
    }

    @Test func `a board without favourites names the way to add one`() throws {
        #expect(Self.text(of: try page(live: Self.live(stops: []))).contains("The board has no favourites yet."))
    }

    @Test func `each attribution stands once`() throws {
        let live = Self.live(stops: [Self.stop(name: "A", departures: []), Self.stop(name: "B", departures: [])])
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

    @Test func `every text that a script names is a word`() throws {
        let html = try page(live: nil)
        let info = try JSONSerialization.jsonObject(with: Self.block("page-info", of: html)) as? [String: Any]
        let words = try #require(info?["words"] as? [String: String])
        for file in ["page.js", "find.js", "favourites.js", "changes.js", "about.js"] {
            let script = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
            let named = script.matches(of: /words\.(\w+)/).map { String($0.output.1) }
            let filled = script.matches(of: /text\('(\w+)'/).map { String($0.output.1) }
            #expect(!named.isEmpty)
            for key in named + filled { #expect(words[key] != nil, "\(key) of \(file)") }
        }
    }

    @Test(arguments: Language.allCases)
    func `a translation has the placeholders of the English text, and seven days`(language: Language) throws {
        func texts(_ language: Language) throws -> [String: String] {
            try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(PageWords.of(language)))
        }
        func placeholders(_ text: String?) -> [String] {
            (text ?? "").matches(of: /%\w+/).map { String($0.output) }.sorted()
        }
        let english = try texts(.english)
        for (key, text) in try texts(language) {
            #expect(placeholders(text) == placeholders(english[key]), "\(key)")
        }
        #expect(PageWords.of(language).dayNames.split(separator: " ").count == 7)
    }

    @Test func `all files of the page have at most 60 kB`() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        // Loaded only where a server of tiles is configured, or where the board shares a list of favourites.
        let optional = ["tiles.js", "changes.js"]
        let sizes = try files.filter { !optional.contains($0.lastPathComponent) }.map { try Data(contentsOf: $0).count }
        #expect(sizes.count >= 8)
        #expect(sizes.reduce(0, +) <= 60_000)
    }

    // MARK: - Support

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../etc/page")
        .standardized

    private static func template() throws -> String {
        try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
    }

    private func page(live: LiveState?, language: Language = .english) throws -> String {
        let info = PageInfo(
            name: "boardpi", version: "1", language: language, mayChange: false, change: .paired, device: nil,
            tiles: nil,
            address: "http://192.168.1.5")
        return try IndexPage(template: try Self.template(), info: info, live: live).html
    }

    /// Monday, 2026-11-23 12:00:00 UTC, and minutes later.
    private static func time(_ minutes: Int) -> String {
        RFC3339Timestamp(Timestamp(seconds: 1_795_435_200 + Int64(minutes) * 60)).description
    }

    private static func departure(_ line: String, _ destination: String, minutes: Int, more: [String: Any] = [:])
        -> [String: Any]
    {
        var entry: [String: Any] = [
            "line": line, "lineID": line, "destination": destination, "status": "expected", "isStale": false,
            "scheduled": NSNull(), "expected": time(minutes), "minutes": minutes, "madeAt": time(0),
            "expiresAt": time(minutes + 1),
            "utcOffsetSeconds": 0,
        ]
        entry.merge(more) { _, new in new }
        if entry["status"] as? String == "cancelled" { entry["scheduled"] = time(minutes) }
        return entry.filter { !($0.value is NSNull) }
    }

    private static func stop(name: String = "Oxford St", departures: [[String: Any]], more: [String: Any] = [:])
        -> [String: Any]
    {
        let stop: [String: Any] = [
            "stop": "tfl:490008660N", "name": name, "time": time(0), "attribution": "Powered by TfL", "status": "live",
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
            svg: "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
            page: .init(id: "overview", screen: 0, screens: 1), pages: [])
        let decoded = (stops ?? [first]).compactMap { stop in
            (try? JSONSerialization.data(withJSONObject: stop)).flatMap {
                try? JSONDecoder().decode(StopDepartures.self, from: $0)
            }
        }
        precondition(decoded.count == (stops ?? [first]).count, "the fixture is not StopDepartures")
        return LiveState(
            name: "boardpi", version: "1", time: RFC3339Timestamp(Timestamp(seconds: 1_795_435_200)),
            timeSource: .kernel, utcOffsetSeconds: 3_600, display: picture, stops: decoded, favourites: [],
            faults: BoardFaults())
    }

    private static func count(_ text: String, in html: String) -> Int { html.components(separatedBy: text).count - 1 }

    /// The content of a data block.
    private static func block(_ id: String, of html: String) throws -> Data {
        let begin = try #require(html.range(of: "id=\"\(id)\">"))
        let end = try #require(html.range(of: "</script>", range: begin.upperBound..<html.endIndex))
        return Data(html[begin.upperBound..<end.lowerBound].utf8)
    }

    /// The text of the page's main part as a person reads it.
    private static func text(of html: String) -> String {
        let main = html.components(separatedBy: "<main").last?.components(separatedBy: "</main>").first ?? ""
        return plain("<main" + main)
    }

    /// The text of each departure.
    private static func rows(of html: String) -> [String] {
        html.components(separatedBy: "<tbody>").dropFirst().flatMap { table in
            table.components(separatedBy: "</tbody>")[0].components(separatedBy: "</tr>").dropLast().map(plain)
        }
    }

    private static func plain(_ html: String) -> String {
        var text = html.replacing(/<[^>]*>/, with: " ")
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
            text = text.replacingOccurrences(of: entity, with: character, options: .literal)
        }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }
}
