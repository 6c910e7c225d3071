import BoardCore
import BoardDisplays
import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable internal import BoardStore

/// Reads configuration files from bytes to values, with mutated content.
@Suite("Mutated configuration files", .endsHangs)
struct MutatedFilesTests {
    /// The number of files; BOARDD_MUTATIONS and BOARDD_SEED set other values.
    private static let count = Int(ProcessInfo.processInfo.environment["BOARDD_MUTATIONS"] ?? "") ?? 3_000
    private static let seed = UInt64(ProcessInfo.processInfo.environment["BOARDD_SEED"] ?? "") ?? 1

    private static let odd = [
        "a = []\n[a.b]\n", "a = [ x # y\n]\n",
        "[[stop]]\nid = \"demo:1\"\n[stop.a]\n[[stop]]\nlines = [[1, 2], [{d = 1}]]\n",
        "a.b.'c'.\"d\\u0000\" = \"\"\"x\\\n y\"\"\"\"\"\n", "x = {a.b = 1, c = [1,\n2]}\nd = 1979-05-27 07:32:00.5Z\n",
        "e = -1.5e3\nf = 0x1F\ng = '''a\n'''''\n", "[[\u{201C}stop\u{201D}]]\n",
        "[a]\nb.c = 1\n[a.d]\n[[e.f]]\n[e.f.g]\n",
    ]
    private static let tokens = [
        "[", "]", "[[", "]]", "{", "}", "\"", "'", "\"\"\"", "'''", "#", "\n", "\r\n", "=", ".", ",", "\\", "\\u",
        "\\ud800",
        "a", "0", "1979-01-01", "T12:00:00", "true", "nan", "_", "-", "e", "\t", " ", "\u{1}", "é", "\u{201C}",
        "a = []\n",
        "\0", "\u{FEFF}",
    ].map { Array($0.utf8) }

    private static func shipped() throws -> [[UInt8]] {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let folder = root.path + "/etc/boardd"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".toml") }
            .sorted()
        return try names.map { Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) }
    }

    private func mutated(_ seeds: [[UInt8]], by generator: inout TOMLGenerator) -> [UInt8] {
        var bytes = seeds[generator.random(seeds.count)]
        if generator.random(4) > 0 { bytes = Array(bytes.dropFirst(generator.random(bytes.count + 1)).prefix(600)) }
        for _ in 0..<generator.random(6) {
            let index = generator.random(bytes.count + 1)
            let token = Self.tokens[generator.random(Self.tokens.count)]
            switch generator.random(6) {
            case 0 where index < bytes.count: bytes[index] = UInt8(generator.random(256))
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + generator.random(12)))
            case 2: bytes.insert(contentsOf: bytes.dropFirst(generator.random(bytes.count + 1)).prefix(60), at: index)
            case 3:
                let count = generator.random(40)
                bytes.insert(contentsOf: repeatElement(token, count: count).joined(), at: index)
            default: bytes.insert(contentsOf: token, at: index)
            }
        }
        return bytes
    }

    @Test("no file ends the program, and each is read or has a fault with its position")
    func mutations() throws {
        let seeds = try Self.shipped() + Self.odd.map { Array($0.utf8) }
        var generator = TOMLGenerator(seed: Self.seed)
        var read = 0
        for _ in 0..<Self.count {
            let bytes = mutated(seeds, by: &generator)
            let collector = FaultCollector()
            do throws(SourceError) {
                let document = try TOMLDocument(SourceText(file: "file", bytes: bytes))
                var configuration = Configuration()
                _ = BoardFile.read(
                    document, declarations: declarations, pinMaps: ["standard": .standard], into: &configuration,
                    collector)
                _ = FavouritesFile(document, declarations: declarations, into: collector)
                read += 1
            } catch {
                collector.add(error)
            }
            _ = try? FavouritesText(bytes, file: "file", declarations: declarations)
            for fault in collector.faults { #expect(!fault.message.isEmpty && fault.position != nil, "\(fault)") }
        }
        #expect(read > Self.count / 20)
        print("mutated files: \(Self.count), seed \(Self.seed), without syntax error: \(read)")
    }

    @Test("loads leak no memory")
    func reloads() async {
        // In a separate process, in which nothing else allocates memory meanwhile.
        await #expect(processExitsWith: .success) {
            let loads = Rounds.of(3_000)
            let growth = try MutatedFilesTests.growth(loads: loads)
            // TOMLKit leaked 2.6 kB per load and more.
            #expect(growth < loads * 1_000, "\(growth) bytes more are resident")
        }
    }

    /// The growth of the resident memory in bytes, after some preceding loads.
    private static func growth(loads: Int) throws -> Int {
        let directory = try ConfigurationDirectory()
        for (index, bytes) in try shipped().enumerated() { try directory.write(bytes, to: "feeds.d/\(index).toml") }
        func load(_ count: Int) throws {
            for index in 0..<count {
                let end = index.isMultiple(of: 2) ? "[\n" : "label = \"A\"\n"
                try directory.write(Array("[[stop]]\nid = \"demo:\(index)\"\n\(end)".utf8), to: "favourites.toml")
                _ = try? directory.load()
            }
        }
        func resident() throws -> Int {
            let pages = try String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8).split(separator: " ")
            return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(getpagesize())
        }
        try load(200)
        let before = try resident()
        try load(loads)
        return try resident() - before
    }
}
