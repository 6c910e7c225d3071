import Foundation

/// How much of a long test runs: all of it with BOARDD_LONG=1, as in the nightly; otherwise a part, in every run of the tests.
package enum Rounds {
    private static let areAll = ProcessInfo.processInfo.environment["BOARDD_LONG"] == "1"

    /// The number of rounds of a test with random input or many repetitions: one of `part`.
    package static func of(_ count: Int, part: Int = 10) -> Int { areAll ? count : max(1, count / part) }

    /// The cases of a test that takes seconds for each: every `step`-th.
    package static func some<Case>(_ cases: [Case], step: Int) -> [Case] {
        areAll ? cases : cases.indices.filter { $0 % step == 0 }.map { cases[$0] }
    }
}
