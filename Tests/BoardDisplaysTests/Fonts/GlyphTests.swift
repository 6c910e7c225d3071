import Testing

@testable import BoardCore
@testable import BoardDisplays

@Suite("Custom glyphs")
struct GlyphTests {
    @Test("no two characters share a picture, none is blank, all are 5 dots wide and 8 high")
    func pictures() {
        let entries = GlyphLibrary.entries
        #expect(GlyphLibrary.characters.count == entries.count)
        for (character, entry) in entries {
            #expect(entry.glyph.rows.count == 8, "\(character)")
            #expect(entry.glyph.rows.contains { $0 != 0 }, "\(character)")
            #expect(entry.glyph.rows.allSatisfy { $0 <= 0x1F }, "\(character)")
            #expect(entry.glyph.character == character)
        }
    }

    @Test("every glyph is needed by some ROM, and has a look-alike on each")
    func needed() {
        for character in GlyphLibrary.entries.keys where character != "¿" {
            let isLacking = CharacterROM.allCases.contains { $0.code(of: character) == nil }
            #expect(isLacking, "\(character)")
            for rom in CharacterROM.allCases { #expect(rom.lookAlike(of: character) != 0x3F, "\(character) on \(rom)") }
        }
    }

    @Test("every character that a board uses has a glyph on A00 or is in the ROM")
    func board() {
        for character in "⇨~…✗⚠£€°éèêáàçäöüÄÖÜñåø\\~↑↓→←▶◀" {
            let has = CharacterROM.a00.code(of: character) != nil || Glyph.named(character) != nil
            #expect(has, "\(character)")
        }
    }

    @Test(
        "every letter of a phrase is in the usual panel's ROM, or one of at most eight glyphs",
        arguments: Language.allCases)
    func letters(language: Language) {
        for phrase in Phrase.allCases {
            for form in language.words[phrase] {
                var glyphs: Set<Glyph> = []
                for letter in form {
                    switch CharacterROM.a00.rendition(of: letter) {
                    case .code(let code): #expect(code != 0x3F || letter == "?", "\(phrase): \(letter)")
                    case .glyph(let glyph, _, _): glyphs.insert(glyph)
                    }
                }
                #expect(glyphs.count <= GlyphSlots.count, "\(phrase): \(form)")
            }
        }
    }

    @Test("a glyph is drawn as pictured")
    func drawing() {
        #expect(Glyph.named("é")?.rows == [0b00010, 0b00100, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110, 0])
        #expect(Glyph.named("Ü")?.rows == [0b01010, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110, 0])
    }

    @Test("missing rows are blank, surplus ones and surplus dots are cut off")
    func sizes() {
        #expect(Glyph(rows: [0xFF]).rows == [0x1F, 0, 0, 0, 0, 0, 0, 0])
        #expect(Glyph(rows: Array(repeating: 1, count: 12)).rows == Array(repeating: 1, count: 8))
    }
}

@Suite("Slots for glyphs")
struct GlyphSlotsTests {
    private let panel = Panel(size: DisplaySize(columns: 16, rows: 2))

    private func frame(_ rows: String...) -> Frame { Frame(columns: 16, rows: rows) }

    @Test("a frame without glyphs takes no slot")
    func none() {
        var slots = GlyphSlots()
        let encoding = slots.encode(frame("73 due", "ä"), for: panel)
        #expect(encoding.uploads.isEmpty)
        #expect(encoding.codes.prefix(6) == [0x37, 0x33, 0x20, 0x64, 0x75, 0x65])
        #expect(encoding.codes[16] == 0xE1)
        #expect(encoding.codes.count == 32)
    }

