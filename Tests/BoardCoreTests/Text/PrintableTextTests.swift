import Testing

@testable import BoardCore

@Suite("Text from other sources for a terminal")
struct PrintableTextTests {
    private static let marks = [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    private static let controls = Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029]

    private func text(_ value: Int) -> String {
        Unicode.Scalar(UInt32(value)).map { "a\(String(Character($0)))b" } ?? ""
    }

    @Test("controls become blanks and direction marks are removed; letters of all scripts stay")
    func line() {
        for value in Self.marks { #expect(text(value).asPrintedLine == "ab", "\(value)") }
        for value in Self.controls { #expect(text(value).asPrintedLine == "a b", "\(value)") }
        // Combined with the previous letter into one character.
        #expect("a\r\nb\u{200F}".asPrintedLine == "a  b")
        for text in ["Łódź", "東京", "שלום", "🚌\u{FE0F}", "a\u{200D}b", "a\u{AD}b"] {
            #expect(text.asPrintedLine == text)
        }
    }

    @Test("a text that may run from right to left is isolated from the text around it, whatever marks it has")
    func isolated() {
        #expect("High\tStreet".asIsolatedLine == "High Street")
        #expect("\u{202E}שלום\u{2069}".asIsolatedLine == "\u{2068}שלום\u{2069}")
    }

    @Test("in multi-line text, line feeds and tabs stay")
    func lines() {
        #expect("a\tb\nc\r\n\u{1B}[2Jd\u{9B}2Je\u{202E}f\n".asPrintedLines == "a\tb\nc \n [2Jd 2Jef\n")
    }

    @Test("in JSON they are escaped, so that the value stays the same")
    func json() {
        #expect(
            "{\n  \"a\" : \"x\u{202E}y\u{9B}z\u{7F}\u{2028}\"\n}".asPrintedJSON
                == "{\n  \"a\" : \"x\\u202Ey\\u009Bz\\u007F\\u2028\"\n}")
        for value in Self.marks { #expect(!text(value).asPrintedJSON.unicodeScalars.contains { $0.value == value }) }
    }
}
