/// The base letters of letters with marks: Latin-1, Latin Extended-A, and those of Extended-B and Additional that have
/// one (Romanian, Welsh, Vietnamese). A ligature becomes its first letter, since one grapheme is one cell.
public enum BaseLetters {
    /// From a small letter with marks to the letter without.
    public static let small: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        for (base, letters) in rows {
            for letter in letters.unicodeScalars { table[letter] = base }
        }
        return table
    }()

    /// From a letter with marks, small or capital, to the letter without.
    public static let table: [Character: String] = {
        // Capitals without a small letter in the rows.
        var table: [Character: String] = ["İ": "I", "Ɨ": "I", "ẞ": "S"]
        for (letter, base) in small {
            table[Character(letter)] = base
            let capital = letter.properties.uppercaseMapping.unicodeScalars
            // Some have none ("ĸ"), an unmarked one ("ı") or one of two letters ("ŉ").
            guard capital.count == 1, let only = capital.first, only != letter, !only.isASCII else { continue }
            table[Character(only)] = base.uppercased()
        }
        return table
    }()

    private static let rows: [(base: String, letters: String)] = [
        ("a", "àáâãäåæāăąǎǟǡǻǽȁȃȧḁẚạảấầẩẫậắằẳẵặ"),
        ("b", "ḃḅḇ"),
        ("c", "çćĉċčḉ"),
        ("d", "ðďđḋḍḏḑḓ"),
        ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệə"),
        ("f", "ḟ"),
        ("g", "ĝğġģǧǵḡ"),
        ("h", "ĥħȟḣḥḧḩḫẖ"),
        ("i", "ìíîïĩīĭįıĳǐȉȋḭḯỉị"),
        ("j", "ĵǰ"),
        ("k", "ķĸǩḱḳḵ"),
        ("l", "ĺļľŀłḷḹḻḽ"),
        ("m", "ḿṁṃ"),
        ("n", "ñńņňŉŋǹṅṇṉṋ"),
        ("o", "òóôõöøōŏőœơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
        ("p", "ṕṗ"),
        ("r", "ŕŗřȑȓṙṛṝṟ"),
        ("s", "ßśŝşšſșṡṣṥṧṩẛ"),
        ("t", "þţťŧțṫṭṯṱẗ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
        ("v", "ṽṿ"),
        ("w", "ŵẁẃẅẇẉẘ"),
        ("x", "ẋẍ"),
        ("y", "ýÿŷȳẏẙỳỵỷỹ"),
        ("z", "źżžẑẓẕ"),
    ]
}
