internal import BoardCore
internal import BoardIO
internal import BoardStore
internal import FoundationEssentials

/// A snapshot of the board with the ID of the boot that it belongs to: instants of another boot are meaningless, and cannot
/// be distinguished by their values.
struct StoredSnapshot: Codable {
    /// The boot ID (`/proc/sys/kernel/random/boot_id`, random(4)).
    let bootID: String
    let snapshot: Board.Snapshot

    /// The ID of this boot; nil where the kernel does not report it.
    static func currentBootID() -> String? {
        let file = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        return file?.text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Reads the snapshot of this boot and removes its file, so that a snapshot that crashes the board cannot do so twice. Blocks
    /// while a small file is read.
    ///
    /// - Parameter bootID: the ID of this boot; nil: no snapshot is valid.
    /// - Returns: nil where there is no valid snapshot, or when the file cannot be removed.
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

    private static let newline = UInt8(ascii: "\n")

    /// The file: one line of JSON per piece of the board. The encoder makes a tree fifteen times as large as its text, which
    /// for ten busy stops at once takes two megabytes.
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

    /// Joins the lines; nil where one is malformed, since a part of a board would look like all of it.
    private init?(lines: [UInt8]) {
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

    init(bootID: String, snapshot: Board.Snapshot) {
        self.bootID = bootID
        self.snapshot = snapshot
    }
}
