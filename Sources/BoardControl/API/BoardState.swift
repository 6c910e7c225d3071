internal import BoardCore

/// All that a page or an automation can know of a running board: the answer to `GET /v1/state`.
public struct BoardState: Hashable, Sendable, Codable {
    /// Whom the time comes from, best first.
    public enum TimeSource: String, CaseIterable, Sendable, Codable {
        /// The kernel's clock while it was synchronised.
        case kernel
        /// The `Date` of responses.
        case feed
        /// The `Date` of responses whose hosts disagree: the time nearest to the machine's own clock.
        case disputed
        /// The unsynchronised wall clock.
        case wall
    }

    /// What is on the glass.
    public struct Screen: Hashable, Sendable, Codable {
        /// The rows as text, from the top; each as long as the panel is wide.
        public var rows: [String]
        /// Whether the backlight is on.
        public var lit: Bool

        /// A glass.
        public init(rows: [String], lit: Bool) {
            self.rows = rows
            self.lit = lit
        }
    }

    /// Where on the board a person looks.
    public struct CurrentPage: Hashable, Sendable, Codable {
        /// "overview", or the identifier of a stop.
        public var id: String
        /// Which of the page's screens, from 0.
        public var screen: Int
        /// How many screens the page has; at least 1.
        public var screens: Int

        /// A place on the board.
        public init(id: String, screen: Int, screens: Int) {
            self.id = id
            self.screen = screen
            self.screens = screens
        }
    }

    /// A page of the board.
    public struct Page: Hashable, Sendable, Codable {
        /// The identifier of the page that shows all favourites.
        public static let overview = "overview"

        /// "overview", or the identifier of a stop.
        public var id: String
        /// What the glass calls it.
        public var title: String
        /// How many screens it has; at least 1.
        public var screens: Int

        /// A page.
        public init(id: String, title: String, screens: Int) {
            self.id = id
            self.title = title
            self.screens = screens
        }
    }

    /// The display.
    public struct DisplayState: Hashable, Sendable, Codable {
        /// Whether it takes what is written to it; nil before the first attempt has ended.
        public var isResponding: Bool?
        /// A sentence: what it is, or why it does not answer.
        public var detail: String?

        /// A display's state.
        public init(isResponding: Bool? = nil, detail: String? = nil) {
            self.isResponding = isResponding
            self.detail = detail
        }
    }

    /// The version of boardd.
    public var version: String
    /// What time the board believes it is.
    public var time: RFC3339Timestamp
    /// Whom that time comes from.
    public var timeSource: TimeSource
    /// What is on the glass.
    public var frame: Screen
    /// Where on the board a person looks.
    public var page: CurrentPage
    /// Every page, in the order in which a button steps through them.
    public var pages: [Page]
    /// The stops that the board shows, in the board's order.
    public var stops: [StopState]
    /// The feeds that are in use.
    public var feeds: [FeedState]
    /// Where the newest configuration's first fault is, while there is one: the board goes on with the one before.
    public var configurationFault: String?
    /// The stop directory of each feed that has one.
    public var directory: [DirectoryState]
    /// The display.
    public var display: DisplayState

    /// A state.
    public init(
        version: String, time: RFC3339Timestamp, timeSource: TimeSource, frame: Screen, page: CurrentPage,
        pages: [Page],
        stops: [StopState], feeds: [FeedState], configurationFault: String? = nil, directory: [DirectoryState],
        display: DisplayState
    ) {
        self.version = version
        self.time = time
        self.timeSource = timeSource
        self.frame = frame
        self.page = page
        self.pages = pages
        self.stops = stops
        self.feeds = feeds
        self.configurationFault = configurationFault
        self.directory = directory
        self.display = display
    }
}
