public enum XMLText {
    /// `text` as the content of an element or as the value of an attribute between double quotation marks (XML 1.0 §2.3, §2.4), also in
    /// HTML. Leaves out control characters, with line breaks and tabs, and writes a blank for two noncharacters: XML
    /// does not allow them (§2.2).
    public static func escaped(_ text: String) -> String {
        // All others that need care begin with 0xEF in UTF-8.
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x00..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0x7F, 0xEF:
                false
            default: true
            }
        }
        if isPlain { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": result += " "
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
