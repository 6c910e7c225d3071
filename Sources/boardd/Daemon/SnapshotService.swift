internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The thread that keeps the board over a restart: it writes the newest snapshot into the runtime folder, which is in
/// memory, so that no disk is worn.
final class SnapshotService: Service {
    private struct PendingWork {
        var newest: Board.Snapshot?
        var isEnding = false
    }

    private let file: SnapshotFile
    private let log: RateLimitedLog
    private let orders = Mutex(PendingWork())
    private let mailbox = Mailbox<Void>()
    private let clock: any MachineClock

    init(_ file: SnapshotFile, clock: any MachineClock, log: RateLimitedLog) {
        self.file = file
        self.clock = clock
        self.log = log
    }

    /// Hands over the newest snapshot, from any thread; an older one that was not written yet is forgotten.
    func save(_ snapshot: Board.Snapshot) {
        orders.withLock { $0.newest = snapshot }
        mailbox.post(())
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                try await DedicatedThread.run("snapshot") { self.write() }
            } onCancel: {
                self.end()
            }
        } onGracefulShutdown: {
            self.end()
        }
    }

    private func end() {
        orders.withLock { $0.isEnding = true }
        mailbox.post(())
    }

    private func write() {
        var isFailing = false
        // Without a number no start believes it.
        let boot = StoredSnapshot.currentBootID() ?? ""
        while true {
            let (snapshot, isEnding) = orders.withLock { orders in
                defer { orders.newest = nil }
                return (orders.newest, orders.isEnding)
            }
            if let snapshot {
                do {
                    try file.write(StoredSnapshot(boot: boot, board: snapshot).lines)
                    if isFailing { log.log(.notice, "the board is kept over a restart again") }
                    isFailing = false
                } catch {
                    if !isFailing { log.log(.warning, "the board is not kept over a restart: \(error)") }
                    isFailing = true
                }
                continue
            }
            if isEnding { return }
            _ = mailbox.take(until: nil, clock: clock)
        }
    }
}
