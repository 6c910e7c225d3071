internal import BoardCore
internal import Glibc

/// A note on the disk that an archive is being read: one that is still there at the next start says that the reading ended the
/// program. Written before a reading and removed after it, whatever came of it; calls block.
///
/// It lies where a restart of the program leaves it and one of the machine does not, so that no power cut is taken for a bad
/// archive, and an SD card is spared. A person may restart the program while it reads, so that one note alone says nothing.
struct CrashMarker: Sendable {
    /// A reading that did not end.
    struct Record: Hashable, Sendable {
        let identity: ArchiveStore.FileIdentity
        /// How many began in a row.
        var attempts: Int
        /// When the last one began, by the machine's clock.
        var startedAt: Timestamp
    }

    /// After so many readings that did not end an archive is not read again.
    static let mostAttempts = 2

    /// Where the note is.
    let path: String

    /// The note that was left; nil: the last reading ended, or there is none on record.
    var note: Record? {
        guard let bytes = try? RecordingFiles.read(path, limit: 1_024) else { return nil }
        return Record(String(decoding: bytes, as: UTF8.self))
    }

    /// Notes that a reading begins. Where nothing can be written nothing is noted: the reading goes on.
    ///
    /// - Parameter isOther: whether another edition counts as the same archive, as each that comes of one address does.
    func begin(_ identity: ArchiveStore.FileIdentity, at moment: Timestamp, isOther: Bool) {
        let before = note.flatMap { isOther || $0.identity == identity ? $0.attempts : nil } ?? 0
        let note = Record(identity: identity, attempts: before + 1, startedAt: moment)
        // Root's, of an update by hand, could not be written.
        end()
        _ = try? RecordingFiles.write(Array(note.text.utf8), to: path, mode: 0o644)
    }

    /// Notes that the reading has ended.
    func end() {
        _ = unsafe unlink(path)
    }
}

extension CrashMarker.Record {
    /// What the text says; nil: it is no note.
    fileprivate init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard numbers.count == 6, let inode = numbers[0], let size = numbers[1], let seconds = numbers[2],
            let nanoseconds = numbers[3], let attempts = numbers[4], let startedAt = numbers[5]
        else { return nil }
        self.init(
            identity: ArchiveStore.FileIdentity(
                inode: UInt64(bitPattern: inode), size: size, seconds: seconds, nanoseconds: nanoseconds),
            attempts: Int(clamping: attempts), startedAt: Timestamp(seconds: startedAt))
    }

    fileprivate var text: String {
        [
            Int64(bitPattern: identity.inode), identity.size, identity.seconds, identity.nanoseconds, Int64(attempts),
            startedAt.seconds,
        ].map(String.init).joined(separator: " ")
    }
}
