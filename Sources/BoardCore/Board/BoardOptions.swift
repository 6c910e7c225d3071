/// The options of the whole board, which no feed and no device has.
public struct BoardOptions: Hashable, Sendable {
    public enum ClockStyle: String, CaseIterable, Sendable {
        case h24 = "24h"
        case h12 = "12h"
    }

    public enum Home: String, CaseIterable, Sendable {
        case first
        case overview
    }

    /// Automatic steps through screens and pages.
    public enum Rotation: Hashable, Sendable {
        /// Through the screens of the overview and, on one row, the departures of a stop.
        case auto
        case off
        /// From page to page, each shown this long.
        case every(Duration)
    }

    /// What its owner calls the board; nil: the name of the machine.
    public var name: String?
    public var language = Language.english
    public var clock = ClockStyle.h24
    /// Nil: the overview, unless there is only one favourite.
    public var home: Home?
    /// How long after the last press the board returns home; nil: never.
    public var returnHome: Duration? = .seconds(60)
    public var rotation = Rotation.auto
    /// How far ahead a favourite's page looks. The first screen is filled with later departures too.
    public var reach = Duration.seconds(3_600)
    /// The largest number of screens of a favourite's page.
    public var screens = 2
    /// Whether names and facts that do not fit a row take turns.
    public var turns = true
    /// How long a press lights a dark board.
    public var wake = Duration.seconds(60)
    /// When the board is dark and polls slowly.
    public var quiet: [WeeklyWindow] = []
    /// The user's short forms: from words as the operator writes them to the text on the display.
    public var abbreviations: [String: String] = [:]

    public init() {}
}

/// How the display is lit.
public enum LightMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// Dark in quiet hours, until a press.
    case auto
    /// Lit, even in quiet hours.
    case on
    /// Dark, until a press: then `auto`.
    case off
}
