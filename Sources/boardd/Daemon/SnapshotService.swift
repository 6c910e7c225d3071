internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import FoundationEssentials
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

    private static let newline = UInt8(ascii: "\n")

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

    /// What was kept before the program was started; nil where there is nothing that can be read. Blocks for as long as a
    /// small file takes.
    static func kept(in file: SnapshotFile) -> Board.Snapshot? {
        guard let bytes = try? file.read() ?? nil else { return nil }
        let decoder = JSONDecoder()
        let pieces = bytes.split(separator: newline).map { piece in
            try? decoder.decode(Board.Snapshot.self, from: Data(piece))
        }
        // A part of a board would look like all of it.
        let whole = pieces.compactMap { $0 }
        return whole.count == pieces.count ? Board.Snapshot(pieces: whole) : nil
    }

    /// A snapshot as it is kept: a line of JSON a piece. The encoder makes a tree fifteen times as large as its text, which
    /// for ten busy stops at once were two megabytes.
    private static func lines(_ snapshot: Board.Snapshot) throws -> [UInt8] {
        let encoder = JSONEncoder()
        var lines: [UInt8] = []
        for piece in snapshot.pieces {
            lines += try encoder.encode(piece)
            lines.append(newline)
        }
        return lines
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
        while true {
            let (snapshot, isEnding) = orders.withLock { orders in
                defer { orders.newest = nil }
                return (orders.newest, orders.isEnding)
            }
            if let snapshot {
                do {
                    try file.write(Self.lines(snapshot))
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
