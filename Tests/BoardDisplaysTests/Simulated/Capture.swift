import Glibc
import Testing

/// A pipe whose text a test reads back; holds 64 kB.
final class Capture: Sendable {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        reader = ends[0]
        writer = ends[1]
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// The text since the last call.
    func text() -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = unsafe read(reader, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
