import BoardCore
import Testing

@testable import boardd

@Suite("When a list is updated")
struct DirectoryScheduleTests {
    private let start = Instant(microseconds: 1_000_000_000)
    private let monday = Timestamp(seconds: 1_800_000_000)
    private let day = Duration.seconds(86_400)

    private func clock(_ wall: Timestamp, sure: Bool = true) -> CorrectedClock.Reading {
        CorrectedClock.Reading(wall: wall, isSynchronised: sure)
    }

    /// The schedule of a daemon that finds a list of this age when it starts.
    private func schedule(age: Duration?, share: Double = 0) -> DirectorySchedule {
        var schedule = DirectorySchedule(from: start, share: share)
        schedule.completed = age.map { monday - $0 }
        return schedule
    }

    @Test("without a list the update begins soon, yet after the first departures")
    func first() {
        #expect(schedule(age: nil).next(at: start, clock(monday)) == start + .seconds(20))
        #expect(schedule(age: nil).next(at: start, clock(monday, sure: false)) == start + .seconds(20))
        #expect(schedule(age: day * 30).next(at: start, clock(monday)) == start + .seconds(20))
    }

    @Test("a list is valid for a week, and up to a day more, by each board's own share")
    func week() {
        #expect(schedule(age: day).next(at: start, clock(monday)) == start + day * 6)
        #expect(schedule(age: day, share: 0.5).next(at: start, clock(monday)) == start + day * 6 + .seconds(43_200))
        #expect(schedule(age: day, share: 1).next(at: start, clock(monday)) == start + day * 7)
        // However often it is called.
        let schedule = schedule(age: day, share: 0.25)
        #expect(schedule.next(at: start + day, clock(monday + day)) == start + day * 6 + .seconds(21_600))
    }

    @Test("a corrected clock counts at once: a month in a drawer is not an hour")
    func drawer() {
        let schedule = schedule(age: .seconds(3_600))
        // Without a battery the clock continues from where it stopped.
        #expect(schedule.next(at: start, clock(monday, sure: false)) > start + day * 6)
        let later = start + .seconds(60)
        #expect(schedule.next(at: later, clock(monday + day * 30)) == later)
    }

    @Test("a list dated in the future waits for a synchronised clock, and is then updated, since its age is unknown")
    func future() {
        let schedule = schedule(age: day * -40)
        #expect(schedule.next(at: start, clock(monday, sure: false)) == start + .seconds(600))
        #expect(schedule.next(at: start + day, clock(monday + day, sure: false)) == start + day + .seconds(600))
        #expect(schedule.next(at: start, clock(monday)) == start + .seconds(20))
    }

    @Test("after failures it waits ten minutes, then twice as long each time, a day at most; a success resets that")
    func retries() {
        var schedule = schedule(age: day * 9)
        var waits: [Duration] = []
        for _ in 0..<10 {
            schedule.stopped(at: start, by: .failure)
            waits.append(schedule.next(at: start, clock(monday)) - start)
        }
        #expect(
            waits == [600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800, 86_400, 86_400].map { .seconds($0) })
        schedule.succeeded(at: start, completed: monday)
        #expect(schedule.next(at: start, clock(monday)) == start + day * 7)
        schedule.stopped(at: start, by: .failure)
        #expect(schedule.next(at: start, clock(monday + day * 8)) == start + .seconds(600))
    }

    @Test("without a network, and while another process updates, it is retried soon, any number of times")
    func retryReasons() {
        var schedule = schedule(age: nil)
        for _ in 0..<20 { schedule.stopped(at: start, by: .offline) }
        #expect(schedule.next(at: start, clock(monday)) == start + .seconds(300))
        for _ in 0..<20 { schedule.stopped(at: start, by: .busy) }
        #expect(schedule.next(at: start, clock(monday)) == start + .seconds(60))
        #expect(schedule.failures == 0)
    }

    @Test("a request by a user skips every wait, once")
    func requested() {
        var schedule = schedule(age: .seconds(60))
        schedule.stopped(at: start, by: .failure)
        schedule.requestNow()
        #expect(schedule.next(at: start, clock(monday)) == start)
        schedule.begin()
        #expect(schedule.next(at: start, clock(monday)) > start + day)
    }

    @Test("a list that was removed is updated soon")
    func removed() {
        var schedule = schedule(age: day)
        schedule.succeeded(at: start, completed: monday)
        schedule.removed(at: start + day)
        #expect(schedule.next(at: start + day, clock(monday + day)) <= start + day + .seconds(20))
    }
}
