import BoardCore
import BoardIO
import Synchronization
import Testing
import Waiting

@Suite("The machine's clock", .endsHangs)
struct SystemClockTests {
    @MainActor
    @Test("suspends no task until a moment that has passed", arguments: [Duration.zero, .seconds(-1)])
    func past(_ distance: Duration) async {
        let clock = SystemClock()
        let hasOtherRun = Mutex(false)
        await withTaskGroup { group in
            // It waits for the main actor, which a suspended task would leave to it.
            group.addTask { @MainActor in hasOtherRun.withLock { $0 = true } }
            await clock.sleep(until: clock.now() + distance)
            #expect(hasOtherRun.withLock { !$0 })
        }
        #expect(hasOtherRun.withLock { $0 })
    }
}
