internal import BoardCore
internal import BoardStore
internal import FoundationEssentials
internal import Glibc

/// A snapshot of the board with the boot of the machine that it belongs to: instants of another boot mean nothing, and a
/// machine that was up for longer now cannot tell by them alone.
struct StoredSnapshot: Codable {
    /// The boot's number (`/proc/sys/kernel/random/boot_id`, random(4)).
    let boot: String
    /// What was kept.
    let board: Board.Snapshot

    /// The number of this boot; nil where the kernel does not tell it.
    static func currentBootID() -> String? {
        let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Takes what was kept in this boot before the program was started again, out of its file: whatever it may do to the
    /// board, the next start does without it. Blocks for as long as a small file takes.
    ///
    /// - Parameter boot: the number of this boot; nil: nothing can be believed.
    /// - Returns: nil where there is nothing that can be believed, or when the file cannot be removed.
    static func consume(from file: SnapshotFile, boot: String? = currentBootID()) -> Board.Snapshot? {
        let bytes = try? file.read() ?? nil
        do {
            try file.remove()
        } catch {
            return nil
        }
        guard let boot, let bytes, let kept = StoredSnapshot(lines: bytes) else { return nil }
        return kept.boot == boot ? kept.board : nil
    }

    private static let newline = UInt8(ascii: "\n")

    /// As it is kept: a line of JSON a piece of the board. The encoder makes a tree fifteen times as large as its text, which
    /// for ten busy stops at once were two megabytes.
    var lines: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            var lines: [UInt8] = []
            for piece in board.pieces {
                lines += try encoder.encode(StoredSnapshot(boot: boot, board: piece))
                lines.append(Self.newline)
            }
            return lines
        }
    }

    /// Puts the lines together again; nil where one cannot be read, since a part of a board would look like all of it.
    private init?(lines: [UInt8]) {
        let decoder = JSONDecoder()
        var pieces: [Board.Snapshot] = []
        var boots: Set<String> = []
        for line in lines.split(separator: Self.newline) {
            guard let kept = try? decoder.decode(StoredSnapshot.self, from: Data(line)) else { return nil }
            pieces.append(kept.board)
            boots.insert(kept.boot)
        }
        guard boots.count == 1, let boot = boots.first, let board = Board.Snapshot(pieces: pieces) else { return nil }
        self.init(boot: boot, board: board)
    }

    init(boot: String, board: Board.Snapshot) {
        self.boot = boot
        self.board = board
    }
}
