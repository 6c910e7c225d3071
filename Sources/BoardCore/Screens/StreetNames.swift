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
            return [width == 2 ? Text.cut(name, to: 1) + Text.continues : Text.cut(name, to: width)]
        }
        let words = name.split(separator: " ").map(String.init)
        for first in words.indices.reversed() {
            let text = (words[..<first] + words[first...].map(abbreviated)).joined(separator: " ")
            if text.count <= width { return [text] }
        }
        return wholeWords(name, width: width) ?? tiles(
            words.map(abbreviated), width, joinsSmall: false, dropsSigns: true)
            ?? cutWords(words.map(abbreviated), width: width)
    }

    /// Two or three parts of whole words; nil: a word is longer than the width.
    func wholeWords(_ name: String, width: Int) -> [String]? {
        let words = name.split(separator: " ").map(String.init)
        let short = words.map(abbreviated)
        return [true, false].lazy.compactMap { joinsSmall in
            [words, short].compactMap { tiles($0, width, joinsSmall: joinsSmall) }.min { $0.count < $1.count }
        }.first
    }

    /// The name in one or two lines of whole words that are read together; nil: it is longer.
    func lines(_ name: String, widths: (first: Int, second: Int)) -> [String]? {
        for text in [name, abbreviated(name)] {
            if text.count <= widths.first { return [text] }
            let words = text.split(separator: " ").map(String.init)
            let breaks = (1..<max(1, words.count)).reversed().filter { count in
                words[..<count].joined(separator: " ").count <= widths.first
                    && words[count...].joined(separator: " ").count <= widths.second
            }
            if let count = breaks.first(where: { !Self.small.contains(words[$0 - 1].lowercased()) }) ?? breaks.first {
                return [words[..<count], words[count...]].map { $0.joined(separator: " ") }
            }
        }
        return nil
    }

    func longestWord(of name: String) -> Int {
        abbreviated(name).split(separator: " ").map(\.count).max() ?? 0
    }

    /// The name with all its words abbreviated.
    func abbreviated(_ name: String) -> String {
        name.split(separator: " ").map { word in
            let parts = word.split(separator: "-", omittingEmptySubsequences: false).map { shortForm(of: $0) }
            return parts.joined(separator: "-")
        }.joined(separator: " ")
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
    static let small: Set<String> = [
        "de", "du", "des", "d", "la", "le", "les", "via", "of", "the", "&", "and", "del", "el", "los", "las", "am",
        "an",
        "der", "im", "zum", "zur", "y", "et", "to", "from", "at", "ab", "desde",
    ]

    /// As many parts as there must be: a word that is longer than the width has its beginning and its end.
    private func cutWords(_ words: [String], width: Int) -> [String] {
        var parts: [String] = []
        // A small word with the one after it.
        var rest = words.reduce(into: [String]()) { units, word in
            let isSmall = Self.small.contains(units.last?.split(separator: " ").last?.lowercased() ?? "")
            if isSmall, let last = units.popLast() { units.append(last + " " + word) } else { units.append(word) }
        }[...]
        while let first = rest.first {
            let start = parts.isEmpty ? "" : Text.continues
            let fitting = (1...rest.count).last { count in
                (start + rest.prefix(count).joined(separator: " ")).count + (count < rest.count ? 1 : 0) <= width
            }
            if let fitting {
                let text = start + rest.prefix(fitting).joined(separator: " ").trimmingEnd(of: ",")
                parts.append(fitting < rest.count ? text + Text.continues : text)
                rest = rest.dropFirst(fitting)
            } else if rest.count == 1, !parts.isEmpty, !first.contains(" "), first.count - (width - 1) <= 2 {
                // All but a letter or two.
                parts.append(Text.continues + first.suffix(width - 1))
                rest = []
            } else {
                let end = rest.count > 1 ? Text.continues : ""
                parts.append(Text.cut(start + first, to: width - 1).trimmingEnd(of: ",-/&(") + Text.continues)
                let word = first.split(separator: " ").last ?? ""
                // A word before others is known by its beginning.
                if end.isEmpty || parts[parts.count - 1].count * 3 < word.count * 2 {
                    parts.append(Text.continues + word.suffix(max(1, width - 1 - end.count)) + end)
                }
                rest = rest.dropFirst()
            }
        }
        return parts
    }

    /// Up to three parts, filled one after another; nil: a word or the rest does not fit.
    ///
    /// - Parameter dropsSigns: whether a word, with small ones before it, that fits only without the sign of a cut has none.
    private func tiles(_ words: [String], _ width: Int, joinsSmall: Bool, dropsSigns: Bool = false) -> [String]? {
        var tiles: [String] = []
        var rest = words[...]
        while !rest.isEmpty {
            guard tiles.count < 3 else { return nil }
            let start = tiles.isEmpty ? "" : Text.continues
            func tile(_ taken: Int) -> String {
                let text = rest.prefix(taken).joined(separator: " ")
                let isWord = rest.prefix(taken).dropLast().allSatisfy { Self.small.contains($0.lowercased()) }
                let (end, isLast) = (text.trimmingEnd(of: ",") + Text.continues, taken == rest.count)
                let forms =
                    [start + (isLast ? text : end)] + (dropsSigns && isWord ? [isLast ? text : end, text] : [])
                return forms.first { $0.count <= width } ?? forms[0]
            }
            guard var taken = (1...rest.count).last(where: { tile($0).count <= width }) else { return nil }
            func isSmall(_ index: Int) -> Bool { Self.small.contains(rest[rest.startIndex + index].lowercased()) }
            while joinsSmall, taken < rest.count, taken > 1, isSmall(taken - 1) { taken -= 1 }
            if taken < rest.count, (0..<taken).allSatisfy(isSmall) { return nil }
            tiles.append(tile(taken))
            rest = rest.dropFirst(taken)
        }
        return tiles
    }
}

extension String {
    fileprivate func trimmingEnd(of characters: String) -> String {
        var text = self[...]
        while let last = text.last, characters.contains(last) || last == " " { text.removeLast() }
        return String(text)
    }
}

/// The names of an operator: without its suffixes, with the user's short forms.
struct PlaceName: Sendable {
    /// The suffixes in the feed's profile.
    let suffixes: [String]
    let personal: [String: String]

    func full(_ name: String) -> String {
        var text = name
        if let suffix = suffix(of: name) { text = String(text.dropLast(suffix.count)) }
        // Longer forms first, so that a form for "Cross" does not spoil "Kings Cross St Pancras".
        for (long, short) in personal.sorted(by: { ($1.key.count, $0.key) < ($0.key.count, $1.key) }) {
            text = Text.replacing(long, by: short, in: text)
        }
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
            let words = name.split(separator: " ")
            names += words.indices.filter { words[$0].count > 2 && !StreetNames.small.contains(words[$0].lowercased()) }
                .map { words[...$0].joined(separator: " ") }
                .filter { text in !others.contains { $0.hasPrefix(text) } }.prefix(1)
        }
        return [names[0]] + names.map(board.streetNames.abbreviated)
    }
}
