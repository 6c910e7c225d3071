import BoardCore
import BoardIO
import BoardStore
import FoundationEssentials
import Logging
import ServiceLifecycle
import Synchronization

/// The thread that saves the board for the next start: it writes the newest snapshot to the runtime folder, which is in
/// memory, so that no disk wears out; and records once, in the state folder, that a button was held.
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
    ) throws(ThreadError) {
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
                    // Without the file, the hint appears again after a reboot: not a fault worth a log entry.
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

/// When a snapshot is saved: at once after a press; responses together, since those of a round come within moments.
struct SnapshotTiming {
    /// The longest delay after a response. An earlier wake-up saves it too, so that it costs none of its own.
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

/// A snapshot of the board with the ID of the boot that it belongs to: instants of another boot are meaningless, and
/// cannot be told apart by their values.
struct StoredSnapshot: Codable {
    /// The boot ID (`/proc/sys/kernel/random/boot_id`, random(4)).
    let bootID: String
    let snapshot: Board.Snapshot

    static func currentBootID() -> String? {
        let file = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        return file?.text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Reads the snapshot of this boot and removes its file, so that a snapshot that crashes the board cannot do so
    /// twice. Blocks while a small file is read.
    ///
    /// - Parameter bootID: the ID of this boot; nil: no snapshot is valid.
    /// - Returns: nil if there is no valid snapshot, or the file cannot be removed.
    static func consume(from file: SnapshotFile, bootID: String? = currentBootID()) -> Board.Snapshot? {
        let bytes = try? file.read() ?? nil
        do {
            try file.remove()
        } catch {
            return nil
        }
        guard let bootID, let bytes, let stored = StoredSnapshot(lines: bytes) else { return nil }
        return stored.bootID == bootID ? stored.snapshot : nil
    }

    fileprivate static let newline = UInt8(ascii: "\n")

    /// The file: one line of JSON per piece of the board. The encoder makes a tree fifteen times as large as its text,
    /// which takes two megabytes for ten busy stops at once.
    var lines: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            var lines: [UInt8] = []
            for piece in snapshot.pieces {
                lines += try encoder.encode(StoredSnapshot(bootID: bootID, snapshot: piece))
                lines.append(Self.newline)
            }
            return lines
        }
    }
}

extension StoredSnapshot {
    /// Joins the lines; nil if one is malformed, since a part of a board would look like all of it.
    fileprivate init?(lines: [UInt8]) {
        let decoder = JSONDecoder()
        var pieces: [Board.Snapshot] = []
        var bootIDs: Set<String> = []
        for line in lines.split(separator: Self.newline) {
            guard let stored = try? decoder.decode(StoredSnapshot.self, from: Data(line)) else { return nil }
            pieces.append(stored.snapshot)
            bootIDs.insert(stored.bootID)
        }
        guard bootIDs.count == 1, let bootID = bootIDs.first, let snapshot = Board.Snapshot(pieces: pieces) else {
            return nil
        }
        self.init(bootID: bootID, snapshot: snapshot)
    }
}
