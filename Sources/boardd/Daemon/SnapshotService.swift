internal import BoardCore
internal import BoardIO
internal import BoardStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The thread that saves the board for the next start: it writes the newest snapshot to the runtime folder, which is in
/// memory, so that no disk wears out.
final class SnapshotService: Service {
    private struct PendingWork {
        var newest: Board.Snapshot?
        var isEnding = false
    }

    private let file: SnapshotFile
    private let log: RateLimitedLog
    private let pending = Mutex(PendingWork())
    private let mailbox: Mailbox<Void>
    private let clock: any MachineClock

    init(_ file: SnapshotFile, clock: any MachineClock, log: RateLimitedLog) throws(ThreadFailure) {
        mailbox = try Mailbox()
        self.file = file
        self.clock = clock
        self.log = log
    }

    /// Hands over the newest snapshot, from any thread; an older one that was not written yet is dropped.
    func save(_ snapshot: Board.Snapshot) {
        pending.withLock { $0.newest = snapshot }
        mailbox.post(())
    }

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await DedicatedThread.run("snapshot") { self.write() }
        } onCancelOrGracefulShutdown: {
            self.pending.withLock { $0.isEnding = true }
            self.mailbox.post(())
        }
    }

    private func write() {
        var isFailing = false
        // A snapshot without a boot ID is never restored.
        let bootID = StoredSnapshot.currentBootID() ?? ""
        while true {
            let (snapshot, isEnding) = pending.withLock { pending in
                defer { pending.newest = nil }
                return (pending.newest, pending.isEnding)
            }
            if let snapshot {
                do {
                    try file.write(StoredSnapshot(bootID: bootID, snapshot: snapshot).lines)
                    if isFailing { log.log(.notice, "board snapshots are saved again") }
                    isFailing = false
                } catch {
                    if !isFailing {
                        log.log(
                            .warning,
                            "cannot save the board snapshot: \(error). The board starts empty after a restart.")
                    }
                    isFailing = true
                }
                continue
            }
            if isEnding { return }
            _ = mailbox.take(until: nil, clock: clock)
        }
    }
}
