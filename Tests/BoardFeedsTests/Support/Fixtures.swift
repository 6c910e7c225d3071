import Glibc
import Testing

@testable import BoardFeeds

/// The project's own fixtures, and the real recordings beside the checkout.
enum Fixtures {
    private static let here = #filePath

    /// The checkout's folder.
    static var checkout: String {
        here.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    }

    /// A file of Tests/BoardFeedsTests/Fixtures.
    static func own(_ name: String) throws -> [UInt8] {
        try RecordingFiles.read(checkout + "/Tests/BoardFeedsTests/Fixtures/" + name)
    }

    /// The folder of the real recordings, which may not be there.
    static var recordings: String {
        unsafe getenv("BOARDD_FIXTURES").map { unsafe String(cString: $0) } ?? checkout + "/../shared/fixtures"
    }

    /// A real recording; nil, said aloud, when that folder is not there.
    static func recorded(_ name: String) -> [UInt8]? {
        do {
            return try RecordingFiles.read(recordings + "/" + name)
        } catch {
            print("SKIPPED: no recording \(name): \(error)")
            return nil
        }
    }

    /// A new folder under /tmp.
    static func temporaryFolder() throws -> String {
        var template = Array("/tmp/boardd-test-XXXXXX".utf8CString)
        let path: String? = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: name)
        }
        return try #require(path)
    }
}
