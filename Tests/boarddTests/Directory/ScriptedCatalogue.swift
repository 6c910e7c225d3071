import BoardCore
import Synchronization

@testable import BoardStore
@testable import boardd

/// An operator with a scripted list.
final class ScriptedCatalogue: StopCatalogue {
    /// Returns a page: its stops, and its counts.
    typealias Script = @Sendable (Int) async throws(FeedFailure) -> (stops: [ListedStop], page: StopPage)

    private let script: Script
    private let log = Mutex<[Int]>([])

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// An operator with these pages, that reports a total.
    convenience init(_ pages: [[ListedStop]], total: Int? = nil) {
        let total = total ?? pages.reduce(0) { $0 + $1.count }
        self.init { page throws(FeedFailure) in Self.response(page, of: pages, total: total) }
    }

    /// The pages requested so far.
    var requestedPages: [Int] { log.withLock { $0 } }

    func stops(page: Int, take: @escaping StopReceiver) async throws(FeedFailure) -> StopPage {
        log.withLock { $0.append(page) }
        let response = try await script(page)
        for stop in response.stops {
            do {
                try take(stop)
            } catch {
                throw FeedFailure(.cancelled, detail: "not taken: \(error)")
            }
        }
        return response.page
    }

    func route(of line: String) async throws(FeedFailure) -> LineRoute? { nil }

    /// A page of a list; after the last one an empty page.
    static func response(
        _ page: Int, of pages: [[ListedStop]], total: Int?
    ) -> (stops: [ListedStop], page: StopPage) {
        let stops = pages.indices.contains(page - 1) ? pages[page - 1] : []
        return (stops, StopPage(entries: stops.count, total: total))
    }
}

/// A one-time event that others wait for.
final class Latch: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    /// Waits until it is open, or the task is cancelled.
    func pass() async {
        while !isOpen.withLock({ $0 }), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
    }
}

/// Stop directories of the feed "tfl" for tests.
enum Listed {
    static let feed = FeedName("tfl")

    /// A pole on the High Street.
    static func pole(
        _ code: String, _ name: String = "High Street", letter: String? = nil, towards: String? = nil,
        lines: [String] = ["7"], at place: (Double, Double)? = (51.5, -0.1), parent: String? = nil,
        shortCode: String? = nil, kind: ListedStop.Kind = .pole, mode: String = "bus"
    ) -> ListedStop {
        ListedStop(
            id: StopID(feed: feed, code: code), kind: kind, name: name, letter: letter, towards: towards, modes: [mode],
            lines: lines.map { ListedLine(Line(id: $0.lowercased(), name: $0), mode: mode) },
            coordinates: place.flatMap { Coordinates(latitude: $0.0, longitude: $0.1) },
            parent: parent.map { StopID(feed: feed, code: $0) }, shortCode: shortCode)
    }

    /// Poles with the numbers of a range as codes.
    static func poles(_ numbers: ClosedRange<Int>, lines: [String] = ["7"]) -> [ListedStop] {
        numbers.map { pole("490\($0)", "Stop \($0)", lines: lines) }
    }

    /// Writes a list to a folder.
    static func write(_ stops: [ListedStop], in folder: String) throws {
        let now = SystemClock().reading().wall
        let builder = try DirectoryBuilder(folder: folder, feed: feed, at: now)
        try builder.begin(page: 1)
        for stop in stops { try builder.add(stop) }
        try builder.commit(page: 1)
        try builder.finish(at: now)
    }

    /// The codes of all stops in a folder.
    static func codes(in folder: String) throws -> Set<String> {
        let file = try SQLiteConnection("\(folder)/stops-\(feed).sqlite", .immutable)
        return Set(try file.statement("SELECT code FROM stop").all { $0.text(0) ?? "" })
    }
}
