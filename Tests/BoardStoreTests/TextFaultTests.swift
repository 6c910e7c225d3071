import BoardCore
import BoardStore
import Foundation
import Testing

@Suite("Invalid TOML and invalid texts")
struct TextFaultTests {
    @Test("the first syntax error is reported with its position")
    func syntax() throws {
        #expect(try fault("[language]\nclock = \nhome = ") == "boardd.toml:2:9: not TOML:; found the end of the line")
        #expect(try fault("label = Home  # sweet") == "boardd.toml:1:9: not TOML:; found Home  # sweet")
        #expect(try fault("[\n") ?? "" == "boardd.toml:1:1: not TOML:; found [")
        // toml11 3.7 names the value, 4 the key.
        let twice = try fault("[language]\nclock = '24h'\nclock = '12h'") ?? ""
        #expect(twice.hasPrefix("boardd.toml:3:") && twice.hasSuffix("'12h'"), "\(twice)")
    }

    /// The only fault of a text, without the parser's own message, which differs between its versions.
    private func fault(_ text: String) throws -> String? {
        let all = try faults(text)
        #expect(all.count == 1)
        let parts = (all.first ?? "").split(separator: "not TOML:", maxSplits: 1)
        guard parts.count == 2, let found = parts[1].range(of: "; found ") else { return all.first }
        #expect(parts[1].distance(from: parts[1].startIndex, to: found.lowerBound) > 10)
        return "\(parts[0])not TOML:\(parts[1][found.lowerBound...])"
    }

    @Test("the column of a syntax error counts characters, not code points")
    func syntaxColumn() throws {
        // The first e has a combining accent: two code points, one character.
        let text = "a = { b = \"e\u{301}\", c = }"
        #expect(try faults(text).first?.hasPrefix("boardd.toml:1:20: not TOML") == true)
    }

    @Test("a fault in one file does not hide those of the others")
    func everyFile() throws {
        let found = try faults("x", favourites: "y = 1", keys: "Z=1")
        #expect(
            found.map { String($0.prefix { $0 != " " }) } == [
                "boardd.toml:1:2:", "favourites.toml:1:1:", "keys.env:1:1:",
            ])
    }

    @Test("a NUL is rejected with its position, as a byte and as an escape")
    func nul() throws {
        #expect(try faults("[log]\nlevel = \0'info'") == ["boardd.toml:2:9: a NUL byte; a text file has none"])
        #expect(
            try faults("[log]\nlevel = \"in\\u0000fo\"") == [
                #"boardd.toml:2:9: level is "in\u0000fo", but must be "error", "warning", "info" or "debug""#
            ])
        let key = try faults("\"le\\U00000000vel\" = 1").first ?? ""
        #expect(key.hasPrefix("boardd.toml:1:1: unknown key \"le vel\""))
        #expect(try faults(keys: "DEMO_TOKEN=a\0b") == ["keys.env:1:13: a NUL byte; a text file has none"])
    }

    @Test(
        "bytes that are not UTF-8 are rejected with their position",
        arguments: [[0xFF], [0xC3, 0x28], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) throws {
        let directory = try ConfigurationDirectory()
        try directory.write(Array("# é\n# ".utf8) + bytes + Array("\n".utf8), to: "boardd.toml")
        let error = #expect(throws: ConfigurationError.self) { try directory.load() }
        #expect(error?.faults.first?.position?.line == 2)
        #expect(error?.faults.first?.message == "is not UTF-8 from here on; save the file as UTF-8")
    }

    @Test("a file of more than 100 kB with a byte order mark is rejected, and never truncated by an edit")
    func tooLargeWithMark() throws {
        // One byte more than the limit is read: without the mark, that is within the limit.
        let lines = "\u{FEFF}" + String(repeating: "# 34567890\n", count: 10_000)
        #expect(try faults(lines) == ["boardd.toml: larger than the limit of 100 kB; is this the right file?"])
        let directory = try ConfigurationDirectory(["favourites.toml": lines])
        #expect(throws: FavouritesError.self) { try directory.editor.add(Favourite(stop: demo("4711"))) }
        #expect(directory.favourites == lines)
    }

    @Test("a fault is one line, whatever a key or the name of a file contains")
    func oneLine() throws {
        let found = try faults("\"a\\nboardd.toml:9:9: b\\u001b[1m\" = 1").first ?? ""
        #expect(found.hasPrefix("boardd.toml:1:1: unknown key \"a boardd.toml:9:9: b [1m\""), "\(found)")
        let directory = try ConfigurationDirectory(["feeds.d/a\nb.toml": "["])
        let faults = #expect(throws: ConfigurationError.self) { try directory.load() }
        #expect(faults?.description.contains("/feeds.d/a b.toml:1:1: not TOML: ") == true)
    }

    @Test("a file of more than 100 kB and a line of more than 2000 bytes are rejected")
    func tooLarge() throws {
        let lines = String(repeating: "# 34567890\n", count: 10_000)
        #expect(try faults(lines) == ["boardd.toml: larger than the limit of 100 kB; is this the right file?"])
        let line = "#\n" + String(repeating: "a.", count: 1000) + "a = 1"
        #expect(try faults(line) == ["boardd.toml:2:1: a line of more than 2000 bytes; break it up"])
        for (count, isRejected) in [(2000, false), (2001, true)] {
            #expect(try faults(String(repeating: "#", count: count)).isEmpty != isRejected, "\(count)")
        }
    }

    @Test("the depth of tables is limited, so that no file exhausts the stack")
    func tooDeep() throws {
        let message = "tables are nested deeper than any key needs"
        #expect(try faults("a.b.c.d.e.f.g.h.i.j.k.l.m.n = 1") == ["boardd.toml:1:26: \(message); found .n = 1"])
        #expect(
            try faults("a = [[[[[[[[[[[[[1]]]]]]]]]]]]]") == [
                "boardd.toml:1:17: \(message); found [1\(String(repeating: "]", count: 13))"
            ])
        #expect(try faults("[" + String(repeating: "a.", count: 900) + "a]\nb = ").count == 1)
    }

    @Test("a byte order mark and CRLF line ends change nothing")
    func foreignEditors() throws {
        #expect(try load("\u{FEFF}[log]\r\nlevel = \"debug\"\r\n").logLevel == .debug)
        #expect(
            try faults("\u{FEFF}log = 1\r\n\r\n[bord]\r\n") == [
                "boardd.toml:1:1: log is 1, but must be a table: [log]",
                "boardd.toml:3:2: unknown key \"bord\"; did you mean \"board\"? "
                    + "allowed: board, language, pages, light, quiet, abbreviations, display, button, page, map, fleet, feed, log",
            ])
    }

    @Test("a multi-line or long value is shown truncated and on one line")
    func longValues() throws {
        #expect(
            try faults("[log]\nlevel = \"\"\"\na\nb\"\"\"") == [
                "boardd.toml:2:9: level is \"\"\" a b\"\"\", but must be \"error\", \"warning\", \"info\" or \"debug\""
            ])
        let long = String(repeating: "ä", count: 60)
        #expect(
            try faults("[log]\nlevel = '\(long)'").first?.contains(" is '\(long.prefix(39))…, but must be ") == true)
    }
}
