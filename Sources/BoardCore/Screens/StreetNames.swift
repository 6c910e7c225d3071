/// Fits names of stops and destinations into a width, in whole words: as on the street sign, or in parts that take turns.
struct StreetNames: Sendable {
    /// The short forms of words ("Street": "St"); of the ends of words, after a hyphen ("-straße").
    let short: [String: String]

    /// The fewest parts that fit: the whole name, with as few words as needed abbreviated; two or three parts of whole
    /// words, without their signs where only a word alone fits; the beginning and the end of a word that is longer than
    /// the width.
    func parts(_ name: String, width: Int) -> [String] {
        if name.count <= width { return [name] }
        guard width > 2 else {
            return [width == 2 ? name.prefix(1) + Text.continues : String(name.prefix(max(0, width)))]
        }
        let (words, short) = (Self.words(name), shortWords(name))
        for first in words.indices.reversed() {
            let text = (words[..<first] + short[first...]).joined(separator: " ")
            if text.count <= width { return [text] }
        }
        return wholeWords(name, width: width) ?? Self.tiles(short, [width, width, width], dropsSigns: true)
            ?? Self.cutWords(Self.units(short), width: width)
    }

    /// Two or three parts of whole words; nil: a word is longer than the width.
    func wholeWords(_ name: String, width: Int) -> [String]? {
        let spellings = [Self.words(name), shortWords(name)]
        return [spellings.map(Self.units), spellings].lazy.compactMap { spellings in
            spellings.compactMap { Self.tiles($0, [width, width, width]) }.min { $0.count < $1.count }
        }.first
    }

    /// The name in one or two lines of whole words that are read together; nil: it is longer.
    func lines(_ name: String, widths: (first: Int, second: Int)) -> [String]? {
        if name.count <= widths.first { return [name] }
        return [Self.words(name), shortWords(name)].lazy.flatMap { [Self.units($0), $0] }
            .compactMap { Self.tiles($0, [widths.first, widths.second], sign: "") }.first
    }

    /// The name with all its words abbreviated.
    func abbreviated(_ name: String) -> String { shortWords(name).joined(separator: " ") }

    func shortWords(_ name: String) -> [String] {
        name.split(separator: " ").map { word in
            word.split(separator: "-", omittingEmptySubsequences: false).map(shortForm).joined(separator: "-")
        }
    }

    private func shortForm(of word: Substring) -> String {
        if let form = short[String(word)] { return form }
        if let sign = word.firstIndex(where: { $0 == "'" || $0 == "’" }) {
            let rest = word.index(after: sign)
            return word[..<rest] + (short[String(word[rest...])] ?? String(word[rest...]))
        }
        for index in word.indices.dropFirst() {
            if let form = short["-" + word[index...]] { return word[..<index] + form }
        }
        return String(word)
    }

    /// Words that stay with the one after them, if possible.
    private static let small: Set<String> = [
        "de", "du", "des", "d", "la", "le", "les", "via", "of", "the", "&", "and", "del", "el", "los", "las", "am",
        "an", "der", "im", "zum", "zur", "y", "et", "to", "from", "at", "ab", "desde",
    ]

    static func isSmall(_ word: String) -> Bool { small.contains(word.lowercased()) }

    private static func words(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }

    /// The words of a name, a small one with the one after it.
    private static func units(_ words: [String]) -> [String] {
        words.reduce(into: []) { units, word in
            let last = units.last?.split(separator: " ").last.map(String.init) ?? ""
            if isSmall(last), let unit = units.popLast() { units.append(unit + " " + word) } else { units.append(word) }
        }
    }

    /// A part for each width at most, filled one after another, with a sign at each cut; nil: a word or the rest does not
    /// fit.
    ///
    /// - Parameter dropsSigns: whether a word, with small ones before it, that fits only without the sign of a cut has none.
    private static func tiles(
        _ units: [String], _ widths: [Int], sign: String = Text.continues, dropsSigns: Bool = false
    ) -> [String]? {
        var tiles: [String] = []
        var rest = units[...]
        for width in widths where !rest.isEmpty {
            let start = tiles.isEmpty ? "" : sign
            guard let tile = tile(of: rest, width, start, sign: sign, dropsSigns: dropsSigns) else { return nil }
            tiles.append(tile.text)
            rest = rest.dropFirst(tile.count)
        }
        return rest.isEmpty ? tiles : nil
    }

    /// As many units as fit after `start`, with a sign where the name continues, not small words alone; nil: not one fits.
    private static func tile(
        of rest: ArraySlice<String>, _ width: Int, _ start: String, sign: String, dropsSigns: Bool = false
    ) -> (text: String, count: Int)? {
        for count in (1...rest.count).reversed() {
            let units = rest.prefix(count)
            let (text, isLast) = (units.joined(separator: " "), count == rest.count || sign.isEmpty)
            if !isLast, units.allSatisfy(isSmall) { continue }
            let whole = isLast ? text : text.trimmingEnd(of: ",") + sign
            let forms = [start + whole] + (dropsSigns && units.dropLast().allSatisfy(isSmall) ? [whole, text] : [])
            if let form = forms.first(where: { $0.count <= width }) { return (form, count) }
        }
        return nil
    }

