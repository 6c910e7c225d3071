public import BoardCore

/// The state of a running board: the response to `GET /v1/state`.
public struct BoardState: Hashable, Sendable, Codable {
    /// The content of the display.
    public struct Screen: Hashable, Sendable, Codable {
        /// The rows as text, from the top; each is as long as the display is wide.
        public var rows: [String]
        public var lit: Bool

        public init(rows: [String], lit: Bool) {
            self.rows = rows
            self.lit = lit
        }
    }

    /// The page and screen that the display shows.
    public struct CurrentPage: Hashable, Sendable, Codable {
        /// "overview", "address", or a stop identifier.
        public var id: String
        /// The index of the screen within the page, from 0.
        public var screen: Int
        /// The number of screens of the page, at least 1.
        public var screens: Int
        /// Whether the board turns the pages by itself now.
        public var isRotating: Bool

        public init(id: String, screen: Int, screens: Int, isRotating: Bool = false) {
            self.id = id
            self.screen = screen
            self.screens = screens
            self.isRotating = isRotating
        }
    }

    public struct Page: Hashable, Sendable, Codable {
        /// The identifier of the overview of all favourites.
        public static let overview = "overview"
        /// The identifier of the address of the page that the daemon serves.
        public static let address = "address"

        /// "overview", "address", or a stop identifier.
        public var id: String
        /// The page's name on the display.
        public var title: String
        /// The number of screens, at least 1.
        public var screens: Int

        public init(id: String, title: String, screens: Int) {
            self.id = id
            self.title = title
            self.screens = screens
        }
    }

    public struct DisplayState: Hashable, Sendable, Codable {
        /// Whether the display acknowledges writes; nil before the first attempt has ended.
        public var isResponding: Bool?
        /// The display's description, or why it does not respond.
        public var detail: String?

        public init(isResponding: Bool? = nil, detail: String? = nil) {
            self.isResponding = isResponding
            self.detail = detail
        }
    }

    /// A button and what its gestures do.
    public struct ButtonState: Hashable, Sendable, Codable {
        /// The place among the `[[button]]` tables, from 1.
        public var number: Int
        /// The line on its GPIO chip: the BCM number on every Pi.
        public var line: Int
        public var short: String
        public var hold: String
        public var longHold: String
        public var double: String

        public init(_ button: ButtonID, line: Int, _ binding: ButtonBinding) {
            number = button.number
            self.line = line
            short = binding.short.rawValue
            hold = binding.hold.rawValue
            longHold = binding.longHold.rawValue
            double = binding.double.rawValue
        }
    }

    public var version: String
    /// The board's current time.
    public var time: RFC3339Timestamp
    public var timeSource: CorrectedClock.Source
    public var frame: Screen
    public var light: LightMode
    public var page: CurrentPage
    /// Every page, in the order in which a button steps through them.
    public var pages: [Page]
    /// The stops that the board shows, in the board's order.
    public var stops: [StopState]
    /// The feeds in use.
    public var feeds: [FeedState]
    /// The position of the newest configuration's first fault; while there is one, the previous configuration stays in use.
    public var configurationFault: String?
    /// The stop directory of each feed that has one.
    public var directory: [DirectoryState]
    public var display: DisplayState
    /// The buttons of the configuration, in its order.
    public var buttons: [ButtonState]
    /// Why presses of the buttons cannot be read; nil: they can.
    public var buttonFault: String?
    /// Where a browser in the network finds the page that the daemon serves; nil: the page is off, empty: the machine has no address
    /// in a network yet.
    public var pageAddresses: [String]?

    public init(
        version: String, time: RFC3339Timestamp, timeSource: CorrectedClock.Source, frame: Screen,
        light: LightMode = .auto, page: CurrentPage, pages: [Page],
        stops: [StopState], feeds: [FeedState], configurationFault: String? = nil, directory: [DirectoryState],
        display: DisplayState, buttons: [ButtonState] = [], buttonFault: String? = nil, pageAddresses: [String]? = nil
    ) {
        self.version = version
        self.time = time
        self.timeSource = timeSource
        self.frame = frame
        self.light = light
        self.page = page
        self.pages = pages
        self.stops = stops
        self.feeds = feeds
        self.configurationFault = configurationFault
        self.directory = directory
        self.display = display
        self.buttons = buttons
        self.buttonFault = buttonFault
        self.pageAddresses = pageAddresses
    }
}
