internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The thread that keeps the board over a restart: it writes the newest snapshot into the runtime folder, which is in
/// memory, so that no disk is worn.
final class SnapshotService: Service {
    private struct Orders {
        var newest: Board.Snapshot?
        var isEnding = false
    }

    private let file: SnapshotFile
    private let voice: FaultVoice
    private let orders = Mutex(Orders())
    private let mailbox = Mailbox<Void>()
    private let clock: any MachineClock

    init(_ file: SnapshotFile, clock: any MachineClock, voice: FaultVoice) {
        self.file = file
        self.clock = clock
        self.voice = voice
    }

    /// Hands over the newest snapshot, from any thread; an older one that was not written yet is forgotten.
    func keep(_ snapshot: Board.Snapshot) {
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
        let boot = KeptBoard.thisBoot() ?? ""
        while true {
            let (snapshot, isEnding) = orders.withLock { orders in
                defer { orders.newest = nil }
                return (orders.newest, orders.isEnding)
            }
            if let snapshot {
                do {
                    try file.write(KeptBoard(boot: boot, board: snapshot).lines)
                    if isFailing { voice.say(.notice, "the board is kept over a restart again") }
                    isFailing = false
                } catch {
                    if !isFailing { voice.say(.warning, "the board is not kept over a restart: \(error)") }
                    isFailing = true
                }
                continue
            }
            if isEnding { return }
            _ = mailbox.take(until: nil, clock: clock)
        }
    }
}
