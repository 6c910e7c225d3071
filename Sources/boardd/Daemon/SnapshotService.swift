internal import BoardCore
internal import BoardIO
internal import BoardStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The thread that saves the board for the next start: it writes the newest snapshot to the runtime folder, which is in
/// memory, so that no disk wears out; and once, to the state folder, that a button was held.
final class SnapshotService: Service {
    private struct PendingWork {
        var newest: Board.Snapshot?
        var isEnding = false
    }

    private let file: SnapshotFile
    private let heldFile: SnapshotFile
    private let log: RateLimitedLog
    private let pending = Mutex(PendingWork())
    private let mailbox: Mailbox<Void>
    private let clock: any MachineClock

    /// - Parameter heldFile: exists once a button was held, so that later starts need no hint.
    init(
        _ file: SnapshotFile, heldFile: SnapshotFile, clock: any MachineClock, log: RateLimitedLog
    ) throws(ThreadFailure) {
        mailbox = try Mailbox()
        self.file = file
        self.heldFile = heldFile
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
        var isHoldStored = heldFile.exists
        // A snapshot without a boot ID is never restored.
        let bootID = StoredSnapshot.currentBootID() ?? ""
        while true {
            let (snapshot, isEnding) = pending.withLock { pending in
                defer { pending.newest = nil }
                return (pending.newest, pending.isEnding)
            }
            if let snapshot {
                if snapshot.hasBeenHeld, !isHoldStored {
                    // Without the file, the hint appears again after a restart of the machine: no fault that needs an entry.
                    try? heldFile.write([])
                    isHoldStored = true
                }
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

/// When a snapshot is saved: at once after a press; for responses together, since those of a round come within moments.
struct SnapshotTiming {
    /// The longest delay after a response. An earlier wake-up saves it too, and so costs none of its own.
    static let maximumDelay = Duration.seconds(5)

    /// Since when there are unsaved changes.
    private var since: Instant?

    /// The latest time for the next iteration; nil: everything is saved.
    var deadline: Instant? { since.map { $0 + Self.maximumDelay } }

    /// Registers an iteration of the loop; returns whether to save now.
    ///
    /// - Parameters:
    ///   - hasChanged: whether the iteration changed what a snapshot holds.
    ///   - hasOnlyResponses: whether the iteration handled only responses: more may follow at once.
    mutating func isDue(hasChanged: Bool, hasOnlyResponses: Bool, at now: Instant) -> Bool {
        if hasChanged { since = since ?? now }
        guard let since, !hasOnlyResponses || now - since >= Self.maximumDelay else { return false }
        self.since = nil
        return true
    }
}