    @Test("codes are 08 to 0F, never 0")
    func codes() {
        var slots = GlyphSlots()
        let encoding = slots.encode(frame("éèêáàâíì"), for: panel)
        #expect(encoding.codes.prefix(8).sorted() == [8, 9, 10, 11, 12, 13, 14, 15])
        #expect(encoding.uploads == [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test("a loaded glyph keeps its slot, wherever it moves on the display")
    func stays() {
        var slots = GlyphSlots()
        let first = slots.encode(frame("éè"), for: panel)
        let second = slots.encode(frame("è é ⚠"), for: panel)
        #expect(second.codes[0] == first.codes[1])
        #expect(second.codes[2] == first.codes[0])
        #expect(second.uploads.count == 1)
        let third = slots.encode(frame("éèé"), for: panel)
        #expect(third.uploads.isEmpty)
    }

    @Test("the replaced slot is the least recently used one of a glyph that is not on the display")
    func eviction() {
        var slots = GlyphSlots()
        let old = slots.encode(frame("éèêáàâíì"), for: panel).codes[7]
        let middle = slots.encode(frame("éèêáàâí"), for: panel).codes[6]
        _ = slots.encode(frame("éèêáàâ"), for: panel)
        let next = slots.encode(frame("éèêáàâú"), for: panel)
        #expect(next.codes[6] == old)
        #expect(slots.encode(frame("éèêáàâúù"), for: panel).codes[7] == middle)
    }

    @Test("of nine glyphs the one with the lowest rank, on the fewest cells, farthest down loses its slot")
    func priority() {
        var slots = GlyphSlots()
        let encoding = slots.encode(frame("éèêáàâíì", "✗ éèêáàâí"), for: panel)
        #expect(encoding.codes[7] == UInt8(ascii: "i"))
        #expect(encoding.uploads.count == 8)
        #expect(GlyphSlots.slot(of: encoding.codes[16]) != nil)
    }

    @Test("the look of a frame does not depend on earlier frames")
    func stateless() {
        let crowded = frame("éèêáàâíìóòúù", "▆×↑↓€")
        var fresh = GlyphSlots()
        var used = GlyphSlots()
        _ = used.encode(frame("óòúùñõãū"), for: panel)
        _ = used.encode(frame("ìíâ", "€"), for: panel)
        let one = fresh.encode(crowded, for: panel)
        let two = used.encode(crowded, for: panel)
        for (left, right) in zip(one.codes, two.codes) {
            let pictures = (
                GlyphSlots.slot(of: left).flatMap { fresh.glyphs[$0] },
                GlyphSlots.slot(of: right).flatMap { used.glyphs[$0] }
            )
            #expect(pictures.0 == pictures.1)
            if pictures.0 == nil { #expect(left == right) }
        }
    }

    @Test("the full block needs a slot on A02 only")
    func fullBlock() {
        var slots = GlyphSlots()
        #expect(slots.encode(frame("█"), for: panel).uploads.isEmpty)
        let european = Panel(size: panel.size, rom: .a02)
        #expect(slots.encode(frame("█"), for: european).uploads.count == 1)
    }
}

@Suite("Named wiring")
struct NamedWiringTests {
    @Test(
        "each named map, and the usual one of each expander, has its lines on different pins of one port",
        arguments: PinMap.named.sorted { $0.key < $1.key }
            + Expander.allCases.map { (key: $0.rawValue, value: $0.usualPins) })
    func pins(_ name: String, map: PinMap) {
        #expect(Set(map.pins).count == map.pins.count && map.pins.allSatisfy { $0 < map.expander.pinCount })
        #expect(map.pins.allSatisfy { Int($0) / 8 == map.port })
        #expect(map.pins.count == (map.rw == nil ? 7 : 8) && map.data.count == 4)
    }

    @Test("the names and polarities of the boards with each expander")
    func names() {
        func names(_ expander: Expander) -> [String] {
            PinMap.named.filter { $0.value.expander == expander }.keys.sorted()
        }
        #expect(names(.pcf8574) == ["joy-it", "lcdxio", "mjkdz", "robot-arduino", "standard"])
        #expect(names(.mcp23008) == ["adafruit", "elecfreaks", "jeelabs", "wide-hk"])
        #expect(names(.mcp23017) == [])
        let low = PinMap.named.filter { !$0.value.isBacklightActiveHigh }.keys.sorted()
        #expect(low == ["lcdxio", "mjkdz", "robot-arduino"])
    }

    @Test(
        "a bus fault contains the place and the remedy",
        arguments: [
            (Int32(121), "0x27 on /dev/i2c-1"), (6, "SDA"), (16, "overlay"), (2, "dtparam=i2c_arm=on"),
            (13, "group i2c"), (110, "stuck low"), (11, "another master"), (25, "[display] bus"), (5, "I/O error"),
            (99, "error 99"),
        ])
    func faults(errno: Int32, text: String) {
        let fault = DeviceError(errno: errno, bus: "/dev/i2c-1", address: 0x27)
        #expect(fault.errno == errno)
        #expect(fault.description.contains(text))
    }
}
