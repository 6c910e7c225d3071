import BoardCore
import BoardStore
import Testing

@Suite("Searching the stop directory")
struct SearchTests {
    /// A town with similar names.
    static let town = [
        stop(.interchange, "HUBOXC", "Oxford Circus", modes: ["bus", "tube"]),
        stop(.station, "940OXC", "Oxford Circus Underground Station", modes: ["tube"], lines: ["Victoria"]),
        stop(.area, "490G1", "Oxford Street"),
        stop(.pole, "490001N", "Oxford Street", letter: "N", towards: "Marble Arch", parent: "490G1", sms: "47001"),
        stop(.pole, "490001S", "Oxford Street", letter: "S", towards: "Tottenham Court Road", parent: "490G1"),
        stop(.pole, "490002A", "Oxford Street North", letter: "A"),
        stop(.pole, "490003B", "New Oxford Street", letter: "B"),
        stop(.pole, "490004C", "Marble Arch Station", letter: "C"),
        stop(.pole, "490005D", "King's Cross & St Pancras", letter: "D"),
        stop(.pole, "490006E", "Église Saint-Éloi", letter: "E"), stop(.pole, "490007F", "Ludwigstraße", letter: "F"),
        stop(.pole, "490008G", "Stamford Hill", letter: "G"), stop(.pole, "47001X", "Elsewhere", letter: "47"),
    ]

    @Test("a stop is found by its names in other languages", arguments: ["toukyou", "tokyo st", "東京"])
    func otherNames(_ text: String) throws {
        let folder = try DirectoryFolder([
            ListedStop(
                id: StopID(feed: city, code: "T"), kind: .station, name: "東京駅",
                otherNames: ["Tokyo Station", "Toukyou-Eki"])
        ])
        #expect(try folder.directory.search(text, limit: 5).found.map(\.name) == ["東京駅"])
    }

    @Test(
        "the best matches come first",
        arguments: [
            // exact, then its beginning, then words; within each interchange, station, area, pole, name, letter
            ("oxford street", "490G1 490001N 490001S 490002A 490003B"),
            ("Oxford St.", "490G1 490001N 490001S 490002A 940OXC 490003B"),
            ("oxford circus", "HUBOXC 940OXC"),
            ("oxf", "HUBOXC 940OXC 490G1 490001N 490001S 490002A 490003B"),
            ("oxf str", "490G1 490003B 490001N 490001S 490002A"),
            ("oxf stre", "490G1 490003B 490001N 490001S 490002A"),
            ("street oxford", "490G1 490003B 490001N 490001S 490002A"),
            ("oxford stre", "490G1 490001N 490001S 490002A 490003B"),
            ("oxford saint", "490G1 490001N 490001S 490002A 490003B"),
            // the letter; an N also begins North and New
            ("oxford street n", "490001N 490002A 490003B"),
            ("oxford street N", "490001N 490002A 490003B"),
            ("oxford street stop n", "490001N 490003B 490002A"),
            ("oxford street platform s", "490001S 490G1 490003B 490001N 490002A"),
            ("oxford street stop", "490003B 490001N 490001S 490002A"),
            ("oxf n", "490001N 490003B 490002A"),
            // `towards` and modes come last
            ("marble arch", "490004C 490001N"),
            ("oxford tottenham", "490001S"),
            ("oxford tube", "HUBOXC 940OXC"),
            // folding
            ("kings cross and saint pancras", "490005D"),
            ("KING’S CROSS & ST", "490005D"),
            ("kings & pancras", "490005D"),
            ("eglise st eloi", "490006E"),
            ("ÉGLISE", "490006E"),
            ("ludwigstrasse", "490007F"),
            ("sain eloi", "490006E"),
            // codes
            ("490001S", "490001S"),
            (" 490001s ", "490001S"),
            ("city:490001S", "490001S"),
            ("47001", "490001N"),
            ("hubo", ""),
            ("other:490001S", ""),
            // nothing
            ("", ""), (" \t ", ""), ("'", ""), ("oxfrod", ""), ("oxford zzz", ""), ("\" OR * NEAR(", ""),
        ])
    func ranking(text: String, expected: String) throws {
        let folder = try DirectoryFolder(Self.town)
        let found = try folder.directory.search(text, limit: 20)
        #expect(found.found.map(\.id.code).joined(separator: " ") == expected)
        #expect(found.failures.isEmpty)
    }

