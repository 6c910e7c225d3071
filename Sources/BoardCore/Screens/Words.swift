/// A text of the display, of the map or of Home Assistant. A form has placeholders: `%feed`, `%time`, `%code`, `%word`.
public enum Phrase: String, CaseIterable, Sendable {
    // The count of a row, longest form first: for 40, 20 and 16 columns. `%mark` is `about` or its sign where the time is
    // uncertain, `%code` a number of minutes.
    case due, minutes, goIn, goAt, goNow, run, delayed, cancelled, about
    // Weekdays begin with Monday, months with January. A date: `%code` is the day of the month, `%word` the month.
    case beforeNoon, afterNoon, weekdays, months, date

    // The facts of a row.
    case endsEarly, byBus, phoneAhead, lateFact, platform, fromStop, departsAt, nextAfter, unknownDestination

    // After the name of a stop without departures.
    case stopNext, stopNone

    // Detail pages. `%code` is a number of minutes, `%time` the time of day.
    case leaveIn, leaveNow, runNow, departs, leaves, lateBy, delayedAt, cancelledAt, liveReport, oldReport, noReportYet
    case nowAt, leftAt, whereabouts, noReport, coaches, coachesFrom, divides, arrangeWithDriver, startsAt, endsAt
    case replacement, previousTrip, waiting, vehicle, returnTrip, madeAt

    // The legend.
    case leaveMeaning, aboutMeaning, continuesMeaning, cancelledMeaning, alertMeaning

    // Positions (`%code` of `%word`), sort orders, and what a release of the button does.
    case pagePosition, stopPosition, byTime, byLine, byDestination, sorted, letGo, setUpByPhone
    case open, back, next, previous, refresh, nothingHappens, hint, hintWithoutHold

    // Messages. The last form has no operator's name, which may be long. `%word` of `noFavourites` is the machine's name and
    // address; a new line begins where the text has one.
    case noNetwork, waitingForTime, hoursUnknown, faultyLine, faultyFile, fleetNameInUse, fleetList, keyRejected,
        keyMissing
    case unknownStop, noResponse, status, unreadable, rateLimited, certificate, frozen, noZone, withheld, loading
    case noFavourites, lastDeparted, nextAt, notBefore, timetableEnded, nothingPredicted, otherDirections,
        nothingToCatch, stopped

    // The web page's address, and pairing. The last form of a heading fits a row; `%word` is the machine's name in the network, after
    // its address; `%code` is the digits in two groups.
    case openInBrowser, addByPhone, orName, noAddress, pairPhone, pairingCode, pressDeclines, phonePaired, phoneDeclined

    // Entities of Home Assistant: the first is before the name of a stop, `button` before a number.
    case leaveFor, problem, button, nextPage, refreshNow, page, light, message

    // The map. `%code` is a number of stops.
    case mapTitle, mapZoomIn, mapNorth
}

/// All text for people in one language.
public struct Words: Sendable {
    /// By ``Phrase``. A text that may have to be shorter has several forms, longest first.
    private let board: [String: [String]]
    /// By the keys of `[page]`; most are those of the page's script.
    public let page: [String: String]
    /// By the keys of `[setup]`: those of the page that only owners see.
    public let setup: [String: String]

    fileprivate init(_ file: [String: [String: String]]) {
        board = file["board", default: [:]].mapValues { text in
            text.replacing("\\n", with: "\n").split(separator: " | ").map(String.init)
        }
        page = file["page", default: [:]]
        setup = file["setup", default: [:]]
    }

    /// The forms of a text.
    subscript(phrase: Phrase) -> [String] { board[phrase.rawValue] ?? [phrase.rawValue] }

    /// The first form of a text.
    public func text(_ phrase: Phrase) -> String { self[phrase].first ?? phrase.rawValue }

    /// A text of the page.
    public func page(_ key: String) -> String { page[key] ?? key }
}

/// A language of the board, named as in the configuration (ISO 639).
public enum Language: String, CaseIterable, Sendable, Encodable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"

    private var file: [UInt8] {
        switch self {
        case .english: PackageResources.en_txt
        case .german: PackageResources.de_txt
        case .french: PackageResources.fr_txt
        case .spanish: PackageResources.es_txt
        }
    }

    /// Parses the language's file in Sources/BoardCore/Words, which is compiled in. Keep the result where it is used often.
    public var words: Words { Words(sections) }

    /// Stop names are in the language of the city, not of the board: the words of the other languages follow its own.
    var streetNames: StreetNames {
        let others = Self.allCases.filter { $0 != self }
        return StreetNames(
            short: ([self] + others).reduce(into: [:]) { names, language in
                names.merge(language.sections["placeNames", default: [:]]) { first, _ in first }
            })
    }

    /// The texts by section and key: `[section]`, `key = text`, and lines that begin with `#`.
    private var sections: [String: [String: String]] {
        var sections: [String: [String: String]] = [:]
        var section = ""
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") where line.first != "#" {
            if line.first == "[" {
                section = String(line.dropFirst().dropLast())
            } else if let sign = line.firstIndex(of: "=") {
                let key = String(line[..<sign].dropLast())
                sections[section, default: [:]][key] = String(line[sign...].dropFirst(2))
            }
        }
        return sections
    }
}
