import Foundation
import Testing

@testable import BoardCore

/// Tests/Page/counts.json, which Tests/Page/responses.py shows on the page.
@Suite("What a row counts")
struct CountTests {
    struct Case: Decodable, CustomTestStringConvertible {
        /// In seconds from now.
        let departs: Int64
        /// In seconds; nil: no favourite has a walk.
        let walk: Int64?
        let status: Departure.Status.Kind?
        let isStale: Bool?
        /// The minutes that the board holds.
        let held: Int?
        let shows: String

        var testDescription: String { "\(shows): \(departs) s, walk \(walk ?? -1)" }
    }

    private static var cases: [Case] {
        get throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Page/counts.json")
            return try JSONDecoder().decode([Case].self, from: try Data(contentsOf: file))
        }
    }

    @Test("is the same on the display and on the page", arguments: try cases)
    func table(item: Case) throws {
        let (start, now) = (SimulatedBoard.start, Instant(microseconds: 10_000_000_000))
        let clock = CorrectedClock(.init(wall: start, isSynchronised: true), at: now)
        let time = start + .seconds(item.departs)
        let status: Departure.Status =
            switch item.status {
            case nil, .expected: .expected(time)
            case .scheduled: .scheduled(time)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        let departure = Departure(
            stop: .oxford, line: Line(id: "73", name: "73"), destination: "Bow", booked: time, status: status,
            madeAt: start, staleAt: start + .seconds(item.isStale == true ? -1 : 180), expiresAt: time + .seconds(30))
        let favourite = Favourite(stop: .oxford, walk: item.walk.map { .seconds($0) })
        guard ReportedDeparture(departure, of: favourite, minutes: nil, hold: nil, isShown: nil).goneAt > start else {
            #expect(item.shows == "gone")
            return
        }
        let row = DepartureRow(departure, hold: item.held.map { MinuteHold(minutes: $0, until: now + .seconds(60)) })
        let count =
            switch row.remaining(at: now, clock: clock, walk: favourite.walk) {
            case .due: "due"
            case .minutes(let count): "minutes \(count)"
            case .time: "time"
            case .later: "day"
            case .leaveIn(let count): "leaveIn \(count)"
            case .leaveAt: "leaveAt"
            case .leaveNow: "leaveNow"
            case .run: "run"
            case .delayed: "delayed"
            case .cancelled: "cancelled"
            }
        let isTimed = ["time", "day", "leaveAt", "delayed", "cancelled"].contains(count)
        #expect((departure.freshness(at: start) == .live || isTimed ? "" : "about ") + count == item.shows)
    }
}
