import BoardCore
import BoardIO
import Glibc
import Testing

@testable internal import BoardStore

@Suite("A damaged stop directory")
struct DamageTests {
    /// Runs every query; returns the failures.
    private func runAllQueries(_ directory: StopDirectory) throws -> [StoreError.Kind] {
        let point = try #require(Coordinates(latitude: 51.01, longitude: -0.1))
        let queries: [() throws -> [StoreError]] = [
            { directory.editions().failures },
            { try directory.search("high street n", limit: 50).failures },
            { try directory.search("s", limit: 50).failures },
            { try directory.search("10100", limit: 50).failures },
            { try directory.near(point, within: Metres(5000), limit: 50).failures },
            { try directory.lines().failures },
            { try directory.candidates(forStop: "P10x0").failures },
            { try directory.candidates(forStop: "hihg steret").failures },
            { try directory.stop(StopID(feed: city, code: "P100")).map { _ in [] } ?? [] },
            { try directory.line(called: "7", in: city).map { _ in [] } ?? [] },
        ]
        var kinds: [StoreError.Kind] = []
        for query in queries {
            do {
                kinds += try query().map(\.kind)
            } catch let failure as StoreError {
                kinds.append(failure.kind)
            }
        }
        return kinds
    }

    private func isCorrupt(_ kind: StoreError.Kind) -> Bool {
        switch kind {
        case .corrupt, .newer, .older: true
        default: false
        }
    }

    @Test(
        "what is no directory is damaged, and set aside", arguments: ["empty", "random", "text", "header", "truncated"])
    func noDirectory(what: String) throws {
        let folder = try DirectoryFolder(manyStops(500))
        let intact = try folder.bytes(folder.live)
        var random = RandomBytes(seed: 3)
        switch what {
        case "empty": try folder.replace(with: [])
        case "random": try folder.replace(with: (0..<20_000).map { _ in random.next() })
        case "text": try folder.replace(with: Array("SQLite format 3".utf8))
        case "header": try folder.replace(with: intact[..<100] + (100..<intact.count).map { _ in random.next() })
        default: try folder.replace(with: Array(intact[..<(intact.count / 3)]))
        }
        let directory = folder.directory
        let kinds = try runAllQueries(directory)
        #expect(!kinds.isEmpty)
        #expect(kinds.allSatisfy(isCorrupt), "\(kinds)")
        let repair = try directory.repair(city)
        guard case .setAside(let failure, let path) = repair else {
            Issue.record("\(repair)")
            return
        }
        #expect(failure.isCorrupt)
        #expect(path == folder.live + ".corrupt")
        #expect(folder.names == ["stops-city.sqlite.corrupt"])
        #expect(try directory.repair(city) == .missing)
        try folder.build(manyStops(3))
        #expect(try directory.search("street", limit: 9).found.count == 3)
        #expect(try directory.repair(city) == .valid)
    }

    @Test("flipped bytes are detected or harmless, and never end the program", arguments: 0..<60)
    func flipped(seed: Int) throws {
        let folder = try DirectoryFolder(Self.stops)
        var bytes = try folder.bytes(folder.live)
        var random = RandomBytes(seed: UInt64(seed))
        for _ in 0...(seed % 12) {
            // Half of them in the first pages, which contain the schema.
            let index = random.number(below: seed % 2 == 0 ? bytes.count : 16_384)
            bytes[index] = seed % 3 == 0 ? random.next() : bytes[index] ^ (1 << (random.next() % 8))
        }
        try folder.replace(with: bytes)
        let directory = folder.directory
        #expect(try runAllQueries(directory).allSatisfy(isCorrupt))
        // Update and check handle whatever remains.
        let kind = try failure { _ = try directory.repair(city) }
        if let kind { #expect(isCorrupt(kind), "\(kind)") }
    }

    private static let stops = manyStops(400)

    @Test("a damaged file hides no other feed's stops, and is not read again until it is replaced")
    func others() throws {
        let folder = try DirectoryFolder([stop("1", "Mill Lane")])
        let town = FeedName("town")
        try folder.build([stop("1", "Mill Road", feed: town)], of: town)
        try folder.replace(with: Array("no database".utf8))
        let directory = folder.directory
        let result = try directory.search("mill", limit: 9)
        #expect(result.found.map(\.id.description) == ["town:1"])
        #expect(result.failures.map(\.file) == [folder.live])
        #expect(directory.editions().found.map(\.feed) == [town])
        #expect(directory.editions().failures.count == 1)
        try folder.build([stop("1", "Mill Lane")])
        #expect(try directory.search("mill", limit: 9).found.count == 2)
    }

    @Test("a file that cannot be checked is not rebuilt")
    func notAFile() throws {
        let folder = try DirectoryFolder()
        let failure = StoreError.reading(FileError(errno: EACCES), file: folder.live)
        #expect(failure.kind == .unreadable("Permission denied"))
        #expect(!failure.isCorrupt)
        #expect(failure.description.contains("0644"))
    }
}

/// Random bytes, the same each time.
struct RandomBytes {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2_654_435_761 &+ 99 }

    mutating func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 40)
    }

    mutating func number(below limit: Int) -> Int {
        var value = 0
        for _ in 0..<4 { value = value << 8 | Int(next()) }
        return value % limit
    }
}
