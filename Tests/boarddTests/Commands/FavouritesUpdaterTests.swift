import BoardControl
import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("Changing favourites", .endsHangs)
struct FavouritesUpdaterTests {
    private let folder: TemporaryFolder
    private let moment = SystemClock().reading().wall

    init() throws {
        folder = try TemporaryFolder()
    }

    private enum Script: Sendable {
        case calls([String])
        case fails(FeedError.Kind)
    }

    private func updater(
        _ script: Script, hasDirectory: Bool = true, clock: any MachineClock = SystemClock()
    ) throws -> (Updater, ScriptedFeed) {
        if hasDirectory { try SampleDirectory.write(in: folder.path, at: moment) }
        let feed = ScriptedFeed { request throws(FeedError) in
            switch script {
            case .calls(let lines): ScriptedFeed.response(request.stop, lines.map { ($0, "Old Bridge", 4) })
            case .fails(let kind): throw FeedError(kind, detail: "no response")
            }
        }
        let editor = FavouritesEditor(
            path: "\(folder.path)/favourites.toml", declarations: FeedRegistry.declarations,
            history: FavouritesHistory(clock: SystemClock()))
        let active = ActiveConfiguration(
            configuration: Configuration(), feeds: [SampleDirectory.feed: feed, SampleDirectory.rail: feed],
            favourites: FavouriteResolution([], in: StopDirectory(folder: folder.path)))
        let service = LocalBoardService(
            directory: StopDirectory(folder: folder.path), editor: editor, clock: clock, active: { active },
            catalogue: { _ in nil })
        return (Updater(service: service, folder: folder), feed)
    }

    /// The service; every change returns the entries of the file.
    private struct Updater {
        let service: LocalBoardService
        let folder: TemporaryFolder

        @discardableResult
        func add(_ favourite: Favourite, at position: Int? = nil) async throws -> [FavouriteEntry] {
            _ = try await service.addFavourite(favourite, at: position)
            return try entries()
        }

        @discardableResult
        func remove(_ stop: StopID) async throws -> [FavouriteEntry] {
            try await service.removeFavourite(stop)
            return try entries()
        }

        @discardableResult
        func move(_ stop: StopID, to position: Int) async throws -> [FavouriteEntry] {
            try await change(stop, FavouriteChange(position: position))
        }

        @discardableResult
        func change(_ stop: StopID, _ change: FavouriteChange) async throws -> [FavouriteEntry] {
            _ = try await service.changeFavourite(stop, change)
            return try entries()
        }

        private func entries() throws -> [FavouriteEntry] {
            try FavouritesText(
                Array(folder.read("favourites.toml").utf8), file: "favourites.toml",
                declarations: FeedRegistry.declarations
            ).entries
        }
    }

