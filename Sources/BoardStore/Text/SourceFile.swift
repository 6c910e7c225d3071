internal import Glibc

/// Reading of small files, with errors that a person can act on.
enum SourceFile {
    /// Why a file was not read.
    struct Failure: Error {
        /// The system's error number.
        let number: Int32

        /// The system's words for it.
        var text: String {
            var buffer = [CChar](repeating: 0, count: 256)
            guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// What is read of a file.
    struct Contents {
        /// The bytes; one more than `limit` of a file that is larger.
        let bytes: [UInt8]
        /// The permission bits.
        let mode: UInt32
    }

    /// Reads a file up to `limit` bytes and one.
    static func read(_ path: String, limit: Int) throws(Failure) -> Contents {
        // Not blocking: a pipe that somebody put in the file's place must not hold the start.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { _ = Glibc.close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Failure(number: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure(number: EISDIR) }

        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= limit {
            let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, limit + 1 - bytes.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return Contents(bytes: bytes, mode: status.st_mode & 0o7777)
    }

    /// The names in a folder, in no order; none where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(cString: $0)
                }
            }
            names.append(name)
        }
        return names
    }
}
