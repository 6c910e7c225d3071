internal import Glibc

/// Small files of a person or of the kernel, whose size is not known beforehand.
enum SmallFile {
    /// A file as it was read.
    struct Contents: Sendable {
        /// The text; what is no UTF-8 is replaced.
        let text: String
        /// The permission bits.
        let mode: UInt32
    }

    /// Why a file could not be read (`errno`).
    struct Failure: Error {
        let number: Int32

        /// The system's words for it.
        var text: String { unsafe String(cString: strerror(number)) }
    }

    /// Reads a file of at most 1 MB; a pipe in its place is not waited for.
    static func read(_ path: String) throws(Failure) -> Contents {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Failure(number: errno) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 1_000_000 {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return Contents(text: String(decoding: bytes, as: UTF8.self), mode: status.st_mode & 0o7777)
    }

    /// The names in a folder that begin with one of these, in order; none where there is no folder.
    static func names(in folder: String, beginning prefixes: [String]) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if prefixes.contains(where: { name.hasPrefix($0) }) { names.append(name) }
        }
        return names.sorted()
    }
}
