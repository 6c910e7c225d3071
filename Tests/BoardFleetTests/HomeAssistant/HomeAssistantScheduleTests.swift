import BoardCore
import BoardStore
import Testing

@testable import BoardFleet

@Suite("When Home Assistant is sent something")
struct HomeAssistantScheduleTests {
    private let board: FleetName
    private let start = Instant(microseconds: 1_000_000)
    private let config = "homeassistant/device/boardd-kitchen/config"
    private let state = "boardd/1/board/kitchen/state"

    init() throws { board = try #require(FleetName("kitchen")) }

    /// The topics that are sent `seconds` after the start.
    private func sent(
        _ schedule: inout HomeAssistantSchedule, _ sample: SampleBoard = SampleBoard(), after seconds: Int
    ) throws -> [String] {
        schedule.messages(
            sample.discovery(board: board), try sample.message(), of: board, at: start + .seconds(seconds)
        ).map(\.topic)
    }

    @Test("after a connect both are sent, then the state every 120 s")
    func connected() throws {
        var schedule = HomeAssistantSchedule()
        #expect(schedule.nextDue == nil)
        #expect(try sent(&schedule, after: 0) == [config, state])
        #expect(try sent(&schedule, after: 119).isEmpty)
        #expect(try sent(&schedule, after: 120) == [state])
        schedule.connected()
        #expect(try sent(&schedule, after: 121) == [config, state])
    }

    @Test("a change of the minute is sent at once, a change of seconds is not")
    func changes() throws {
        var schedule = HomeAssistantSchedule()
        _ = try sent(&schedule, after: 0)
        var sample = SampleBoard()
        sample.moment = SampleBoard.now + .seconds(5)
        #expect(try sent(&schedule, sample, after: 5).isEmpty)
        sample.minutes = 6
        #expect(try sent(&schedule, sample, after: 6) == [state])
        sample.favourites.removeLast()
        // The sensors of the favourite are removed by a message of their own.
        #expect(try sent(&schedule, sample, after: 7) == [config, config, state])
        #expect(try sent(&schedule, sample, after: 8).isEmpty)
    }

    @Test("when Home Assistant has started, the announcement is sent again after a wait of 1 to 10 s")
    func online() throws {
        var schedule = HomeAssistantSchedule()
        _ = try sent(&schedule, after: 0)
        schedule.started(at: start + .seconds(20))
        let due = try #require(schedule.nextDue)
        #expect(due <= start + .seconds(30))
        #expect(try sent(&schedule, after: 20).isEmpty)
        #expect(try sent(&schedule, after: 30) == [config])
        #expect(try sent(&schedule, after: 31).isEmpty)
    }

    @Test("a board that is not announced is due no earlier after a start of Home Assistant")
    func notAnnounced() throws {
        var schedule = HomeAssistantSchedule()
        func send(after seconds: Int) throws {
            var sample = SampleBoard()
            sample.moment = SampleBoard.now + .seconds(seconds)
            _ = schedule.messages(nil, try sample.message(), of: board, at: start + .seconds(seconds))
        }
        try send(after: 0)
        let due = schedule.nextDue
        schedule.started(at: start, wait: .seconds(1))
        #expect(schedule.nextDue == start + .seconds(1))
        try send(after: 1)
        #expect(schedule.nextDue == due)
    }

    @Test("it is due again when a departure expires, is old or can no longer be caught")
    func nextDue() throws {
        var schedule = HomeAssistantSchedule()
        var sample = SampleBoard()
        sample.favourites.removeFirst()
        sample.moment = SampleBoard.now + .seconds(480)
        _ = try sent(&schedule, sample, after: 0)
        // The walk to the train in 840 s takes 420 s, at a run 280 s.
        #expect(schedule.nextDue == start + .seconds(840 - 280 - 480))
    }

    @Test("the announcement under the name of an earlier start is removed first")
    func stored() throws {
        let hall = try #require(FleetName("hall"))
        var schedule = HomeAssistantSchedule(replacing: SampleBoard().discovery(board: hall).published)
        #expect(try sent(&schedule, after: 0) == ["homeassistant/device/boardd-hall/config", config, state])
        #expect(schedule.published == SampleBoard().discovery(board: board).published)
    }
}
