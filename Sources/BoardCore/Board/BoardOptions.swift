/// The options of the whole board: `[board]` of boardd.toml.
public struct BoardOptions: Hashable, Sendable {
    /// The format of times of day.
    public enum ClockStyle: String, CaseIterable, Sendable {
        case h24 = "24h"
        case h12 = "12h"
    }

    public enum Home: String, CaseIterable, Sendable {
        /// The first favourite.
        case first
        case overview
    }

    /// Automatic steps through screens and pages.
    public enum Rotation: Hashable, Sendable {
        /// Off with four rows, every 6 s with two.
        case auto
        case off
        case every(Duration)
    }

    /// The place of the bar that shows the time to the next poll.
    public enum RefreshBar: String, CaseIterable, Sendable {
        /// One cell at the end of the header.
        case cell
        /// The last row.
        case row
        case off
    }

    /// The language of all text on the display.
    public var language: Language
    public var clock: ClockStyle
    public var home: Home
    /// How long after the last press the board returns home; nil: never.
    public var returnHome: Duration?
    public var rotation: Rotation
    public var refreshBar: RefreshBar
    /// Whether alerts take the last row.
    public var alertsRow: Bool
    /// How long a press lights a dark board.
    public var wake: Duration
    /// When the board is dark and polls slowly.
    public var quiet: [WeeklyWindow]
    /// The user's short forms: words as the operator writes them, to the text on the display.
    public var abbreviations: [String: String]

    public init(
        language: Language = .english, clock: ClockStyle = .h24, home: Home = .first,
        returnHome: Duration? = .seconds(60), rotation: Rotation = .auto, refreshBar: RefreshBar = .cell,
        alertsRow: Bool = false, wake: Duration = .seconds(60), quiet: [WeeklyWindow] = [],
        abbreviations: [String: String] = [:]
    ) {
        self.language = language
        self.clock = clock
        self.home = home
        self.returnHome = returnHome
        self.rotation = rotation
        self.refreshBar = refreshBar
        self.alertsRow = alertsRow
        self.wake = wake
        self.quiet = quiet
        self.abbreviations = abbreviations
    }
}
