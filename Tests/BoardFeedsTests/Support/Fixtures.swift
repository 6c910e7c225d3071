import FoundationEssentials
import Glibc
import Testing

@testable import BoardFeeds
@testable import BoardFormats

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

    /// The folder of the real recordings, which may not exist.
    static var recordings: String {
        unsafe getenv("BOARDD_FIXTURES").map { unsafe String(cString: $0) } ?? checkout + "/../shared/fixtures"
    }

    static let hasRecordings = unsafe access(recordings, R_OK) == 0

    /// A real recording; nil, with an issue, when it is missing: tests that need recordings have the trait `.needsRecordings`.
    static func recorded(_ name: String) -> [UInt8]? {
        do {
            return try RecordingFiles.read(recordings + "/" + name)
        } catch {
            Issue.record("no recording \(name): \(error)")
            return nil
        }
    }

    /// A new folder, which is removed when the tests end.
    static func temporaryFolder() throws -> String {
        try newFolder(in: #require(root))
    }

    /// The parent of all temporary folders.
    private static let root: String? = {
        atexit {
            if let root = Fixtures.root { try? FileManager.default.removeItem(atPath: root) }
        }
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

extension Trait where Self == ConditionTrait {
    /// Skips the test where the recordings are not beside the checkout.
    static var needsRecordings: Self {
        .enabled(if: Fixtures.hasRecordings, "the recordings are not beside the checkout")
    }
}