    @Test(
        "a name is found with two letters for one, and with its abbreviations or without them",
        arguments: [
            ("koeln hbf", "K"), ("Köln Hauptbahnhof", "K"), ("koln", "K"), ("gruenberg bf", "G"),
            ("GRÜNBERG BAHNHOF", "G"),
            ("zuerich marienplatz", "Z"), ("ludwigstrasse", "L"), ("ludwigstr.", "L"), ("sankt veit", "V"),
            ("st veit", "V"),
            ("bd voltaire", "B"), ("boulevard voltaire", "B"), ("avda libertad", "A"), ("plaza libertad", ""),
            ("noerreport", "N"), ("norreport", "N"),
        ])
    func spellings(text: String, expected: String) throws {
        let folder = try DirectoryFolder(
            [
                ("K", "Köln Hbf"), ("G", "Grünberg Bahnhof"), ("Z", "Zürich, Marienpl."), ("L", "Ludwigstr."),
                ("V", "St. Veit"),
                ("B", "Boulevard Voltaire"), ("A", "Avenida Libertad"), ("N", "Nørreport"),
            ].map { stop($0, $1) })
        #expect(try folder.directory.search(text, limit: 9).found.map(\.id.code).joined() == expected)
    }

    @Test("a limit shortens the list and keeps its order", arguments: [1, 2, 3, 5, Int.max])
    func limit(limit: Int) throws {
        let folder = try DirectoryFolder(Self.town)
        for text in ["oxford", "s", "st", "oxford street n", "stop"] {
            let all = try folder.directory.search(text, limit: 100).found
            #expect(try folder.directory.search(text, limit: limit).found == Array(all.prefix(limit)))
        }
        #expect(try folder.directory.search("oxford", limit: 0).found.isEmpty)
        #expect(try folder.directory.search("oxford", limit: -1).found.isEmpty)
    }

    @Test("a stop is returned unchanged")
    func whole() throws {
        let one = ListedStop(
            id: StopID(feed: city, code: "1"), kind: .station, name: "Ünïcode \u{1F68C}", letter: "N",
            towards: "Dæmon", modes: ["bus", "night-bus"],
            lines: [
                ListedLine(Line(id: "n9", name: "N9"), mode: "bus", colour: "DC241F"),
                ListedLine(Line(id: "73", name: "73"), mode: nil),
            ], coordinates: Coordinates(latitude: -33.5, longitude: 151.25), parent: StopID(feed: city, code: "A"),
            shortCode: "12345")
        let folder = try DirectoryFolder([one, stop(.area, "A", "Area")])
        #expect(try folder.directory.stop(one.id) == one)
        #expect(try folder.directory.search("12345", limit: 1).found == [one])
        #expect(try folder.directory.stop(StopID(feed: city, code: "2")) == nil)
        #expect(try folder.directory.parts(of: StopID(feed: city, code: "A")) == [one])
    }