    private func failure(_ body: () async throws -> Void) async -> ServiceError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? ServiceError
        }
    }

    @Test("after eight changes without a rest the file is written at most every 2 s, and after a rest at once again")
    func pace() async throws {
        let clock = VirtualClock()
        let (updater, _) = try updater(.calls(["7"]), clock: clock)
        let stop = SampleDirectory.commuter.stop
        try await updater.add(SampleDirectory.commuter)
        for label in 2...8 { try await updater.change(stop, FavouriteChange(["label": ["\(label)"]])) }
        let ninth = Task { try await updater.change(stop, FavouriteChange(["label": ["9"]])) }
        #expect(await clock.passSleep(of: .seconds(2)))
        #expect(try await ninth.value.named.first?.label == "9")
        clock.advance(by: .seconds(120))
        #expect(try await updater.change(stop, FavouriteChange(["label": ["10"]])).named.first?.label == "10")
    }

    @Test("a change whose client goes while it waits is not made")
    func gone() async throws {
        let clock = VirtualClock()
        let (updater, _) = try updater(.calls(["7"]), clock: clock)
        let stop = SampleDirectory.commuter.stop
        try await updater.add(SampleDirectory.commuter)
        for label in 2...8 { try await updater.change(stop, FavouriteChange(["label": ["\(label)"]])) }
        let ninth = Task { try await updater.change(stop, FavouriteChange(["label": ["9"]])) }
        ninth.cancel()
        await #expect(throws: ServiceError.self) { try await ninth.value }
        clock.advance(by: .seconds(120))
        #expect(try await updater.change(stop, FavouriteChange(["walk": ["3m"]])).named.first?.label == "8")
    }

    @Test("a stop of the directory is accepted without a request")
    func listed() async throws {
        let (updater, feed) = try updater(.fails(.noNetwork))
        let stop = SampleDirectory.id("490000001A")
        let entries = try await updater.add(Favourite(stop: stop, label: "Home", lines: ["N7"]))
        #expect(entries == [.stop(Favourite(stop: stop, label: "Home", lines: ["N7"]))])
        #expect(feed.requests.isEmpty)
        #expect(folder.read("favourites.toml").contains("id    = \"tfl:490000001A\""))
    }

    @Test("a stop that is not in the directory yet is requested from the operator")
    func requested() async throws {
        let (updater, feed) = try updater(.calls(["7"]))
        #expect(try await updater.add(Favourite(stop: SampleDirectory.id("490000009Z"))).count == 1)
        #expect(feed.requests.count == 1)
    }

    @Test("an unknown stop is rejected with three candidates, and nothing is written")
    func unknown() async throws {
        let (updater, _) = try updater(.fails(.unknownStop))
        let failure = await failure { try await updater.add(Favourite(stop: SampleDirectory.id("490000001X"))) }
        #expect(failure?.kind == .notFound)
        #expect(failure?.message == "Demo: no stop 490000001X" && failure?.candidates.count == 3)
        #expect(failure?.candidates.prefix(2).map(\.name) == ["High Street A", "High Street B"])
        #expect(folder.read("favourites.toml").isEmpty)
    }

    @Test("a malformed code causes no request")
    func noCode() async throws {
        let (updater, feed) = try updater(.calls(["7"]))
        let failure = await failure { try await updater.add(Favourite(stop: SampleDirectory.id("../Line/7"))) }
        #expect(failure?.kind == .notFound)
        #expect(feed.requests.isEmpty)
    }

    @Test("without a directory and a network an unknown stop cannot be checked, which is the error")
    func offline() async throws {
        let (updater, _) = try updater(.fails(.noNetwork), hasDirectory: false)
        let failure = await failure { try await updater.add(Favourite(stop: SampleDirectory.id("490000001A"))) }
        #expect(failure?.kind == .unavailable)
        #expect(
            failure?.message
                == "there is no stop directory yet; Demo: request for 490000001A failed: no response")
        #expect(failure.map { CommandError($0).status } == ExitStatus.temporaryFailure)
        #expect(folder.read("favourites.toml").isEmpty)
    }

    @Test("a line that does not call is rejected with those that do, the nearest first")
    func wrongLine() async throws {
        let (updater, _) = try updater(.fails(.noNetwork))
        let stop = SampleDirectory.id("490000001A")
        let failure = await failure { try await updater.add(Favourite(stop: stop, lines: ["7", "N8"])) }
        #expect(failure?.kind == .invalid)
        #expect(failure?.message == "line \"N8\" does not call at tfl:490000001A")
        #expect(failure?.candidates.map(\.id) == ["N7", "7"])
        #expect(failure?.value == InvalidValue("lines", .choice, allowed: ["7", "N7"]))
        #expect(failure.map { CommandError($0).status } == 1)
    }

    @Test("a line that is newer than the directory is accepted, since the operator's list decides")
    func newLine() async throws {
        let (updater, feed) = try updater(.calls(["7", "N7", "SL1"]))
        let stop = SampleDirectory.id("490000001A")
        #expect(try await updater.add(Favourite(stop: stop, lines: ["sl1"])).named.first?.lines == ["sl1"])
        #expect(feed.requests.count == 1)
    }

    @Test("a position past the end means the last one, and 0 is invalid")
    func positions() async throws {
        let (updater, _) = try updater(.fails(.noNetwork))
        let (a, b, park) = (
            SampleDirectory.id("490000001A"), SampleDirectory.id("490000001B"), SampleDirectory.id("490000002A")
        )
        try await updater.add(Favourite(stop: a), at: 9)
        try await updater.add(Favourite(stop: b), at: 1)
        try await updater.add(Favourite(stop: park), at: 99)
        #expect(try await updater.move(b, to: 99).named.map(\.stop) == [a, park, b])
        #expect(try await updater.move(b, to: 2).named.map(\.stop) == [a, b, park])
        #expect(await failure { try await updater.move(b, to: 0) }?.kind == .invalid)
        #expect(try await updater.remove(a).named.map(\.stop) == [b, park])
    }

    @Test("lines are set and reset, and a stop that is no favourite is rejected with candidates")
    func lines() async throws {
        let (updater, _) = try updater(.fails(.noNetwork))
        let stop = SampleDirectory.id("490000001A")
        try await updater.add(Favourite(stop: stop))
        #expect(try await updater.change(stop, FavouriteChange(["lines": ["7"]])).named.first?.lines == ["7"])
        #expect(try await updater.change(stop, FavouriteChange(["lines": []])).named.first?.lines == [])
        let failure = await failure { try await updater.remove(SampleDirectory.id("490000001B")) }
        #expect(failure?.kind == .notFound)
        #expect(failure?.candidates == [Candidate(id: "tfl:490000001A")])
        #expect(failure?.message == "tfl:490000001B is not a favourite")
    }

    @Test("an unknown towards station is rejected with candidates; without a list it is accepted")
    func towards() async throws {
        let (updater, _) = try updater(.calls([]))
        var favourite = Favourite(stop: SampleDirectory.commuter.stop, towards: ["PDA"])
        try await updater.add(favourite)
        try SampleDirectory.write(SampleDirectory.stations, in: folder.path, at: moment)
        let before = folder.read("favourites.toml")
        let change = FavouriteChange(["label": ["Work"], "towards": ["OFX"]])
        let changed = await failure { try await updater.change(favourite.stop, change) }
        #expect(changed?.kind == .invalid)
        #expect(
            changed?.message.hasPrefix("towards: rail:OFX is not in the list of stops of rail; did you mean rail:OXF")
                == true, "\(changed?.message ?? "")")
        #expect(changed?.value == InvalidValue("towards", .notFound))
        favourite = Favourite(stop: StopID(feed: SampleDirectory.rail, code: "OXF"), towards: ["PDA"])
        #expect(await failure { try await updater.add(favourite) }?.kind == .invalid)
        #expect(folder.read("favourites.toml") == before)
    }

    @Test("a towards station is written by its code, whether it was given as that, in any case, or by its name")
    func towardsName() async throws {
        let (updater, _) = try updater(.calls([]))
        try SampleDirectory.write(SampleDirectory.stations, in: folder.path, at: moment)
        let stop = SampleDirectory.commuter.stop
        let added = try await updater.add(Favourite(stop: stop, towards: ["Oxf"]))
        #expect(added.named.first?.towards == ["OXF"])
        let name = try #require(SampleDirectory.stations.first { $0.id.code == "PAD" }).name
        let changed = try await updater.change(stop, FavouriteChange(["towards": [name.lowercased(), "oxf"]]))
        #expect(changed.named.first?.towards == ["PAD", "OXF"])
        #expect(
            try await updater.change(stop, FavouriteChange(["label": ["Work"]])).named.first?.towards == ["PAD", "OXF"])
        let unknown = await failure { try await updater.change(stop, FavouriteChange(["towards": ["Nowhere"]])) }
        #expect(unknown?.value == InvalidValue("towards", .notFound))
    }

    @Test("an existing favourite is a conflict, and a faulty file is named with its line")
    func conflicts() async throws {
        let (updater, _) = try updater(.fails(.noNetwork))
        let stop = SampleDirectory.id("490000001A")
        try await updater.add(Favourite(stop: stop))
        #expect(await failure { try await updater.add(Favourite(stop: stop)) }?.kind == .conflict)
        #expect(ServiceError(FavouritesError.rejected("walk is \"3h\"")).kind == .invalid)
        let broken = "[[stop]]\nid = \"tfl:1\"\nlable = \"x\"\n"
        try folder.write(broken, to: "favourites.toml")
        let failure = await failure { try await updater.add(Favourite(stop: stop)) }
        #expect(failure?.faults.first?.line == 3)
        #expect(failure.map { CommandError($0).status } == ExitStatus.configuration)
        #expect(folder.read("favourites.toml") == broken)
    }
}
