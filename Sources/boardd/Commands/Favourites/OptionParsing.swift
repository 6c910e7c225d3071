internal import ArgumentParser
internal import BoardCore

/// Parsers of options that correspond to keys of favourites.toml.
enum OptionParsing {
    /// One of the values of a key: "mark".
    static func word<Word: RawRepresentable & CaseIterable>(_ text: String) throws -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: text) else {
            let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(text)\" is unknown; allowed: \(allowed).")
        }
        return word
    }

    /// A walking time: "7m".
    static func walk(_ text: String) throws -> Duration {
        guard let walk = Duration(written: text), Favourite.walks.contains(walk) else {
            let (least, most) = (Favourite.walks.lowerBound.written, Favourite.walks.upperBound.written)
            throw ValidationError("\"\(text)\" must be a duration from \(least) to \(most), such as 7m.")
        }
        return walk
    }

    /// A part of the week: "weekdays 06:30-09:30".
    static func window(_ text: String) throws -> WeeklyWindow {
        do throws(WeeklyWindowFault) {
            return try WeeklyWindow(written: text)
        } catch {
            throw ValidationError("\"\(text)\" \(error).")
        }
    }

    /// Names separated by commas: "3,4". Duplicates are dropped, ignoring case; at least one is required.
    static func names(_ text: String) throws -> [String] {
        var seen: Set<String> = []
        let names = text.split(separator: ",").map { $0.drop { $0 == " " } }.map { name in
            String(name.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
        guard !names.isEmpty else { throw ValidationError("Name at least one, such as 3,4.") }
        return names
    }
}

/// The selected lines: "73,390", or "all".
struct LineChoice: Hashable, Sendable {
    static let all = LineChoice(names: [])

    /// The lines, each once; empty: all.
    let names: [String]

    private init(names: [String]) {
        self.names = names
    }

    init(_ text: String) throws {
        guard let names = try? OptionParsing.names(text) else {
            throw ValidationError("Name the lines, such as 73,390, or write all.")
        }
        self.names = names.count == 1 && names[0].lowercased() == "all" ? [] : names
    }
}
