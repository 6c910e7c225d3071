import BoardStore
import Testing

@Suite("Changes of boardd.toml by a program")
struct SettingsTextTests {
    private func changed(_ text: String, _ key: String = "size", header: String = "[display]") -> String {
        var settings = SettingsText(text)
        settings.set(key, to: "\"16x2\"", in: header)
        return settings.text
    }

    @Test("a key is set below its default in a comment, and comments stay")
    func belowDefault() {
        #expect(
            changed(
                "# top\n[display]\n#driver = \"x\"\n#size = \"20x4\"   # sizes\n#bus = 1\n\n[[button]]\n#size = 1\n")
                == "# top\n[display]\n#driver = \"x\"\n#size = \"20x4\"   # sizes\nsize = \"16x2\"\n#bus = 1\n\n[[button]]\n#size = 1\n"
        )
    }

    @Test("a key that is set gets the new value in its line")
    func replaced() {
        #expect(
            changed("[display]  # mine\nbus = 1\nsize= \"20x4\"  # old\n")
                == "[display]  # mine\nbus = 1\nsize = \"16x2\"\n")
    }

    @Test("a file with CRLF line ends keeps its tables, and gets LF")
    func carriageReturns() {
        #expect(changed("[display]\r\nbus = 1\r\n[log]\r\n") == "[display]\nsize = \"16x2\"\nbus = 1\n[log]\n")
    }

    @Test("a key of another table is not the key, and a missing table is added")
    func otherTable() {
        #expect(changed("[board]\nsize = 1\n") == "[board]\nsize = 1\n\n[display]\nsize = \"16x2\"\n")
        #expect(changed("") == "[display]\nsize = \"16x2\"\n")
    }

    @Test("of several tables of one name the first is changed")
    func first() {
        #expect(
            changed("[[button]]\nline = 1\n[[button]]\nline = 2", "line", header: "[[button]]")
                == "[[button]]\nline = \"16x2\"\n[[button]]\nline = 2\n")
    }

    @Test func `a line end of Unicode within a text is none of the file`() {
        var text = SettingsText("[board]\nname = \"a\u{2028}b\"\r\n")
        text.set("code", to: "\"de\"", in: "[language]")
        #expect(text.text == "[board]\nname = \"a\u{2028}b\"\n\n[language]\ncode = \"de\"\n")
    }
}