    /// As many parts as there must be: a word that is longer than the width has its beginning and its end.
    private static func cutWords(_ units: [String], width: Int) -> [String] {
        var parts: [String] = []
        var rest = units[...]
        while let first = rest.first {
            let (start, end) = (parts.isEmpty ? "" : Text.continues, rest.count > 1 ? Text.continues : "")
            if let tile = tile(of: rest, width, start, sign: Text.continues) {
                parts.append(tile.text)
                rest = rest.dropFirst(tile.count - 1)
            } else if rest.count == 1, !parts.isEmpty, !first.contains(" "), first.count - (width - 1) <= 2 {
                // All but a letter or two.
                parts.append(Text.continues + first.suffix(width - 1))
            } else {
                parts.append((start + first).prefix(width - 1).trimmingEnd(of: ",-/&(") + Text.continues)
                let word = first.split(separator: " ").last ?? ""
                // A word before others is known by its beginning.
                if end.isEmpty || parts[parts.count - 1].count * 3 < word.count * 2 {
                    parts.append(Text.continues + String(word.suffix(max(1, width - 1 - end.count))) + end)
                }
            }
            rest = rest.dropFirst()
        }
        return parts
    }
}

/// The names of an operator: without its suffixes, with the user's short forms.
struct PlaceName: Sendable {
    /// The suffixes in the feed's profile.
    let suffixes: [String]
    let personal: [String: String]

    func full(_ name: String) -> String {
        var text = String(name.dropLast(suffix(of: name)?.count ?? 0))
        // Longer forms first, so that a form for "Cross" does not spoil "Kings Cross St Pancras".
        for (long, short) in personal.sorted(by: { ($1.key.count, $0.key) < ($0.key.count, $1.key) })
        where !long.isEmpty { text = text.replacing(long, with: short) }
        return text.split(separator: " ").joined(separator: " ")
    }

    func suffix(of name: String) -> String? {
        suffixes.filter { name.count > $0.count && name.hasSuffix($0) }.max { $0.count < $1.count }
    }
}

extension Drawing {
    func profile(of favourite: FavouriteState) -> FeedProfile? {
        board.setup.profiles[favourite.favourite.stop.feed]
    }

    func placeName(of favourite: FavouriteState) -> PlaceName {
        PlaceName(suffixes: profile(of: favourite)?.suffixes ?? [], personal: board.setup.options.abbreviations)
    }

    /// The full destination; ``Phrase/unknownDestination`` where the operator reports none.
    func destination(of departure: Departure, in favourite: FavouriteState) -> String {
        departure.destination.isEmpty
            ? words.text(.unknownDestination) : placeName(of: favourite).full(departure.destination)
    }

    /// The destination for two short lines; nil: as the operator writes it.
    func shortDestination(of departure: Departure, in favourite: FavouriteState) -> String? {
        let name = placeName(of: favourite).full(departure.destination)
        let parts = board.streetNames.parts(name, width: Self.twoShortLines)
        let short = parts.count == 1 ? parts[0] : board.streetNames.abbreviated(name)
        return short.isEmpty || short == departure.destination ? nil : short
    }

    /// In characters: beside the line and the minutes on a narrow phone.
    private static var twoShortLines: Int { 28 }

    /// The label of a favourite, or the operator's name.
    func name(of favourite: FavouriteState) -> String {
        favourite.favourite.label ?? favourite.stop.name.map(placeName(of: favourite).full)
            ?? favourite.favourite.stop.code
    }

    /// The name with the letter on the pole, if it does not end with it.
    func title(of favourite: FavouriteState) -> String {
        let name = name(of: favourite)
        let letter = favourite.stop.letter.map { " " + $0 } ?? ""
        return name.hasSuffix(letter) ? name : name + letter
    }

    /// The title with the distance of a stop that was found by proximity.
    func heading(of favourite: FavouriteState) -> String {
        title(of: favourite) + (favourite.favourite.distance.map { " \($0)" } ?? "")
    }

    /// The name where it tells this favourite from the others, then shorter forms: abbreviated; the words with which no
    /// other begins, or what differs if another has the same name.
    func stopNames(of favourite: FavouriteState) -> [String] {
        let name = name(of: favourite)
        let others = board.favourites.filter { $0.favourite.stop != favourite.favourite.stop }.map(self.name(of:))
        var names = [name]
        if others.contains(name) {
            let suffix = favourite.stop.name.flatMap(placeName(of: favourite).suffix)?.split(separator: " ").first
            let feed = board.title(of: favourite.favourite.stop.feed)
            let differing = favourite.stop.letter ?? suffix.map(String.init) ?? feed
            if !name.hasSuffix(" " + differing) { names = [name + " " + differing, differing] }
        } else {
            let words = name.split(separator: " ").map(String.init)
            names += words.indices.filter { words[$0].count > 2 && !StreetNames.isSmall(words[$0]) }
                .map { words[...$0].joined(separator: " ") }
                .filter { text in !others.contains { $0.hasPrefix(text) } }.prefix(1)
        }
        return [names[0]] + names.map(board.streetNames.abbreviated)
    }
}
