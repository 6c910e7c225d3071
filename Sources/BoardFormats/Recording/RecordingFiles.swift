internal import BoardIO
package import Glibc

/// File operations for recordings. All of them block: do not call them on Swift's cooperative pool.
package enum RecordingFiles {
    static let suffix = ".http"

    /// The file name for a number, such that names sort as numbers.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits + suffix
    }

    /// The names of the recorded files in `directory`, in their order.
    static func names(in directory: String) throws(RecordingFailure) -> [String] {
        let names: [String]
        do throws(FileAccessFailure) {
            names = try SmallFile.names(in: directory).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
        } catch {
            throw RecordingFailure(file: directory, detail: "cannot be opened: \(error)")
        }
        // Above 99 999 names are longer: the shorter name is the earlier.
        return names.sorted { $0.utf8.count == $1.utf8.count ? $0 < $1 : $0.utf8.count < $1.utf8.count }
    }

    /// Makes `directory` if it does not exist.
    static func makeDirectory(_ directory: String) throws(RecordingFailure) {
        guard unsafe mkdir(directory, 0o755) != 0, errno != EEXIST else { return }
        throw failure(directory, "cannot be made")
    }

    /// Whether the file does not exist, as opposed to one that cannot be read.
    package static func isAbsent(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// The whole of a file, or at most its first `limit` bytes.
    package static func read(_ path: String, limit: Int = .max) throws(RecordingFailure) -> [UInt8] {
        do throws(FileAccessFailure) {
            let bytes = try SmallFile.read(path, limit: limit).bytes
            return bytes.count > limit ? Array(bytes.prefix(limit)) : bytes
        } catch {
            throw RecordingFailure(file: path, detail: "cannot be read: \(error)")
        }
    }

    /// Writes a file atomically.
    ///
    /// - Parameter mode: the permissions; a recording is private to its owner, since its stops reveal where the user lives.
    package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(RecordingFailure) {
        do throws(FileAccessFailure) {
            try AtomicFile.write(bytes.span, to: path, through: path + ".part", mode: mode)
        } catch {
            throw RecordingFailure(file: path, detail: "cannot be written: \(error)")
        }
    }

    /// A failure with the current `errno`.
    static func failure(_ path: String, _ what: String) -> RecordingFailure {
        RecordingFailure(file: path, detail: "\(what): \(errnoText(errno))")
    }
}
