import BoardControl
import BoardCore
import BoardFeeds
import BoardStore
import Testing
import Waiting

@testable import boardd

@Suite("Keeping favourites", .endsHangs)
struct FavouritesUpdaterTests {
    private let folder: TemporaryFolder
    private let moment = SystemClock().reading().wall

    init() throws {
        folder = try TemporaryFolder()
    }

    private enum Script: Sendable {
        case calls([String])
        case fails(FeedFailure.Kind)
    }

    private func keeping(_ script: Script, hasDirectory: Bool = true) throws -> (FavouritesUpdater, ScriptedFeed) {
        if hasDirectory { try SmallDirectory.make(in: folder.path, at: moment) }
        let feed = ScriptedFeed { question throws(FeedFailure) in
            switch script {
            case .calls(let lines): ScriptedFeed.answer(question.stop, lines.map { ($0, "Old Bridge", 4) })
            case .fails(let kind): throw FeedFailure(kind, detail: "nobody answers")
            }
        }
        let editor = FavouritesEditor(
            path: "\(folder.path)/favourites.toml", declarations: FeedRegistry.declarations)
        let keeping = FavouritesUpdater(
            editor: editor, directory: StopDirectory(folder: folder.path),
            feeds: [SmallDirectory.feed: feed, SmallDirectory.rail: feed])
        return (keeping, feed)
    }

