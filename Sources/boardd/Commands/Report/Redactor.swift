import BoardCore
import BoardFeeds

/// Removes keys from texts that others will read: configured ones, and whatever looks like one.
///
/// Better too much than too little: a wrongly redacted word can be asked for, a published key is lost.
struct Redactor: Sendable {
    /// Replaces a key.
    static let mark = "(redacted)"
    /// A shorter value would match inside ordinary words.
    private static let shortestKnown = 4
    /// Ordinary words with a digit are shorter; operators' keys have 32 characters or more.
    private static let shortestGuess = 20
    /// Parts of names whose values are keys.
    private static let words = ["key", "token", "secret", "passw", "passphrase", "credential", "auth", "bearer"]

    /// Settings that name the place of a key, not the key.
    private static let aboutKeys: Set = ["key_header", "key_parameter"]

    private var known: Set<String> = []
    private var mask = KeyMask([])

    /// - Parameter keys: the configured keys.
    init(_ keys: some Sequence<String>) {
        add(keys)
    }

    mutating func add(_ keys: some Sequence<String>) {
        known.formUnion(keys.filter { $0.count >= Self.shortestKnown })
        mask = KeyMask(known)
    }

    /// Whether the value of this name is a key.
    static func isKeyName(_ name: some StringProtocol) -> Bool {
        let folded = name.lowercased()
        if aboutKeys.contains(folded) { return false }
        return words.contains { folded.contains($0) }
    }

    /// A text without the configured keys, however they are encoded.
    func redactingKnown(_ text: String) -> String {
        mask.masking(text, with: Self.mark)
    }

    /// A foreign text, such as a configuration file or a log, without anything that is or looks like a key.
    func redacted(_ text: String) -> String {
        var scan = SecretScanner(rest: redactingKnown(text)[...])
        return scan.redacted(guessing: Self.shortestGuess)
    }

    /// The values in a text that are keys by their names: those of key names, and those of URL queries.
    static func keys(in text: String) -> [String] {
        var scan = SecretScanner(rest: text[...])
        _ = scan.redacted(guessing: .max)
        return scan.found
    }
}

/// Copies a text, and replaces what looks like a key.
private struct SecretScanner {
    /// What is not copied yet.
    var rest: Substring
    var result = ""
    /// The values removed because of their names.
    var found: [String] = []

    /// - Parameter guess: the length from which a word with a digit counts as a key.
    mutating func redacted(guessing guess: Int) -> String {
        while let next = rest.first {
            if Self.isWord(next) {
                word(guess)
            } else if rest.hasPrefix("://") {
                take(3)
                credentials()
            } else if next == "?" || next == "&" {
                take(1)
                query()
            } else {
                take(1)
            }
        }
        return result
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "_-+".contains(character))
    }

    /// Words of the operators' default URLs: public, however long they are.
    private static let shipped: Set<String> = {
        let addresses = FeedRegistry.declarations.feeds.flatMap(\.settings).compactMap { setting in
            if case .url(default: let address) = setting.kind { address } else { nil }
        }
        return Set(addresses.flatMap { $0.split { !isWord($0) }.map(String.init) })
    }()

    private mutating func take(_ count: Int) {
        result += rest.prefix(count)
        rest = rest.dropFirst(count)
    }

    private mutating func blank(_ piece: Substring) {
        let isBlank = piece.allSatisfy(\.isWhitespace)
        if !isBlank, piece != Redactor.mark[...] { found.append(String(piece)) }
        result += isBlank ? String(piece) : Redactor.mark
        rest = rest.dropFirst(piece.count)
    }

    /// A word: a name with its value, a key without a name, or just a word.
    private mutating func word(_ guess: Int) {
        let word = rest.prefix(while: Self.isWord)
        if word.count >= guess, word.contains(where: \.isNumber), !Self.shipped.contains(String(word)) {
            blank(word)
            return
        }
        take(word.count)
        guard Redactor.isKeyName(word) else { return }
        let after = rest.drop { $0 == "\"" || $0 == "'" }.drop { $0 == " " || $0 == "\t" }
        guard let sign = after.first, sign == "=" || sign == ":" else { return }
        let value = after.dropFirst().drop { $0 == " " || $0 == "\t" }
        take(rest.count - value.count)
        self.value(isHeader: sign == ":")
    }

    /// The value after a key name: a quoted text of one or more lines, a list or table, or the text up to a blank.
    private mutating func value(isHeader: Bool) {
        for quotes in ["\"\"\"", "'''", "\"", "'"] where rest.hasPrefix(quotes) {
            take(quotes.count)
            blank(text(until: quotes))
            return
        }
        if rest.hasPrefix("[") || rest.hasPrefix("{") {
            let end: Character = rest.hasPrefix("[") ? "]" : "}"
            take(1)
            blank(rest.prefix { $0 != end })
        } else if isHeader {
            // "Authorization: Bearer abc"
            blank(rest.prefix { !$0.isNewline })
        } else {
            blank(rest.prefix { !$0.isWhitespace && !"&,;)]}\"'".contains($0) })
        }
    }

    private func text(until quotes: String) -> Substring {
        var end = rest.startIndex
        while end < rest.endIndex, !rest[end...].hasPrefix(quotes) {
            if quotes.count == 1, rest[end].isNewline { break }
            if rest[end] == "\\", quotes.hasPrefix("\"") {
                end = rest.index(after: end)
                guard end < rest.endIndex else { break }
            }
            end = rest.index(after: end)
        }
        return rest[..<end]
    }

    /// "user:password@" in an address.
    private mutating func credentials() {
        let host = rest.prefix { !$0.isWhitespace && !"/?#\"'".contains($0) }
        if let end = host.lastIndex(of: "@") { return blank(host[..<end]) }
        // A colon after a host starts a port; anything else starts a password with a slash in it.
        guard let colon = host.lastIndex(of: ":"), !host[colon...].dropFirst().allSatisfy(\.isNumber) else { return }
        let word = rest.prefix { !$0.isWhitespace && !"\"'".contains($0) }
        if !host.hasSuffix("]"), let end = word.lastIndex(of: "@") { blank(word[..<end]) }
    }

    /// One "name=value" of a query, or a query that is only a value.
    private mutating func query() {
        let part = rest.prefix { !$0.isWhitespace && !"&#\"'".contains($0) }
        guard let equals = part.firstIndex(of: "=") else {
            // A question mark also ends sentences; in a URL a query follows it directly.
            if part.contains(where: \.isNumber) { blank(part) }
            return
        }
        let name = part[...equals]
        take(name.count)
        blank(part.dropFirst(name.count))
    }
}
