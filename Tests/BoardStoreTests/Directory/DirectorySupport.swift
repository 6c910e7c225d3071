import BoardCore
import FoundationEssentials
import Glibc
import Testing

@testable internal import BoardStore

/// The feed of most tests.
let city = FeedName("city")

/// An instant in the tests' week.
func day(_ number: Int64) -> Timestamp { Timestamp(seconds: 1_800_000_000 + number * 86_400) }

/// A stop of ``city`` in short form: "area 490A High Street".
func stop(
    _ kind: ListedStop.Kind, _ code: String, _ name: String, letter: String? = nil, towards: String? = nil,
    modes: [String] = ["bus"], lines: [String] = [], at place: (Double, Double)? = nil, parent: String? = nil,
    sms: String? = nil, feed: FeedName = city
) -> ListedStop {
    ListedStop(
        id: StopID(feed: feed, code: code), kind: kind, name: name, letter: letter, towards: towards, modes: modes,
        lines: lines.map { ListedLine(Line(id: $0.lowercased(), name: $0), mode: "bus") },
        coordinates: place.flatMap { Coordinates(latitude: $0.0, longitude: $0.1) },
        parent: parent.map { StopID(feed: feed, code: $0) }, shortCode: sms)
}

/// A pole of ``city``.
func stop(
    _ code: String, _ name: String, letter: String? = nil, towards: String? = nil, modes: [String] = ["bus"],
    lines: [String] = [], at place: (Double, Double)? = nil, parent: String? = nil, sms: String? = nil,
    feed: FeedName = city
) -> ListedStop {
    stop(
        .pole, code, name, letter: letter, towards: towards, modes: modes, lines: lines, at: place, parent: parent,
        sms: sms, feed: feed)
}

/// A folder for a directory, removed at the end of the test.
final class DirectoryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/boardd-directory-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A folder with the directory of these stops.
    convenience init(_ stops: [ListedStop]) throws {
        try self.init()
        try build(stops)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var directory: StopDirectory { StopDirectory(folder: path) }

    /// The path of the live file.
    var live: String { path + "/stops-city.sqlite" }

    /// The names of the existing files, sorted.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func build(_ stops: [ListedStop], of feed: FeedName = city, at moment: Timestamp = day(0)) throws {
        let builder = try DirectoryBuilder(folder: path, feed: feed, at: moment)
        try builder.begin(page: 1)
        for stop in stops { try builder.add(stop) }
        try builder.commit(page: 1)
        try builder.finish(at: moment)
    }

    func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// Replaces the live file by these bytes.
    func replace(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: live), options: .atomic)
    }
}

/// Many poles with names, lines and coordinates.
func manyStops(_ count: Int, from first: Int = 0) -> [ListedStop] {
    (first..<first + count).map { number in
        stop(
            number % 10 == 0 ? .area : .pole, "P\(number)",
            "\(["High", "Mill", "Church"][number % 3]) Street \(number)",
            letter: "N", towards: "Somewhere \(number % 7)", lines: ["\(number % 40)"],
            at: (51 + Double(number) / 10_000, -0.1), sms: "\(10_000 + number)")
    }
}

/// The kind of failure that `body` throws; nil when it throws none.
func failure(_ body: () throws -> Void) throws -> StoreError.Kind? {
    do {
        try body()
        return nil
    } catch let failure as StoreError { return failure.kind }
}