    @Test("the feeds' stops are one list, and each feed's file can be searched alone")
    func feeds() throws {
        let folder = try DirectoryFolder([stop("1", "Mill Lane"), stop("2", "Mill Lane South")])
        let other = FeedName("gtfs.other/1")
        try folder.build(
            [stop(.station, "1", "Mill Lane", feed: other), stop("3", "Old Mill Lane", feed: other)], of: other)
        let directory = folder.directory
        #expect(
            try directory.search("mill lane", limit: 3).found.map(\.id.description) == [
                "gtfs.other/1:1", "city:1", "city:2",
            ])
        #expect(try directory.feeds() == [city, other])
        #expect(try directory.search("city:1", limit: 9).found.map(\.id.description) == ["city:1"])
    }

    @Test("a replaced directory is detected")
    func replaced() throws {
        let folder = try DirectoryFolder([stop("1", "Mill Lane")])
        let directory = folder.directory
        #expect(try directory.search("mill", limit: 9).found.count == 1)
        try folder.build([stop("1", "Mill Lane"), stop("2", "Mill Road")], at: day(7))
        #expect(try directory.search("mill", limit: 9).found.count == 2)
        #expect(directory.editions().found.map(\.completed) == [day(7)])
        directory.close()
        #expect(try directory.search("mill", limit: 9).found.count == 2)
    }

    @Test("a missing directory is reported")
    func missing() throws {
        let folder = try DirectoryFolder()
        let directory = folder.directory
        #expect(try failure { _ = try directory.search("mill", limit: 9) } == .missing)
        #expect(try failure { _ = try directory.stop(StopID(feed: city, code: "1")) } == .missing)
        #expect(try failure { _ = try StopDirectory(folder: folder.path + "/none").lines() } == .missing)
        #expect(directory.editions() == DirectoryResult(found: []))
        #expect(try StopDirectory(folder: folder.path + "/none").feeds() == [])
    }

    @Test("lines are listed in natural order, with the number of poles and stations")
    func lines() throws {
        let folder = try DirectoryFolder([
            stop(.area, "A", "Mill Lane", lines: ["2", "10", "N2"]),
            stop("1", "Mill Lane", letter: "B", lines: ["10", "2"]),
            stop("2", "Church", letter: "A", lines: ["N2", "10"]), stop(.station, "3", "Abbey", lines: ["10"]),
        ])
        let directory = folder.directory
        let lines = try directory.lines().found
        #expect(lines.map { "\($0.line.line.name) \($0.stops)" } == ["2 1", "10 3", "N2 1"])
        let line = try #require(try directory.line(called: "n2", in: city))
        #expect(line.line.line == Line(id: "n2", name: "N2"))
        #expect(try directory.line(called: "99", in: city) == nil)
        #expect(directory.editions().found.map { [$0.stops, $0.lines] } == [[4, 3]])
    }

    @Test(
        "what a person meant is among three candidates",
        arguments: [
            ("city:490001X", "490001N"), ("490001", "490001S"), ("490001s", "490001S"), ("47003", "490001N"),
            ("oxfrod street", "490G1"), ("Oxford Circsu", "HUBOXC"), ("city:marble arch", "490004C"),
            ("Kigns Cross", "490005D"), ("ludwigstrase", "490007F"), ("marbel", "490004C"),
            ("nowhere:HUBOXD", "HUBOXC"),
            ("Stamfrd", "490008G"), ("oxford kings", "490G1"),
        ])
    func candidates(text: String, expected: String) throws {
        let folder = try DirectoryFolder(Self.town)
        let found = try folder.directory.candidates(forStop: text).found.map(\.id.code)
        #expect(found.contains(expected), "\(found)")
        #expect(found.count <= 3)
        #expect(Set(found).count == found.count)
    }

    @Test("what was typed is no candidate of itself")
    func itself() throws {
        let folder = try DirectoryFolder(Self.town)
        for stop in Self.town {
            let found = try folder.directory.candidates(forStop: stop.id.description, limit: 9).found
            #expect(!found.contains { $0.id == stop.id }, "\(stop.id)")
        }
        for line in try folder.directory.lines().found.map(\.line.line) {
            for text in [line.id, line.name] {
                let found = try folder.directory.candidates(forLine: text, limit: 9).found
                #expect(!found.contains { $0.line.line == line }, "\(text)")
            }
        }
    }

    @Test("a text without similar names has no candidates")
    func noCandidates() throws {
        let folder = try DirectoryFolder(Self.town)
        for text in ["", " ", "zzzzzzzz", "city:wwwwwwwwwwww"] {
            #expect(try folder.directory.candidates(forStop: text).found.isEmpty, "\(text)")
        }
        #expect(try folder.directory.candidates(forLine: "Victroia").found.map(\.line.line.name) == ["Victoria"])
        #expect(try folder.directory.candidates(forLine: "bakerloo", in: city).found.isEmpty)
    }
}