    private func refusal(_ body: () async throws -> Void) async -> ControlError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? ControlError
        }
    }

    @Test("a stop of the directory is taken without asking anybody")
    func listed() async throws {
        let (keeping, feed) = try keeping(.fails(.noNetwork))
        let stop = SmallDirectory.id("490000001A")
        let entries = try await keeping.add(Favourite(stop: stop, label: "Home", lines: ["N7"]))
        #expect(entries == [.stop(Favourite(stop: stop, label: "Home", lines: ["N7"]))])
        #expect(feed.asked.isEmpty)
        #expect(folder.read("favourites.toml").contains("id    = \"tfl:490000001A\""))
    }

    @Test("a stop that the directory does not have yet is asked about")
    func asked() async throws {
        let (keeping, feed) = try keeping(.calls(["7"]))
        #expect(try await keeping.add(Favourite(stop: SmallDirectory.id("490000009Z"))).count == 1)
        #expect(feed.asked.count == 1)
    }

    @Test("a stop that nobody knows is refused with the three that come nearest, and nothing is written")
    func unknown() async throws {
        let (keeping, _) = try keeping(.fails(.unknownStop))
        let refusal = await refusal { try await keeping.add(Favourite(stop: SmallDirectory.id("490000001X"))) }
        #expect(refusal?.kind == .notFound)
        #expect(refusal?.candidates.count == 3)
        #expect(refusal?.candidates.prefix(2).map(\.name) == ["High Street A", "High Street B"])
        #expect(folder.read("favourites.toml").isEmpty)
    }

    @Test("what can be no code is not even asked about")
    func noCode() async throws {
        let (keeping, feed) = try keeping(.calls(["7"]))
        let refusal = await refusal { try await keeping.add(Favourite(stop: SmallDirectory.id("../Line/7"))) }
        #expect(refusal?.kind == .notFound)
        #expect(feed.asked.isEmpty)
    }

    @Test("without a directory and without a network an unknown stop cannot be checked, and that is said")
    func offline() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork), hasDirectory: false)
        let refusal = await refusal { try await keeping.add(Favourite(stop: SmallDirectory.id("490000001A"))) }
        #expect(refusal?.kind == .unavailable)
        #expect(refusal?.message.contains("there is no stop directory yet") == true, "\(refusal?.message ?? "")")
        #expect(refusal.map { CommandError(.refused($0)).status } == SystemExit.temporaryFailure)
        #expect(folder.read("favourites.toml").isEmpty)
    }

    @Test("a line that does not call is refused with those that do, the nearest first")
    func wrongLine() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork))
        let stop = SmallDirectory.id("490000001A")
        let refusal = await refusal { try await keeping.add(Favourite(stop: stop, lines: ["7", "N8"])) }
        #expect(refusal?.kind == .invalid)
        #expect(refusal?.message == "line \"N8\" does not call at tfl:490000001A")
        #expect(refusal?.candidates.map(\.id) == ["N7", "7"])
        #expect(refusal.map { CommandError(.refused($0)).status } == 1)
    }

    @Test("a line that is newer than the directory is taken, since the operator has the last word")
    func newLine() async throws {
        let (keeping, feed) = try keeping(.calls(["7", "N7", "SL1"]))
        let stop = SmallDirectory.id("490000001A")
        #expect(try await keeping.add(Favourite(stop: stop, lines: ["sl1"])).named.first?.lines == ["sl1"])
        #expect(feed.asked.count == 1)
    }

    @Test("a position past the end is the last one, and 0 is none")
    func positions() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork))
        let (a, b, park) = (
            SmallDirectory.id("490000001A"), SmallDirectory.id("490000001B"), SmallDirectory.id("490000002A")
        )
        try await keeping.add(Favourite(stop: a), at: 9)
        try await keeping.add(Favourite(stop: b), at: 1)
        try await keeping.add(Favourite(stop: park), at: 99)
        #expect(try await keeping.move(b, to: 99).named.map(\.stop) == [a, park, b])
        #expect(try await keeping.move(b, to: 2).named.map(\.stop) == [a, b, park])
        #expect(await refusal { try await keeping.move(b, to: 0) }?.kind == .invalid)
        #expect(try await keeping.remove(a).named.map(\.stop) == [b, park])
    }

    @Test("lines are chosen and taken back, and what is no favourite is refused with what may be meant")
    func lines() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork))
        let stop = SmallDirectory.id("490000001A")
        try await keeping.add(Favourite(stop: stop))
        #expect(try await keeping.change(stop, FavouriteChange(lines: ["7"])).named.first?.lines == ["7"])
        #expect(try await keeping.change(stop, FavouriteChange(lines: [])).named.first?.lines == [])
        let refusal = await refusal { try await keeping.remove(SmallDirectory.id("490000001B")) }
        #expect(refusal?.kind == .notFound)
        #expect(refusal?.candidates == [Candidate(id: "tfl:490000001A")])
        #expect(refusal?.message == "tfl:490000001B is no favourite")
    }

    @Test("a favourite is added with all that it has, and a change of one thing keeps the rest")
    func wishes() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork))
        try SmallDirectory.make(in: folder.path, feed: SmallDirectory.rail, SmallDirectory.stations, at: moment)
        var whole = SmallDirectory.commuter
        #expect(try await keeping.add(whole) == [.stop(whole)])
        whole.walk = .seconds(600)
        #expect(try await keeping.change(whole.stop, FavouriteChange(walk: .seconds(600))) == [.stop(whole)])
        whole.towards = "OXF"
        #expect(try await keeping.change(whole.stop, FavouriteChange(towards: "OXF")) == [.stop(whole)])
        #expect(try await keeping.move(whole.stop, to: 1) == [.stop(whole)])
        whole.towards = nil
        #expect(try await keeping.change(whole.stop, FavouriteChange(towards: "")) == [.stop(whole)])
    }

    @Test("towards a station that there is not is refused with what comes near; without a list it is taken")
    func towards() async throws {
        let (keeping, _) = try keeping(.calls([]))
        var favourite = Favourite(stop: SmallDirectory.commuter.stop, towards: "PDA")
        try await keeping.add(favourite)
        try SmallDirectory.make(in: folder.path, feed: SmallDirectory.rail, SmallDirectory.stations, at: moment)
        let before = folder.read("favourites.toml")
        let change = FavouriteChange(label: "Work", towards: "OFX")
        let changed = await refusal { try await keeping.change(favourite.stop, change) }
        #expect(changed?.kind == .invalid)
        #expect(
            changed?.message.hasPrefix("towards: rail:OFX is not in the list of stops of rail; did you mean rail:OXF")
                == true, "\(changed?.message ?? "")")
        favourite = Favourite(stop: StopID(feed: SmallDirectory.rail, code: "OXF"), towards: "PDA")
        #expect(await refusal { try await keeping.add(favourite) }?.kind == .invalid)
        #expect(folder.read("favourites.toml") == before)
    }

    @Test("what the file may not say is refused with its own sentence before anything is written")
    func refusedWishes() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork))
        let stop = SmallDirectory.id("490000001A")
        let bus = await refusal { try await keeping.add(Favourite(stop: stop, towards: "490000001B")) }
        #expect(bus?.kind == .invalid)
        #expect(
            bus?.message.hasPrefix("towards: TfL does not report calling points; it is for stops of rail")
                == true,
            "\(bus?.message ?? "")")
        let far = await refusal { try await keeping.add(Favourite(stop: stop, walk: .seconds(7_201))) }
        #expect(far?.message == "walk is \"7201s\", but must be a duration from 30s to 2h, such as \"30s\" or \"4m\"")
        #expect(folder.read("favourites.toml").isEmpty)
    }

    @Test("a stop that is a favourite already is a conflict, and a faulty file is named with its line")
    func conflicts() async throws {
        let (keeping, _) = try keeping(.fails(.noNetwork))
        let stop = SmallDirectory.id("490000001A")
        try await keeping.add(Favourite(stop: stop))
        #expect(await refusal { try await keeping.add(Favourite(stop: stop)) }?.kind == .conflict)
        let broken = "[[stop]]\nid = \"tfl:1\"\nlable = \"x\"\n"
        try folder.write(broken, to: "favourites.toml")
        let refusal = await refusal { try await keeping.add(Favourite(stop: stop)) }
        #expect(refusal?.faults.first?.line == 3)
        #expect(refusal.map { CommandError(.refused($0)).status } == SystemExit.configuration)
        #expect(folder.read("favourites.toml") == broken)
    }
}
