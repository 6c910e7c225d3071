import BoardCore
import BoardStore
import Testing
import Waiting

@Suite("Random edits of favourites.toml")
struct FavouritesPropertyTests {
    /// Writes a file with comments everywhere. Each comment names its owner: a stop, the values of a stop, or none.
    private struct Author {
        var generator: TOMLGenerator
        let lineEnd: String
        private(set) var text = ""
        private(set) var entries: [FavouriteEntry] = []
        private var comments = 0

        init(seed: UInt64) throws {
            generator = TOMLGenerator(seed: seed)
            lineEnd = generator.random(4) == 0 ? "\r\n" : "\n"
            if generator.random(2) == 0 { text += comment("free") + lineEnd }
            let isClose = generator.random(3) == 0
            for code in 1...(1 + generator.random(6)) {
                if generator.random(4) == 0 {
                    try nearby(code)
                } else {
                    stop("\(code)", isClose: isClose)
                }
                if !isClose { gap() }
            }
            if generator.random(4) == 0, text.hasSuffix(lineEnd) { text.removeLast() }
        }

        private mutating func comment(_ owner: String) -> String {
            comments += 1
            return "# [[stop]] \(owner).\(comments);" + lineEnd
        }

        private mutating func gap() {
            text += lineEnd
            if generator.random(3) == 0 { text += comment("free") + lineEnd }
            if generator.random(4) == 0 { text += lineEnd }
        }

        private mutating func nearby(_ number: Int) throws {
            text += "[[nearby]]" + lineEnd + "location = \"\(number),1\"" + lineEnd
            let place = try #require(Coordinates(latitude: Double(number), longitude: 1))
            entries.append(.nearby(Nearby(location: place)))
        }

        private mutating func stop(_ code: String, isClose: Bool) {
            let owner = "stop\(code)"
            if generator.random(2) == 0 { text += comment(owner) }
            text += ["[[stop]]", "  [[ stop ]]", "[[\"stop\"]]"][generator.random(3)] + lineEnd
            let blanks = ["=", " = ", "    = "][generator.random(3)]
            text += "id\(blanks)'demo:\(code)'"
            text += generator.random(3) == 0 ? " " + comment("values\(code)") : lineEnd
            var lines: [String] = []
            if generator.random(3) == 0 { text += comment(owner) }
            if generator.random(3) > 0 {
                lines = (0...generator.random(3)).map { "\(code)\($0)" }
                if generator.random(2) == 0 {
                    text += "lines\(blanks)[" + lines.map { "\"\($0)\"" }.joined(separator: ",") + "]" + lineEnd
                } else {
                    text += "lines\(blanks)[" + lineEnd
                    for line in lines {
                        if generator.random(4) == 0 { text += comment(owner) }
                        text += "  '\(line)', " + (generator.random(2) == 0 ? comment("values\(code)") : lineEnd)
                    }
                    text += "]" + lineEnd
                }
            }
            if generator.random(3) == 0 { text += lineEnd + "sort = \"line\"" + lineEnd }
            var favourite = Favourite(stop: demo(code), lines: lines)
            if text.hasSuffix("sort = \"line\"" + lineEnd) { favourite.sort = .line }
            if generator.random(3) == 0 {
                text += "walk\(blanks)\"4m\"" + lineEnd + "when\(blanks)[ \"weekend\",\"06:30-09:30\" ]" + lineEnd
                favourite.walk = .seconds(240)
                favourite.when = [WeeklyWindow(from: 0, to: 0, days: [.sat, .sun]), WeeklyWindow(from: 390, to: 570)]
            }
            // Where tables are adjacent, a comment between two of them belongs to the second.
            if !isClose, generator.random(4) == 0 { text += comment(owner) }
            entries.append(.stop(favourite))
        }
    }

    /// The comments of a text, sorted, without those of these owners.
    private func comments(_ text: String, without owners: Set<String> = []) -> [String] {
        text.split(separator: "# [[stop]] ").dropFirst(text.hasPrefix("#") ? 0 : 1)
            .map { String($0.prefix { $0 != ";" }) }
            .filter { !owners.contains(String($0.prefix { $0 != "." })) }.sorted()
    }

    @Test("yield the intended list, and keep the line ends and each comment on a line of its own whose owner remains")
    func random() throws {
        for seed in 1...Rounds.of(150) {
            let author = try Author(seed: UInt64(seed))
            var generator = author.generator
            var expected = author.entries
            var gone: Set<String> = []
            var lineEnd = author.lineEnd
            let directory = try ConfigurationDirectory(["favourites.toml": author.text])
            for step in 1...6 {
                let named = expected.named
                let position = generator.random(expected.count + 1)
                let choice = generator.random(4)
                if choice == 0 || named.isEmpty {
                    let new = Favourite(stop: demo("10\(step)"), lines: generator.random(2) == 0 ? [] : ["73", "N9"])
                    expected.insert(.stop(new), at: position)
                    try directory.editor.add(new, at: position + 1)
                } else {
                    let old = named[generator.random(named.count)]
                    let index = try #require(expected.firstIndex(of: .stop(old)))
                    switch choice {
                    case 1:
                        expected.remove(at: index)
                        gone.formUnion(["stop\(old.stop.code)", "values\(old.stop.code)"])
                        try directory.editor.remove(old.stop)
                    case 2:
                        let new = min(position, expected.count - 1)
                        expected.insert(expected.remove(at: index), at: new)
                        try directory.editor.move(old.stop, to: new + 1)
                    default:
                        let lines = old.lines.filter { _ in generator.random(2) == 0 } + ["L\(step)"]
                        let remaining = generator.random(4) == 0 ? [] : lines
                        var changed = old
                        changed.lines = remaining
                        if generator.random(2) == 0 { changed.sort = changed.sort == .time ? .line : .time }
                        if generator.random(2) == 0 { changed.walk = changed.walk == nil ? .seconds(90) : nil }
                        if generator.random(2) == 0 { changed.platforms = changed.platforms.isEmpty ? ["3", "4"] : [] }
                        if generator.random(2) == 0 {
                            let night = WeeklyWindow(from: 1320, to: 120, days: [.fri, .sat])
                            changed.when = changed.when.isEmpty ? [night] : [night] + changed.when.suffix(1)
                            if changed.when.first == changed.when.last { changed.when = [] }
                        }
                        if changed != old { gone.insert("values\(old.stop.code)") }
                        expected[index] = .stop(changed)
                        try directory.editor.change(old.stop) { $0 = changed }
                    }
                }
                let text = directory.favourites ?? ""
                #expect(try directory.load().entries == expected, "seed \(seed):\n\(author.text)\n--- became\n\(text)")
                #expect(
                    comments(text, without: gone) == comments(author.text, without: gone),
                    "seed \(seed):\n\(author.text)\n--- became\n\(text)")
                #expect(!text.contains("\n\n\n\n"), "seed \(seed):\n\(text)")
                // An empty file does not define its line ends.
                if text.isEmpty { lineEnd = "\n" }
                let returns = text.utf8.count { $0 == UInt8(ascii: "\r") }
                let ends = text.utf8.count { $0 == UInt8(ascii: "\n") }
                #expect(returns == (lineEnd == "\n" ? 0 : ends), "seed \(seed):\n\(text)")
            }
        }
    }
}
