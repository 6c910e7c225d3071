/// What a person chose for the whole board: `[board]` of boardd.toml.
public struct BoardOptions: Hashable, Sendable {
    /// How the clock and clock times are written.
    public enum ClockStyle: String, CaseIterable, Sendable {
        case h24 = "24h"
        case h12 = "12h"
    }

    /// The page that the board returns to.
    public enum Home: String, CaseIterable, Sendable {
        /// The first favourite.
        case first
        case overview
    }

    /// Stepping by itself through screens and pages.
    public enum Rotation: Hashable, Sendable {
        /// Off with four rows, every 6 s with two.
        case auto
        case off
        case every(Duration)
    }

    /// Where the time to the next refresh is drawn.
    public enum RefreshBar: String, CaseIterable, Sendable {
        /// One cell at the end of the header.
        case cell
        /// The last row.
        case row
        case off
    }

    /// The language of every word on the glass.
    public var language: Language
    /// How times of day are written.
    public var clock: ClockStyle
    /// Where the board returns to.
    public var home: Home
    /// How long after the last press it returns; nil: never.
    public var returnHome: Duration?
    /// Stepping by itself.
    public var rotation: Rotation
    /// Where the time to the next refresh is drawn.
    public var refreshBar: RefreshBar
    /// Whether alerts take the last row.
    public var alertsRow: Bool
    /// How long a press lights a dark board.
    public var wake: Duration
    /// When the board is dark and polls slowly.
    public var quiet: [WeeklyWindow]
    /// A person's own short forms: word or words as the operator writes them, to what the glass shows.
    public var abbreviations: [String: String]

    /// Options, each at its default.
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
