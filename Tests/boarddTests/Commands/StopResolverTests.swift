import BoardControl
import BoardCore
import BoardStore
import Testing

@testable import boardd

@Suite("Which stop a person meant")
struct StopResolverTests {
    private let folder: TemporaryFolder
    private let meaning: StopResolver

    init() throws {
        folder = try TemporaryFolder()
        try SmallDirectory.make(in: folder.path, at: SystemClock().reading().wall)
        meaning = StopResolver(
            directory: StopDirectory(folder: folder.path),
            feeds: FeedDeclarations([FeedDeclaration(name: SmallDirectory.feed, title: "TfL")]))
    }

    @Test(
        "an identifier, a code, the number on the pole or a name that only one stop has",
        arguments: [
            ("tfl:490000001A", "490000001A"), ("tfl:490000001a", "490000001A"), ("490000001b", "490000001B"),
            ("50003", "490000002A"), ("High Street B", "490000001B"), ("high street stop b", "490000001B"),
            ("saint james", "490000002A"), ("town hall", "940GZZLUTWN"), ("tfl:490000009Z", "490000009Z"),
        ])
    func meant(text: String, code: String) throws {
        #expect(try meaning.stop(text) == SmallDirectory.id(code))
    }

    @Test(
        "towards is a code, in small letters too, an identifier, or a name; what no feed's file takes is left to the file",
        arguments: [
            ("PAD", "PAD"), ("pad", "PAD"), ("rail:PAD", "PAD"), ("rail:pad", "PAD"), ("paddington", "PAD"),
            ("rail:XXX", "XXX"),
        ])
    func towards(text: String, code: String) throws {
        try SmallDirectory.make(
            in: folder.path, feed: SmallDirectory.rail, SmallDirectory.stations, at: SystemClock().reading().wall)
        let meaning = StopResolver(directory: meaning.directory)
        #expect(try meaning.code(ofTowards: text, from: SmallDirectory.commuter.stop) == code)
        #expect(try meaning.code(ofTowards: text, from: SmallDirectory.id("490000001A")) == text)
    }

    @Test("towards a stop of another operator is refused")
    func towardsOther() throws {
        let meaning = StopResolver(directory: meaning.directory)
        let refusal = #expect(throws: ControlError.self) {
            try meaning.code(ofTowards: "town hall", from: SmallDirectory.commuter.stop)
        }
        #expect(
            refusal?.message
                == "towards must be a stop of rail like rail:RDG itself, and tfl:940GZZLUTWN is one of tfl")
    }

    @Test("a name that two stops have names both")
    func ambiguous() {
        let refusal = #expect(throws: ControlError.self) { try meaning.stop("High Street") }
        #expect(refusal?.kind == .notFound)
        #expect(refusal?.candidates.map(\.id) == ["tfl:490000001A", "tfl:490000001B"])
    }

    @Test("a name that none has names those that come near")
    func nearly() {
        let refusal = #expect(throws: ControlError.self) { try meaning.stop("Hihg Street") }
        #expect(refusal?.candidates.first?.name?.hasPrefix("High Street") == true)
    }

    @Test("a feed that there is not is named, with the stop that has the code in another one")
    func noFeed() {
        let refusal = #expect(throws: ControlError.self) { try meaning.stop("tlf:490000001a") }
        #expect(refusal?.kind == .notFound)
        #expect(refusal?.message == "there is no feed \"tlf\"; known feeds: tfl")
        #expect(refusal?.candidates == [Candidate(id: "tfl:490000001A", name: "High Street A")])
    }

    @Test("without a directory a code is the only feed's, and a name cannot be looked up")
    func noDirectory() throws {
        let empty = StopResolver(
            directory: StopDirectory(folder: "\(folder.path)/none"),
            feeds: FeedDeclarations([FeedDeclaration(name: SmallDirectory.feed, title: "TfL")]))
        #expect(try empty.stop("490000001A") == SmallDirectory.id("490000001A"))
        let refusal = #expect(throws: ControlError.self) { try empty.stop("High Street") }
        #expect(refusal?.kind == .unavailable)
        let wrongFeed = #expect(throws: ControlError.self) { try empty.stop("tlf:490000001A") }
        #expect(wrongFeed?.message.hasPrefix("there is no feed \"tlf\"") == true)
    }

    @Test("a favourite is also meant by its label, in any case, unless two have it")
    func labels() {
        let favourites = [
            Favourite(stop: SmallDirectory.id("490000001A"), label: "Home"),
            Favourite(stop: SmallDirectory.id("490000001B"), label: "Work"),
            Favourite(stop: SmallDirectory.id("490000002A"), label: "work"),
        ]
        #expect(favourites.called("home")?.stop.code == "490000001A")
        #expect(favourites.called("490000001b")?.stop.code == "490000001B")
        #expect(favourites.called("TFL:490000002a")?.stop.code == "490000002A")
        #expect(favourites.called("Work") == nil)
        #expect(favourites.called("Elsewhere") == nil)
    }
}
