import BoardCore
import BoardFeeds
import BoardHardware
import BoardSimulation
import FoundationEssentials
import Glibc
import Testing

/// The real recordings of National Rail's two services, and a board that is given one of them.
enum RecordedRail {
    /// The keys of one of the two services.
    enum Service: CaseIterable, Sendable {
        case marketplace, darwin

        var key: (name: String, value: String) {
            switch self {
            case .marketplace: ("RDM_BOARD_KEY", String(repeating: "aB3", count: 16))
            case .darwin: ("DARWIN_TOKEN", "0a1b2c3d-1111-2222-3333-0123456789ab")
            }
        }
    }

    /// One answer to every question.
    private struct OneAnswer: HTTPTransport {
        let status: Int
        let body: [UInt8]

        func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
            try? sink(body.span)
            return HTTPResponse(status: status, received: Timestamp(seconds: 1_772_453_040))
        }
    }

    /// A clock that nobody looks at.
    private struct NoClock: MachineClock {
        func now() -> Instant { Instant(microseconds: 0) }
        func reading() -> CorrectedClock.Reading { .init(wall: Timestamp(seconds: 0), isSynchronised: false) }
    }

    /// Where the recordings are; nil, said aloud, when they are not there.
    private static var folder: URL? {
        let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let given = ProcessInfo.processInfo.environment["BOARDD_FIXTURES"]
        let folder = given.map { URL(filePath: $0) } ?? checkout.appending(path: "../shared/fixtures").standardized
        guard FileManager.default.fileExists(atPath: folder.appending(path: "darwin").path) else {
            print("SKIPPED: no recordings in \(folder.path)")
            return nil
        }
        return folder
    }

    /// Every file of both services, by its path below the folder; none where there are no recordings.
    static func files() -> [String] {
        guard let folder else { return [] }
        return ["darwin", "rdm"].flatMap { name -> [String] in
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: name).path)) ?? []
            return paths.filter { $0.contains(".") }.map { "\(name)/\($0)" }
        }.sorted()
    }

    /// A recording; nil, said aloud, when it is not there.
    static func read(_ name: String) -> [UInt8]? {
        guard let folder else { return nil }
        guard let bytes = try? Data(contentsOf: folder.appending(path: name)) else {
            print("SKIPPED: no recording \(name)")
            return nil
        }
        return Array(bytes)
    }

    /// The feed with one service's key, to which everything is answered with one recording.
    static func feed(_ service: Service, status: Int = 200, _ body: [UInt8]) throws -> NationalRailFeed {
        var settings = FeedSettings(defaultsOf: NationalRailFeed.declaration)
        settings.setSecret(service.key.name, to: Secret(service.key.value))
        let zone = try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0")
        return try NationalRailFeed(
            FeedContext(settings: settings, transport: OneAnswer(status: status, body: body), clock: NoClock()) { _ in
                zone
            })
    }

    /// When a recording says that it was made; at noon of some day where it does not say so.
    static func made(_ body: [UInt8]) -> Timestamp {
        let text = String(decoding: body, as: UTF8.self)
        let after = text.firstRange(of: "generatedAt").map { text[$0.upperBound...] } ?? ""
        let moments = after.split { "<>\"".contains($0) }.prefix(8).lazy.compactMap { Timestamp(rfc3339: $0) }
        return moments.first ?? Timestamp(seconds: 1_772_453_040)
    }
}

/// A board for one station on a modelled 20x4 panel.
struct RailGlass {
    private let feed: NationalRailFeed
    private let expander: SimulatedExpander
    private var display: HD44780Display<SimulatedExpander>
    private var board: Board
    private var now = Instant(microseconds: 50_000_000)

    let stop = StopID(feed: NationalRailFeed.name, code: "AMB")

    init(_ feed: NationalRailFeed, at moment: Timestamp) throws {
        self.feed = feed
        let panel = Panel(size: Panel.Size(columns: 20, rows: 4))
        expander = SimulatedExpander(panel: panel)
        display = HD44780Display(panel: panel, resync: nil, bus: expander)
        let zone = try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0")
        let setup = Board.Setup(
            options: BoardOptions(rotation: .off, refreshBar: .off), favourites: [Favourite(stop: stop)],
            profiles: [NationalRailFeed.name: feed.profile], size: panel.size, zone: zone)
        board = Board(setup, reading: .init(wall: moment - .seconds(3), isSynchronised: true), seed: 1, at: now)
        handle(.woke)
        wait(.seconds(3))
    }

    /// What is on the glass, row by row.
    mutating func rows() -> [String] {
        _ = display.show(board.picture(at: now).frame, at: now)
        return expander.violations.isEmpty ? expander.glass : ["\(expander.violations)"]
    }

    /// The glass as one text with its edges.
    mutating func text() -> String { rows().map { "|\($0)|" }.joined(separator: "\n") }

    /// Asks the feed once and gives the board what it says.
    mutating func ask() async -> Result<FeedAnswer, FeedFailure> {
        do throws(FeedFailure) {
            let answer = try await feed.departures(FeedQuestion(stop: stop))
            handle(.answered(answer))
            return .success(answer)
        } catch {
            handle(.failed(stop, error))
            return .failure(error)
        }
    }

    /// Opens what can be opened: what the operator tells of it comes at once.
    mutating func open() async throws {
        for command in press(for: .seconds(2)) {
            guard case .follow(let departure) = command else { continue }
            handle(.followed(departure, try await feed.service(of: departure)))
        }
        wait(.seconds(3))
    }

    /// Presses button 0 shortly: the next screen.
    mutating func step() {
        press(for: .milliseconds(100))
        wait(.seconds(3))
    }

    mutating func wait(_ duration: Duration) {
        now = now + duration
        handle(.woke)
    }

    @discardableResult
    private mutating func press(for duration: Duration) -> [Board.Command] {
        var commands = handle(.button(ButtonChange(button: ButtonID(0), isDown: true, at: now)))
        now = now + duration
        commands += handle(.button(ButtonChange(button: ButtonID(0), isDown: false, at: now)))
        return commands
    }

    @discardableResult
    private mutating func handle(_ event: Board.Event) -> [Board.Command] { board.handle(event, at: now) }
}
