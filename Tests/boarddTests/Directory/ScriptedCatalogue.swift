import BoardCore
import Synchronization

@testable import boardd

/// An operator with a scripted list.
final class ScriptedCatalogue: StopCatalogue {
    /// Returns a page: its stops, and its counts.
    typealias Script = @Sendable (Int) async throws(FeedError) -> (stops: [ListedStop], page: StopPage)

    private let script: Script
    private let log = Mutex<[Int]>([])

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// An operator with these pages, that reports a total.
    convenience init(_ pages: [[ListedStop]], total: Int? = nil) {
        let total = total ?? pages.reduce(0) { $0 + $1.count }
        self.init { page throws(FeedError) in Self.response(page, of: pages, total: total) }
    }

    /// The pages requested so far.
    var requestedPages: [Int] { log.withLock { $0 } }

    func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
        log.withLock { $0.append(page) }
        let response = try await script(page)
        for stop in response.stops {
            do {
                try take(stop)
            } catch {
                throw FeedError(.cancelled, detail: "not taken: \(error)")
            }
        }
        return response.page
    }

    func route(of line: String) async throws(FeedError) -> LineRoute? { nil }

    /// A page of a list; after the last one an empty page.
    static func response(_ page: Int, of pages: [[ListedStop]], total: Int?) -> (stops: [ListedStop], page: StopPage) {
        let stops = pages.indices.contains(page - 1) ? pages[page - 1] : []
        return (stops, StopPage(entries: stops.count, total: total))
    }
}
