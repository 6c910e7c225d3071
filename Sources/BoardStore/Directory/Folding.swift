/// What stays of a text when it is searched: words of small letters and digits without marks.
///
/// Written without Foundation: the marks come off by a table (Latin), since Swift's library decomposes no text in public.
enum Folding {
    /// The most letters of a text that are looked at; nobody's stop has a longer name.
    private static let longest = 400
    /// "King's" is searched as "Kings".
    private static let apostrophes: Set<Unicode.Scalar> = ["'", "’", "‘", "ʼ", "ʻ", "`", "´", "′"]

    /// The words of a text, in order: "King's Cross & St Pancras" is kings, cross, and, st, pancras.
    static func words(_ text: some StringProtocol) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            if scalar.isASCII {
                switch scalar.value {
                case 0x61...0x7a, 0x30...0x39: word.unicodeScalars.append(scalar)
                case 0x41...0x5a: word.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value + 0x20)))
                case 0x27, 0x60: break
                default: end(&word, into: &words, with: scalar)
                }
            } else if !apostrophes.contains(scalar) {
                fold(scalar, into: &word, words: &words)
            }
        }
        end(&word, into: &words, with: " ")
        return words
    }

    /// The words with one spelling for each that has several: "Oxford Street" and "oxford st" are the same.
    static func canonical(_ words: [String]) -> [String] {
        words.map { spellings[$0]?.first ?? $0 }
    }

    /// A name as names are compared.
    static func canonical(name: some StringProtocol) -> String {
        canonical(words(name)).joined(separator: " ")
    }

    /// The other spellings of a word: street and saint of "st".
    static func otherSpellings(of word: String) -> [String] {
        spellings[word]?.filter { $0 != word } ?? []
    }

    /// The words that a word may stand for when it is typed as far as this: st of "str", since it begins "street".
    ///
    /// Those that begin with `word` themselves are left out.
    static func canonicalWords(completing word: String) -> [String] {
        groups.filter { group in group.contains { $0.hasPrefix(word) } }
            .compactMap(\.first).filter { !$0.hasPrefix(word) }
    }

    /// Words with several spellings, the one that stands for the others first.
    private static let groups = [
        ["st", "street", "saint"], ["and", "und", "et"], ["rd", "road"], ["stn", "station"],
        ["ave", "av", "avenue"], ["sq", "square"], ["ln", "lane"],
    ]

    /// From each spelling to all of them, the one that stands for them first.
    private static let spellings: [String: [String]] = {
        var spellings: [String: [String]] = [:]
        for group in groups {
            for word in group { spellings[word] = group }
        }
        return spellings
    }()

    private static func end(_ word: inout String, into words: inout [String], with separator: Unicode.Scalar) {
        if !word.isEmpty { words.append(word) }
        word = ""
        if separator == "&" { words.append("and") }
    }

    private static func fold(_ scalar: Unicode.Scalar, into word: inout String, words: inout [String]) {
        for small in scalar.properties.lowercaseMapping.unicodeScalars {
            if small.isASCII {
                word.unicodeScalars.append(small)
            } else if let base = bases[small] {
                word += base
            } else {
                switch small.properties.generalCategory {
                case .nonspacingMark, .enclosingMark, .format: break
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                    .decimalNumber, .letterNumber, .otherNumber, .spacingMark:
                    word.unicodeScalars.append(small)
                default: end(&word, into: &words, with: small)
                }
            }
        }
    }

    /// From a small letter with marks to what stands for it without.
    private static let bases: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        for (base, letters) in rows {
            for letter in letters.unicodeScalars { table[letter] = base }
        }
        return table
    }()

    /// Latin-1, Latin Extended-A, and of Extended-B and Additional what has a base letter (Romanian, Welsh, Vietnamese);
    /// ligatures; Greek and Cyrillic letters that people write with and without their mark.
    private static let rows: [(base: String, letters: String)] = [
        ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁẚạảấầẩẫậắằẳẵặª"),
        ("ae", "æǽǣ"), ("b", "ḃḅḇ"), ("c", "çćĉċčḉ"), ("d", "ðďđḋḍḏḑḓ"),
        ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệə"), ("f", "ḟ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"),
        ("g", "ĝğġģǧǵḡ"), ("h", "ĥħȟḣḥḧḩḫẖ"), ("i", "ìíîïĩīĭįıǐȉȋḭḯỉị"), ("ij", "ĳ"), ("j", "ĵǰ"),
        ("k", "ķĸǩḱḳḵ"), ("l", "ĺļľŀłḷḹḻḽ"), ("m", "ḿṁṃ"), ("n", "ñńņňŉǹṅṇṉṋ"), ("ng", "ŋ"),
        ("o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợº"), ("oe", "œ"), ("p", "ṕṗ"), ("r", "ŕŗřȑȓṙṛṝṟ"),
        ("s", "śŝşšſșṡṣṥṧṩẛ"), ("ss", "ß"), ("t", "ţťŧțṫṭṯṱẗ"), ("th", "þ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"), ("v", "ṽṿ"), ("w", "ŵẁẃẅẇẉẘ"), ("x", "ẋẍ"),
        ("y", "ýÿŷȳẏẙỳỵỷỹ"), ("z", "źżžẑẓẕ"),
        ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("σ", "ς"),
        ("е", "ё"), ("и", "й"), ("і", "ї"),
    ]
}
