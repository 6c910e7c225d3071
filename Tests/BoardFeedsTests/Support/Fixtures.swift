import BoardCore
import FoundationEssentials
import Glibc
import TestOperators
import Testing

@testable import BoardFeeds

/// The project's own fixtures, and temporary folders.
enum Fixtures {
    /// A file of Tests/BoardFeedsTests/Fixtures.
    static func own(_ name: String) throws -> [UInt8] {
        try RecordingFiles.read(Checkout.path + "/Tests/BoardFeedsTests/Fixtures/" + name)
    }

    /// A new folder, which is removed when the tests end.
    static func temporaryFolder() throws -> String { try newFolder(in: #require(root)) }

    /// The parent of all temporary folders.
    private static let root: String? = {
        atexit { if let root = Fixtures.root { try? FileManager.default.removeItem(atPath: root) } }
        return try? newFolder(in: "/tmp")
    }()

    private static func newFolder(in parent: String) throws -> String {
        var template = Array("\(parent)/boardd-test-XXXXXX".utf8CString)
        let path: String? = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: name)
        }
        return try #require(path)
    }
}

extension Timestamp {
    /// A moment by the clocks of a zone: 2026-03-04T00:00:00.
    init?(local text: String, in zone: Zone) {
        guard let wall = Timestamp(rfc3339: text + "Z") else { return nil }
        self = zone.timestamp(of: wall.utc, nearest: wall)
    }
}
