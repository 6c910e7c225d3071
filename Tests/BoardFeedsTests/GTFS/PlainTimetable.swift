import Glibc
import TestOperators
import Testing

@testable import BoardFeeds

/// An independent reader of timetables: a small Python program for the same zip.
enum PlainTimetable {
    /// The departures of all stops on some days; nil, with a note, without a suitable Python.
    ///
    /// - Parameter days: YYYYMMDD.
    static func lines(_ zip: String, _ days: [String]) throws -> [String]? {
        let script = Checkout.path + "/Tests/BoardFeedsTests/Fixtures/plain_timetable.py"
        let words = ["python3", script, zip] + days
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        guard let pipe = unsafe popen(command + " 2>/dev/null", "r") else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, pipe)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        guard unsafe pclose(pipe) == 0 else {
            print("SKIPPED: no independent reading of \(zip): python3 with zoneinfo, or tzdata, is absent")
            return nil
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
