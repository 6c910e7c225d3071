import FoundationEssentials
package import Testing

/// The checkout that contains the tests.
package enum Checkout {
    package static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        .path
}

/// The real recordings of operators, which may be missing.
package enum Recordings {
    /// The folder of the recordings.
    package static let folder =
        ProcessInfo.processInfo.environment["BOARDD_FIXTURES"] ?? Checkout.path + "/../shared/fixtures"

    static let exist = FileManager.default.fileExists(atPath: folder)

    /// A recording; nil, with an issue, when it is missing: tests that need recordings have the trait `.needsRecordings`.
    package static func read(_ name: String) -> [UInt8]? {
        do {
            return Array(try Data(contentsOf: URL(filePath: folder + "/" + name)))
        } catch {
            Issue.record("no recording \(name): \(error)")
            return nil
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where the recordings are not beside the checkout.
    package static var needsRecordings: Self {
        .enabled(if: Recordings.exist, "the recordings are not beside the checkout")
    }
}
