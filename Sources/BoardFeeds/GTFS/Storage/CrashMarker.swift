import BoardCore
import BoardIO
import Glibc

/// A file that exists while an archive is read; if it exists at the next start, boardd crashed while reading. It is
/// written before each reading and removed afterwards, whatever the result. Calls block.
///
/// Its folder is cleared when the machine restarts, not when boardd does, so a power cut does not count as a crash, and
/// nothing is written to the SD card. A user may restart boardd during a reading, so one record proves nothing.
struct CrashMarker: Sendable {
    struct Record: Hashable, Sendable {
        let identity: FileIdentity
        /// The number of unfinished readings in a row.
        var attempts: Int
        /// The start of the last one, by the machine's clock.
        var startedAt: Timestamp
    }

    /// An archive is not read again after this many unfinished readings.
    static let maximumAttempts = 2

    let path: String

    var record: Record? { (try? SmallFile.read(path, limit: 1_024)).flatMap { Record($0.text) } }

    /// Records that a reading begins. A failed write is ignored: the reading continues.
    ///
    /// - Parameter isDownload: whether the file is a download, of which every version counts as the same archive.
    func begin(_ identity: FileIdentity, at moment: Timestamp, isDownload: Bool) {
        let attempts = record.flatMap { isDownload || $0.identity == identity ? $0.attempts : nil } ?? 0
        let record = Record(identity: identity, attempts: attempts + 1, startedAt: moment)
        // A file owned by root, left by a manual update, is not writable but can be removed.
        end()
        _ = try? AtomicFile.write(Array(record.text.utf8).span, to: path, through: "\(path).part", mode: 0o644)
    }

    func end() { _ = unsafe unlink(path) }
}

extension CrashMarker.Record {
    fileprivate init?(_ text: String) {
        let numbers = text.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 7 else { return nil }
        self.init(
            identity: FileIdentity(
                device: UInt64(bitPattern: numbers[0]), inode: UInt64(bitPattern: numbers[1]), size: numbers[2],
                seconds: numbers[3], nanoseconds: numbers[4]),
            attempts: Int(clamping: numbers[5]), startedAt: Timestamp(seconds: numbers[6]))
    }

    fileprivate var text: String {
        [
            Int64(bitPattern: identity.device), Int64(bitPattern: identity.inode), identity.size, identity.seconds,
            identity.nanoseconds, Int64(attempts), startedAt.seconds,
        ].map(String.init).joined(separator: " ")
    }
}
