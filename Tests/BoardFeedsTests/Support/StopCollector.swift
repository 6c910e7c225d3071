import BoardCore
import Synchronization
import Testing

@testable import BoardFeeds

/// Takes stops and remembers them, on whatever thread they come.
final class StopCollector: Sendable {
    /// What a basket says when it has enough.
    struct Full: Error {}

    private let content = Mutex<[ListedStop]>([])
    private let room: Int

    /// A basket that throws instead of taking more than `room` stops.
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

/// What one text in the shape of a page gives, in pieces of `size` bytes.
func listed(_ body: [UInt8], by size: Int = 4_096) throws -> (page: StopPage, stops: [ListedStop]) {
    let basket = StopCollector()
    let reader = TfLStopPageReader(basket.take)
    for start in stride(from: 0, to: body.count, by: size) {
        try reader.take(Array(body[start..<min(start + size, body.count)]).span)
    }
    return (try reader.finish(), basket.stops)
}

extension StopID {
    /// A stop of TfL.
    static func tfl(_ code: String) -> StopID { StopID(feed: TfLFeed.name, code: code) }
}
