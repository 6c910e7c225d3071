import BoardCore
import Testing

@Suite("Time zone files")
struct ZoneFileTests {
    /// London's last two changes in the file, then the rule.
    private var london: TZifWriter {
        var file = TZifWriter()
        file.changes = [(at: -3_852_662_325, type: 1), (at: 1_711_846_800, type: 2), (at: 1_729_990_800, type: 1)]
        file.types = [(-75, 0, 0), (0, 0, 4), (3_600, 1, 8)]
        file.designations = Array("LMT\0GMT\0BST\0".utf8)
        file.indicators = 3
        file.footer = "\nGMT0BST,M3.5.0/1,M10.5.0\n"
        return file
    }

    private func offset(_ zone: Zone, _ seconds: Int64) -> Duration {
        zone.offset(at: Timestamp(seconds: seconds))
    }

    @Test("the first type applies before the first change, then each change's, then the rule")
    func newerVersions() throws {
        for version in ["2", "3", "4"] as [Unicode.Scalar] {
            var file = london
            file.version = UInt8(ascii: version)
            let zone = try Zone(tzif: file.bytes.span)
            #expect(offset(zone, -3_852_662_326) == .seconds(-75))
            #expect(offset(zone, -3_852_662_325) == .seconds(0))
            #expect(offset(zone, 1_711_846_799) == .seconds(0))
            #expect(offset(zone, 1_711_846_800) == .seconds(3_600))
            #expect(offset(zone, 1_729_990_800) == .seconds(0))
            #expect(offset(zone, 4_086_990_000) == .seconds(3_600))
        }
    }

    @Test("version 1 has 32-bit times and no rule: its last type continues")
    func version1() throws {
        var file = london
        file.version = 0
        file.changes[0].at = -2_000_000_000
        file.changes.removeLast()
        let zone = try Zone(tzif: file.bytes.span)
        #expect(offset(zone, -2_000_000_001) == .seconds(-75))
        #expect(offset(zone, -2_000_000_000) == .seconds(0))
        #expect(offset(zone, 1_711_846_800) == .seconds(3_600))
        #expect(offset(zone, 4_086_990_000) == .seconds(3_600))
        #expect(zone.nextChange(after: Timestamp(seconds: 1_711_846_800)) == nil)
    }

    @Test("with an empty rule the last type continues; without changes the first one does")
    func emptyRule() throws {
        var file = london
        file.footer = "\n\n"
        #expect(offset(try Zone(tzif: file.bytes.span), 4_086_990_000) == .seconds(0))
        file.changes = []
        #expect(offset(try Zone(tzif: file.bytes.span), 4_086_990_000) == .seconds(-75))
        file.footer = "\n<+0545>-5:45\n"
        #expect(offset(try Zone(tzif: file.bytes.span), -4_086_990_000) == .seconds(20_700))
    }

    @Test("an invalid file is rejected with the reason")
    func malformed() {
        func error(_ change: (inout TZifWriter) -> Void) -> String? {
            var file = london
            change(&file)
            do {
                _ = try Zone(tzif: file.bytes.span)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(error { _ in } == nil)
        #expect(error { $0.footer = "\nGMT0BST\n" } == "not a POSIX time zone rule: \"GMT0BST\"")
        #expect(error { $0.footer = "GMT0\n" } == "damaged time zone file: no newline before the rule")
        #expect(error { $0.footer = "\nGMT0" } == "time zone file ends too early")
        #expect(error { $0.footer = "" } == "time zone file ends too early")
        #expect(error { $0.changes[1].type = 3 } == "damaged time zone file: transition 1 to an undefined type")
        #expect(error { $0.changes[1].at = $0.changes[0].at } == "damaged time zone file: transition 1 is out of order")
        #expect(error { $0.types[2].offset = .min } == "damaged time zone file: an offset of -2147483648 s")
        #expect(error { $0.types[2].isDaylight = 2 } == "damaged time zone file: local time type 2")
        #expect(error { $0.types[2].designation = 12 } == "damaged time zone file: local time type 2")
        #expect(error { $0.indicators = 2 } == "damaged time zone file: its indicators do not match its types")
        #expect(error { $0.version = UInt8(ascii: "1") } == "damaged time zone file: version 49")
        #expect(
            error { $0.leaps = [(at: 78_796_800, correction: 1)] }
                == "time zone file counts leap seconds; use the file that is not under right/")
        #expect(
            error {
                $0.changes = []
                $0.types = []
                $0.indicators = 0
            } == "damaged time zone file: it has no local time type")
    }

    @Test("a file of another type is rejected as such", arguments: ["", "GMT0BST", "<html>", "TZix"])
    func noFile(_ text: String) {
        #expect(throws: PlainError("not a time zone file (RFC 9636)")) { try Zone(tzif: Array(text.utf8).span) }
    }

    @Test("counts of four thousand million are rejected without allocation")
    func hugeCounts() {
        var bytes = london.bytes
        for index in bytes.indices where (20..<44).contains(index) { bytes[index] = 0xFF }
        #expect(throws: PlainError("time zone file ends too early")) { try Zone(tzif: bytes.span) }
    }

    @Test("a file truncated anywhere is rejected")
    func truncations() {
        let bytes = london.bytes
        for count in bytes.indices {
            #expect(throws: PlainError.self) { try Zone(tzif: bytes.span.extracting(0..<count)) }
        }
    }

    @Test("no damaged byte makes a zone trap")
    func damage() {
        let original = london.bytes
        var random = RandomSource(seed: 9_636)
        var zones = 0
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            guard let zone = try? Zone(tzif: bytes.span) else { continue }
            zones += 1
            for seconds in [Int64.min, -4_000_000_000, 0, 1_720_000_000, 4_086_990_000, .max] {
                let moment = Timestamp(seconds: seconds)
                _ = zone.nextChange(after: moment)
                _ = zone.timestamps(of: zone.localTime(at: moment))
            }
        }
        // Both results must occur for the test to be meaningful.
        #expect((1..<20_000).contains(zones))
    }
}
