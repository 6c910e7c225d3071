import BoardControl
import BoardCore
import BoardService
import BoardStore
import Testing

@testable import boardd

@Suite("Resolving a stop that a user wrote")
struct StopResolverTests {
    private let folder: TemporaryFolder
    private let resolver: StopResolver

    init() throws {
        folder = try TemporaryFolder()
        try SampleDirectory.write(in: folder.path)
        resolver = StopResolver(
            directory: StopDirectory(folder: folder.path),
            feeds: FeedDeclarations([FeedDeclaration(name: SampleDirectory.feed, title: "TfL")]))
    }

    @Test(
        "an identifier, a code, the number on the pole or a name that only one stop has",
        arguments: [
            ("tfl:490000001A", "490000001A"), ("tfl:490000001a", "490000001A"), ("490000001b", "490000001B"),
            ("50003", "490000002A"), ("High Street B", "490000001B"), ("high street stop b", "490000001B"),
            ("HIGH ST B", "490000001B"),
            ("saint james", "490000002A"), ("town hall", "940GZZLUTWN"), ("tfl:490000009Z", "490000009Z"),
        ])
    func meant(text: String, code: String) throws {
        #expect(try resolver.stop(text) == SampleDirectory.id(code))
    }

    @Test(
        "towards is a code, also in small letters, an identifier, or a name; other text is left to the file's checks",
        arguments: [
            ("PAD", "PAD"), ("pad", "PAD"), ("rail:PAD", "PAD"), ("rail:pad", "PAD"), ("paddington", "PAD"),
            ("rail:XXX", "XXX"),
        ])
    func towards(text: String, code: String) throws {
        try SampleDirectory.write(SampleDirectory.stations, in: folder.path)
        let resolver = StopResolver(directory: resolver.directory)
        #expect(try resolver.code(ofTowards: text, from: SampleDirectory.commuter.stop) == code)
        #expect(try resolver.code(ofTowards: text, from: SampleDirectory.id("490000001A")) == text)
    }

