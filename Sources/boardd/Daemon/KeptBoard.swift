internal import BoardCore
internal import BoardStore
internal import FoundationEssentials
internal import Glibc

/// A snapshot of the board with the boot of the machine that it belongs to: instants of another boot mean nothing, and a
/// machine that was up for longer now cannot tell by them alone.
struct KeptBoard: Codable {
    /// The boot's number (`/proc/sys/kernel/random/boot_id`, random(4)).
    let boot: String
    /// What was kept.
    let board: Board.Snapshot

    /// The number of this boot; nil where the kernel does not tell it.
    static func thisBoot() -> String? {
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
    static func take(from file: SnapshotFile, boot: String? = thisBoot()) -> Board.Snapshot? {
        let bytes = try? file.read() ?? nil
        do {
            try file.remove()
        } catch {
            return nil
        }
        guard let boot, let bytes, let kept = try? JSONDecoder().decode(KeptBoard.self, from: Data(bytes)) else {
            return nil
        }
        return kept.boot == boot ? kept.board : nil
    }
}
