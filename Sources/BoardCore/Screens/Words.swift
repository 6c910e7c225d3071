/// All text of the display in one language.
///
/// There are no defaults: a language that lacks a text does not compile. Texts that may have to be shorter are lists,
/// longest first; `%feed`, `%time`, `%code` and `%word` are placeholders. The last form of a message contains no
/// operator's name, so that it fits every panel.
struct Words: Sendable {
    // Times of a row.
    let due: String
    let delayed: [String]
    let cancelled: [String]
    let minutes: String
    let beforeNoon: String
    let afterNoon: String
    /// Short names, Monday first.
    let weekdays: [String]
    /// The months' short names, January first.
    let months: [String]
    /// A day without its year: `%code` is the day of the month, `%word` the month.
    let date: String

    // Pages.
    let allStops: [String]
    let nothing: String
    let unknownYet: String
    let madeAt: [String]
    let platform: [String]
    let bus: String
    let unknownDestination: String

    // Detail pages.
    /// `%code` is a number of minutes, `%time` the time of day.
    let inMinutes: [String]
    let dueAt: [String]
    let delayedAt: [String]
    let cancelledAt: [String]
    let leaveIn: [String]
    let leaveNow: [String]
    let tooLate: [String]
    let nowAt: [String]
    let leftAt: [String]
    let whereabouts: [String]
    let noReport: String
    let coaches: [String]
    let coachesFrom: [String]
    let divides: [String]
    let phoneAhead: [String]
    let arrangeWithDriver: [String]
    let startsAt: [String]
    let endsAt: [String]
    let replacement: [String]
    let previousTrip: [String]
    let waiting: [String]
    let vehicle: [String]
    let returnTrip: [String]

    // The legend.
    let alertMeaning: [String]
    let staleMeaning: [String]
    let scheduledMeaning: [String]
    let leaveMeaning: [String]
    let lateMeaning: [String]
    let failedMeaning: [String]

    // The time to leave, in a row.
    /// `%code` is a number of minutes.
    let leaveWithin: [String]
    let leave: String
    let missed: [String]

    // Sort orders, positions and button actions.
    /// `%code` of `%word`.
    let position: String
    let byTime: [String]
    let byLine: [String]
    let byDestination: [String]
    let sorted: [String]
    /// What a release of the button does: `%word`.
    let letGo: [String]
    let open: [String]
    let back: [String]
    let next: [String]
    let previous: [String]
    let refresh: [String]
    let nothingHappens: [String]
    let hint: [String]
    let hintWithoutHold: [String]

    // Messages.
    let noNetwork: [String]
    let waitingForTime: [String]
    let faultyLine: [String]
    let faultyFile: [String]
    let fleetNameInUse: [String]
    let fleetList: [String]
    let keyRejected: [String]
    let keyMissing: [String]
    let unknownStop: [String]
    let noResponse: [String]
    let status: [String]
    let unreadable: [String]
    let rateLimited: [String]
    let certificate: [String]
    let frozen: [String]
    let noZone: [String]
    let withheld: [String]
    let loading: [String]
    /// `%word` is the machine's name and address. A new line begins where the text has one.
    let noFavourites: [String]
    let lastDeparted: [String]
    let nextAt: [String]
    let notBefore: [String]
    let timetableEnded: [String]
    let nothingPredicted: [String]
    let nothingToCatch: [String]
    let departed: [String]
    let stopped: [String]

    // The page that the daemon serves.
    /// The last form of a heading fits a row.
    let openInBrowser: [String]
    let addByPhone: [String]
    /// `%word` is the machine's name in the network, after its address.
    let orName: [String]
    let noAddress: [String]
    let pairPhone: String
    /// `%code` is the digits in two groups.
    let pairingCode: String
    let pressDeclines: [String]
    let phonePaired: [String]
    let phoneDeclined: [String]

    /// Common words of stop names and their short forms, for names that do not fit. A key that begins with a hyphen is
    /// a suffix ("-straße"), one that ends with an apostrophe a prefix ("d'"); a word with an empty form is dropped.
    let abbreviations: [String: String]

    /// The short forms of one language and, where they do not conflict, of all others: stop names are in the language
    /// of the city, not of the display.
    static func placeNames(_ own: [String: String]) -> [String: String] {
        [englishNames, germanNames, frenchNames, spanishNames].reduce(into: own) { forms, others in
            forms.merge(others) { first, _ in first }
        }
    }
}

extension Language {
    var words: Words {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        case .spanish: .spanish
        }
    }
}

/// A language of the display, named as in the configuration.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
}
