internal import Glibc

/// Reads small files of users, of the daemon or of the kernel along guarded paths (``GuardedPath``).
public enum SmallFile {
    public struct Contents: Sendable {
        /// The bytes; one more than the limit for a larger file.
        public let bytes: [UInt8]
        /// The permission bits.
        public let mode: UInt32

        /// The text; invalid UTF-8 is replaced.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Reads a regular file up to one byte more than `limit`.
    public static func read(_ path: String, limit: Int) throws(FileAccessFailure) -> Contents {
        let (descriptor, status) = try GuardedPath.openFile(path)
        defer { _ = close(descriptor) }
        return Contents(bytes: try read(descriptor, limit: limit), mode: status.st_mode & 0o7777)
    }

    /// Reads the rest of an open file up to one byte more than `limit`.
    public static func read(_ descriptor: Int32, limit: Int) throws(FileAccessFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        // Avoids an overflow.
        let maximum = limit < .max ? limit + 1 : limit
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < maximum {
            let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, maximum - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileAccessFailure(errno: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// The names in a folder, unsorted, without `.` and `..`.
    public static func names(in folder: String) throws(FileAccessFailure) -> [String] {
        let descriptor = try GuardedPath.open(folder, O_RDONLY | O_DIRECTORY)
        guard let stream = unsafe fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw FileAccessFailure(errno: number)
        }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
