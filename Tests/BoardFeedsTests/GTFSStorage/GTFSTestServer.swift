import BoardCore
import FoundationEssentials
import Glibc
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

/// A GTFS server, and feeds that send it requests with a manual clock.
final class GTFSTestServer: Sendable {
    static let feed = FeedName("gtfs.town")
    static let keyName = "GTFS_TOWN_KEY"

    private let gtfs: GTFSServer
    let folder: String
    let clock: VirtualClock
    private let log = Mutex<[FeedStorage.LogEntry]>([])

    init(_ fixture: GTFSFixture = GTFSFixture(), at time: String = "06:55") throws {
        gtfs = try GTFSServer(archive: fixture.zip().bytes)
        folder = try Fixtures.temporaryFolder()
        clock = VirtualClock(wall: try Town.time(time))
    }

    var files: GTFSServer.SharedFiles { gtfs.files }
    var server: LoopbackServer { gtfs.server }
    var requestedPaths: [String] { gtfs.requestedPaths }

    /// The feed's log entries.
    var logEntries: [FeedStorage.LogEntry] { log.withLock { $0 } }
    /// Its warnings, with `-`, and recoveries, with `+`.
    var problems: [String] {
        logEntries.compactMap { note in
            switch note {
            case .completed, .info: nil
            case .warning(let text): "- " + text
            case .recovered(let text): "+ " + text
            }
        }
    }
    /// Its informational entries.
    var infos: [String] { logEntries.compactMap { if case .info(let text) = $0 { text } else { nil } } }
    /// The number of readings of an archive.
    var readings: Int { logEntries.count { if case .completed = $0 { true } else { false } } }

    /// A feed with the settings of the daemon.
    func feed(
        timetable: String? = nil, realtime: [String] = [], key: String? = nil, settings: [String: String] = [:],
        stops: [String] = [], folder: String? = nil, clock other: (any MachineClock)? = nil,
        names: NameChoice = NameChoice()
    ) throws -> GTFSFeed {
        try GTFSFeed(
            Self.feed,
            context(
                timetable: timetable, realtime: realtime, key: key, settings: settings, stops: stops, folder: folder,
                clock: other, names: names))
    }

    /// The catalogue of the feed.
    func catalogue(stops: [String] = [], names: NameChoice = NameChoice()) throws -> GTFSCatalogue {
        try GTFSCatalogue(Self.feed, context(stops: stops, names: names))
    }

    private func context(
        timetable: String? = nil, realtime: [String] = [], key: String? = nil, settings: [String: String] = [:],
        stops: [String] = [], folder: String? = nil, clock other: (any MachineClock)? = nil,
        names: NameChoice = NameChoice()
    ) throws -> FeedContext {
        let declaration = try #require(GTFSFeed.family.member(Self.feed))
        var configured = FeedSettings(defaultsOf: declaration)
        configured.set("title", to: .text("Town"))
        configured.set("timetable", to: .text(timetable ?? server.url("/gtfs.zip")))
        configured.set(
            "realtime",
            to: .texts(realtime.map { $0.hasPrefix("/trips") || $0.hasPrefix("/alerts") ? server.url($0) : $0 }))
        configured.set("window", to: .duration(.seconds(86_400)))
        for (name, value) in settings { configured.set(name, to: .text(value)) }
        configured.setSecret(Self.keyName, to: key.map { Secret($0) })
        let clock: any MachineClock = other ?? clock
        let storage = FeedStorage(
            folder: folder ?? self.folder, stops: stops,
            download: { CurlTransport(userAgent: "boardd-test/1", clock: clock, concurrency: 1) },
            log: { note in self.log.withLock { $0.append(note) } })
        return FeedContext(
            settings: configured, transport: CurlTransport(userAgent: "boardd-test/1", clock: clock), clock: clock,
            storage: storage, names: names
        ) { name throws(FeedSettingError) in try GTFSFixture.newYork(name) }
    }

    func send(_ message: [UInt8], at path: String = "/trips") {
        files.withLock { $0.messages[path] = message }
    }

    /// The departures at a stop: `1 Quay 08:11 *08:11`.
    func rows(_ feed: GTFSFeed, _ code: String = "P", towards: String...) async throws -> [String] {
        Self.rows(try await feed.departures(FeedRequest(stop: Town.stop(code), towards: towards)))
    }

    /// The detail of the partial failure, if any.
    func partialFailure(_ feed: GTFSFeed) async throws -> String? {
        try await feed.departures(FeedRequest(stop: Town.stop("P"))).partialFailure?.detail
    }

    static func rows(_ response: FeedResponse) -> [String] {
        response.departures.map { departure in
            let status =
                switch departure.status {
                case .expected(let time): Town.clock(time)
                case .scheduled(let time): "*" + Town.clock(time)
                case .cancelled: "cancelled"
                case .delayed: "delayed"
                }
            return "\(departure.line.name) \(departure.destination) \(status)"
        }
    }

    /// The failure of a request.
    func failure(_ feed: GTFSFeed, _ code: String = "P") async throws -> FeedError {
        try await #require(throws: FeedError.self) { _ = try await feed.departures(FeedRequest(stop: Town.stop(code))) }
    }

    /// Advances the clock, requests departures, and waits for the background update.
    func pass(_ duration: Duration, _ feed: GTFSFeed) async throws {
        // While one that began before is running, no other begins.
        await feed.timetableStore.waitForUpdate()
        clock.go(to: clock.now() - Instant(microseconds: 0) + duration)
        try await settle(feed)
    }

    /// Requests departures, and waits for the background update.
    func settle(_ feed: GTFSFeed) async throws {
        _ = try await rows(feed)
        await feed.timetableStore.waitForUpdate()
    }

    /// A file of the folder, if it exists.
    func file(_ name: String) -> [UInt8]? { try? RecordingFiles.read(folder + "/" + name) }
    /// The names of the files in the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
}

extension GTFSFixture {
    /// The feed with another time of its first trip at the park.
    static func departing(_ time: String) -> GTFSFixture {
        var fixture = GTFSFixture()
        fixture.files["stop_times.txt"] = fixture.files["stop_times.txt"]?.replacing("08:11:00", with: time)
        return fixture
    }
}