    @Test("towards a stop of another operator is rejected")
    func towardsOther() throws {
        let resolver = StopResolver(directory: resolver.directory)
        let failure = #expect(throws: ServiceError.self) {
            try resolver.code(ofTowards: "town hall", from: SampleDirectory.commuter.stop)
        }
        #expect(
            failure?.message
                == "towards must be a stop of rail like rail:RDG itself; tfl:940GZZLUTWN is a stop of tfl")
    }

    @Test("the beginning of a name with a letter is the only pole of this letter")
    func lettered() throws {
        let poles = ["A", "B"].map { (letter: String) in
            SampleDirectory.pole("49000000\(letter)", "Manor House Station", letter: letter)
        }
        try SampleDirectory.write(poles + [SampleDirectory.pole("490000002A", "Manor House Avenue")], in: folder.path)
        #expect(try resolver.stop("Manor House A") == SampleDirectory.id("49000000A"))
        #expect(throws: ServiceError.self) { try resolver.stop("Manor House") }
    }

    @Test("an ambiguous name lists both stops")
    func ambiguous() {
        let failure = #expect(throws: ServiceError.self) { try resolver.stop("High Street") }
        #expect(failure?.kind == .invalid)
        #expect(failure?.candidates.map(\.id) == ["tfl:490000001A", "tfl:490000001B"])
    }

    @Test("feed:code with a number that two poles have is ambiguous, not taken as a stop outside of the list")
    func ambiguousNumber() throws {
        let poles = ["490000001A", "490000001B"].map {
            ListedStop(id: SampleDirectory.id($0), kind: .pole, name: "High Street", shortCode: "50001")
        }
        try SampleDirectory.write(poles, in: folder.path)
        let failure = #expect(throws: ServiceError.self) { try resolver.stop("tfl:50001") }
        #expect(failure?.message == "\"tfl:50001\" matches several stops; give the feed:code of one")
        #expect(failure?.candidates.map(\.id) == ["tfl:490000001A", "tfl:490000001B"])
    }

    @Test("an unknown name lists similar ones")
    func nearly() {
        let failure = #expect(throws: ServiceError.self) { try resolver.stop("Hihg Street") }
        #expect(failure?.candidates.first?.name?.hasPrefix("High Street") == true)
    }

    @Test("an unknown feed is reported, with the stop that has the code in another one")
    func noFeed() {
        let failure = #expect(throws: ServiceError.self) { try resolver.stop("tlf:490000001a") }
        #expect(failure?.kind == .notFound)
        #expect(failure?.message == "there is no feed \"tlf\"; known feeds: tfl")
        #expect(failure?.candidates == [Candidate(id: "tfl:490000001A", name: "High Street A")])
    }

    @Test("without a directory a code belongs to the only feed, and a name cannot be looked up")
    func noDirectory() throws {
        let empty = StopResolver(
            directory: StopDirectory(folder: "\(folder.path)/none"),
            feeds: FeedDeclarations([FeedDeclaration(name: SampleDirectory.feed, title: "TfL")]))
        #expect(try empty.stop("490000001A") == SampleDirectory.id("490000001A"))
        let failure = #expect(throws: ServiceError.self) { try empty.stop("High Street") }
        #expect(failure?.kind == .noDirectory)
        let wrongFeed = #expect(throws: ServiceError.self) { try empty.stop("tlf:490000001A") }
        #expect(wrongFeed?.message.hasPrefix("there is no feed \"tlf\"") == true)
    }

    @Test("a favourite is found by its identifier, its code or its label, in any case, and by its number in the list")
    func labels() {
        let favourites = [
            Favourite(stop: SampleDirectory.id("490000001A"), label: "Home"),
            Favourite(stop: SampleDirectory.id("490000001B"), label: "Work"),
            Favourite(stop: SampleDirectory.id("490000002A"), label: "work"),
            Favourite(stop: SampleDirectory.id("1"), label: "A code like a number"),
        ]
        let entries = favourites.map { FavouriteEntry.stop($0) }
        func called(_ text: String) -> [String] { entries.called(text).map(\.stop.code) }
        #expect(called("home") == ["490000001A"])
        #expect(called("490000001b") == ["490000001B"])
        #expect(called("TFL:490000002a") == ["490000002A"])
        #expect(called("Work") == ["490000001B", "490000002A"])
        #expect(called("2") == ["490000001B"])
        #expect(called("1") == ["1", "490000001A"])
        #expect(called("Elsewhere").isEmpty && called("0").isEmpty && called("5").isEmpty)
    }

    @Test(
        "a line is meant by feed:line, or by a number or name that one feed has",
        arguments: [("tfl:7", "7"), ("rail:x", "x"), ("7", "7"), ("n7", "n7"), ("RING", "RING"), ("outer", "oc")])
    func lines(text: String, line: String) throws {
        #expect(try lineResolver().line(text).line == line)
    }

    @Test("a line that no list has, or that several lines may be, is rejected with candidates")
    func noLine() throws {
        let resolver = try lineResolver()
        let unknown = #expect(throws: ServiceError.self) { try resolver.line("rnig") }
        #expect(unknown?.message == "no stop list has a line \"rnig\"; write feed:line, such as tfl:73")
        #expect(unknown?.candidates == [Candidate(id: "tfl:ring", name: "Ring")])
        let several = #expect(throws: ServiceError.self) { try resolver.line("inner") }
        #expect(several?.message == "several lines are called \"inner\"; write the feed:line of one")
        #expect(Set((several?.candidates ?? []).map(\.name)) == ["Inner City", "Inner Circle"])
    }

    /// A resolver of all feeds, and lists with lines of several words.
    private func lineResolver() throws -> StopResolver {
        let named = [("oc", "Outer Circle"), ("ic", "Inner City"), ("ir", "Inner Circle")].map { id, name in
            ListedLine(Line(id: id, name: name), mode: "tube")
        }
        let station = ListedStop(
            id: SampleDirectory.id("940GZZLUXXX"), kind: .station, name: "Ring Road", modes: ["tube"], lines: named)
        try SampleDirectory.write(SampleDirectory.stops + [station], in: folder.path)
        return StopResolver(directory: resolver.directory)
    }
}
