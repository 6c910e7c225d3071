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
    init(room: Int = .max) {
        self.room = room
    }

    var stops: [ListedStop] { content.withLock { $0 } }

    @Sendable func take(_ stop: ListedStop) throws {
        try content.withLock { stops in
            guard stops.count < room else { throw Full() }
            stops.append(stop)
        }
    }
}

/// The stops in one text in the format of a page, read in chunks of `size` bytes.
func listed(_ body: [UInt8], by size: Int = 4_096) throws -> (page: StopPage, stops: [ListedStop]) {
    let collector = StopCollector()
    let reader = TfLStopPageReader(collector.take)
    for start in stride(from: 0, to: body.count, by: size) {
        try reader.receive(Array(body[start..<min(start + size, body.count)]).span)
    }
    return (try reader.finish(), collector.stops)
}

extension StopID {
    /// A stop of TfL.
    static func tfl(_ code: String) -> StopID { StopID(feed: TfLFeed.name, code: code) }
}
