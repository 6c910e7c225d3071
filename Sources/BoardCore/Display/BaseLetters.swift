/// The base letters of letters with marks: Latin-1, Latin Extended-A, and those of Extended-B and Additional that have
/// one (Romanian, Welsh, Vietnamese). A ligature becomes its first letter, since one grapheme is one cell.
enum BaseLetters {
    /// From a letter with marks to the letter without.
    static let table: [Character: String] = {
        var table: [Character: String] = [:]
        for (base, letters) in rows {
            for letter in letters { table[letter] = base }
        }
        return table
    }()

    private static let rows: [(base: String, letters: String)] = [
        ("A", "ÀÁÂÃÄÅÆĀĂĄǍǞǠǺǼȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ"),
        ("B", "ḂḄḆ"),
        ("C", "ÇĆĈĊČḈ"),
        ("D", "ÐĎĐḊḌḎḐḒ"),
        ("E", "ÈÉÊËĒĔĖĘĚƏȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ"),
        ("F", "Ḟ"),
        ("G", "ĜĞĠĢǦǴḠ"),
        ("H", "ĤĦȞḢḤḦḨḪ"),
        ("I", "ÌÍÎÏĨĪĬĮİĲƗǏȈȊḬḮỈỊ"),
        ("J", "Ĵ"),
        ("K", "ĶǨḰḲḴ"),
        ("L", "ĹĻĽĿŁḶḸḺḼ"),
        ("M", "ḾṀṂ"),
        ("N", "ÑŃŅŇŊǸṄṆṈṊ"),
        ("O", "ÒÓÔÕÖØŌŎŐŒƠǑǪǬǾȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ"),
        ("P", "ṔṖ"),
        ("R", "ŔŖŘȐȒṘṚṜṞ"),
        ("S", "ŚŜŞŠȘṠṢṤṦṨẞ"),
        ("T", "ÞŢŤŦȚṪṬṮṰ"),
        ("U", "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ"),
        ("V", "ṼṾ"),
        ("W", "ŴẀẂẄẆẈ"),
        ("X", "ẊẌ"),
        ("Y", "ÝŶŸȲẎỲỴỶỸ"),
        ("Z", "ŹŻŽẐẒẔ"),
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
