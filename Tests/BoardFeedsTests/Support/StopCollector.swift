import BoardCore
import Synchronization
import Testing

@testable import BoardFeeds

/// Collects stops, on any thread.
final class StopCollector: Sendable {
    /// Thrown by a full collector.
    struct Full: Error {}

    private let content = Mutex<[ListedStop]>([])
    private let room: Int

    /// A collector that throws instead of receiving more than `room` stops.
    init(room: Int = .max) { self.room = room }

    var stops: [ListedStop] { content.withLock { $0 } }

    @Sendable func take(_ stop: ListedStop) throws {
        try content.withLock { stops in
            guard stops.count < room else { throw Full() }
            stops.append(stop)
        }
    }
}

/// The stops in one text in the format of a page.
func listed(_ body: [UInt8]) throws -> (page: StopPage, stops: [ListedStop]) { try StopPage.tfl(body) }

extension StopID {
    /// A stop of TfL.
    static func tfl(_ code: String) -> StopID { StopID(feed: TfLFeed.name, code: code) }
}
