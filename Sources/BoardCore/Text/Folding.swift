/// Normalises texts for comparisons and searches: words of lower-case letters and digits, without diacritics.
///
/// Without Foundation: a table (``BaseLetters``) removes diacritics, as Swift's library has no public decomposition.
package enum Folding {
    /// The maximum number of letters that are read; no stop has a longer name.
    private static let maximumLength = 400
    /// "King's" becomes "Kings".
    private static let apostrophes: Set<Unicode.Scalar> = ["'", "’", "‘", "ʼ", "ʻ", "`", "´", "′"]

    /// The words of a text, in order: "King's Cross & St Pancras" is kings, cross, and, st, pancras.
    package static func words(_ text: some StringProtocol) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars.prefix(maximumLength) {
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

    /// The words of a name as people may write them: without the diacritics of "Köln", with two letters for one
    /// ("koeln"), and in every spelling of an abbreviation.
    package static func spellings(of name: some StringProtocol) -> [String] {
        var words = words(name)
        if name.unicodeScalars.contains(where: { pairs[$0] != nil }) {
            words += Self.words(name.unicodeScalars.map { pairs[$0] ?? String($0) }.joined()).filter {
                !words.contains($0)
            }
        }
        return words.flatMap { word in [word] + otherSpellings(of: word) }
    }

    /// The words, each in one spelling: "Oxford Street" and "oxford st" become equal.
    package static func canonical(_ words: [String]) -> [String] { words.map { spellings[$0]?.first ?? $0 } }

    /// A name for comparison with other names.
    package static func canonical(name: some StringProtocol) -> String { canonical(words(name)).joined(separator: " ") }

    /// The other spellings of a word: street and saint for "st", "ludwigstrasse" for "ludwigstr".
    private static func otherSpellings(of word: String) -> [String] {
        let whole = endings.compactMap { short, long in
            word.hasSuffix(short) && word.count > short.count + 2 ? String(word.dropLast(short.count)) + long : nil
        }
        return (spellings[word]?.filter { $0 != word } ?? []) + whole
    }

    /// The canonical words with a spelling that begins with `word`: st for "str", since "street" begins with it.
    /// Without those that begin with `word` themselves.
    package static func canonicalWords(completing word: String) -> [String] {
        groups.filter { group in group.contains { $0.hasPrefix(word) } }
            .compactMap(\.first).filter { !$0.hasPrefix(word) }
    }

    /// A sort key that puts names with numbers in natural order: 2 before 10 before N2.
    package static func naturalKey(_ name: String) -> String {
        var key = ""
        for word in words(name) {
            if key.last?.isLetter == true, word.first?.isLetter == true { key += " " }
            var rest = word[...]
            while let first = rest.first {
                let isNumber = first.isASCII && first.isNumber
                let part = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
                rest = rest.dropFirst(part.count)
                // Without leading zeros, the longer number is the greater one. The digit count sorts before letters.
                let digits = part.drop { $0 == "0" }
                key += isNumber ? "\(Unicode.Scalar(UInt8(min(digits.count, 31))))\(digits)" : String(part)
            }
        }
        return key
    }

    /// Words with several spellings, the canonical one first.
    private static let groups = [
        ["st", "street", "saint", "sankt", "sainte", "ste"], ["sta", "santa"], ["sto", "santo"],
        ["and", "und", "et", "y"],
        ["rd", "road"], ["stn", "station"], ["ave", "av", "avenue", "avenida", "avda"], ["sq", "square"],
        ["ln", "lane"],
        ["hbf", "hauptbahnhof"], ["bf", "bhf", "bahnhof"], ["str", "strasse"],
        ["pl", "platz", "place", "plaza", "pza"],
        ["bd", "bld", "blvd", "boulevard", "bulevar"], ["est", "estacion"], ["fbg", "faubourg"],
    ]
    /// Endings of German compounds.
    private static let endings = [("str", "strasse"), ("pl", "platz"), ("bf", "bahnhof")]
    /// Letters that people also write as two.
    private static let pairs: [Unicode.Scalar: String] = [
        "ä": "ae", "Ä": "Ae", "ö": "oe", "Ö": "Oe", "ü": "ue", "Ü": "Ue", "å": "aa", "Å": "Aa", "ø": "oe", "Ø": "Oe",
    ]

    /// From each spelling to all of them, the canonical one first.
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

    /// From a lower-case letter with diacritics to its base letters.
    private static let bases: [Unicode.Scalar: String] = {
        var table = BaseLetters.small
        for (base, letters) in rows {
            for letter in letters.unicodeScalars { table[letter] = base }
        }
        return table
    }()

    /// Ligatures and other letters that stand for two; ordinals; Greek and Cyrillic letters that are written with and
    /// without their diacritic.
    private static let rows: [(base: String, letters: String)] = [
        ("a", "ª"), ("ae", "æǽǣ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ij", "ĳ"), ("ng", "ŋ"), ("o", "º"),
        ("oe", "œ"), ("ss", "ß"), ("th", "þ"),
        ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("σ", "ς"),
        ("е", "ё"), ("и", "й"), ("і", "ї"),
    ]
}
