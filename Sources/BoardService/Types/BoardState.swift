public import BoardCore
public import BoardStore
import FoundationEssentials

/// Everything about a running board: the response to `GET /v1/state`. What viewers see, and what the board uses.
@dynamicMemberLookup
public struct BoardState: Hashable, Sendable, Codable {
    /// A button and what its gestures do.
    public struct ButtonState: Hashable, Sendable, Codable {
        /// The place among the `[[button]]` tables, from 1.
        public var number: Int
        /// The line on its GPIO chip: the BCM number on every Pi.
        public var line: Int
        /// The action of a short press.
        public var short: ButtonAction
        /// The action of a hold.
        public var hold: ButtonAction
        /// The action of a long hold.
        public var longHold: ButtonAction
        /// The action of two short presses.
        public var double: ButtonAction

        public init(_ button: ButtonID, line: Int, _ binding: ButtonBinding) {
            number = button.number
            self.line = line
            short = binding.short
            hold = binding.hold
            longHold = binding.longHold
            double = binding.double
        }
    }

    public var live: LiveState
    /// The feeds in use.
    public var feeds: [FeedState]
    /// The stop directory of each feed that has one.
    public var directory: [DirectoryState]
    /// The buttons of the configuration, in its order.
    public var buttons: [ButtonState]
    /// Where a browser on the network finds the page that the daemon serves; nil: the page is off; empty: the machine
    /// has no network address yet.
    public var pageAddresses: [String]?
    /// The tables of the configuration, in the order in which they are read.
    public var tables: [ConfigurationTable]
    /// The display that the board found by itself, in words; nil: the configuration has one, or none was found.
    public var foundDisplay: String?

    private enum CodingKeys: CodingKey {
        case feeds, directory, buttons, pageAddresses, tables, foundDisplay
    }

    public init(
        live: LiveState, feeds: [FeedState], directory: [DirectoryState], buttons: [ButtonState] = [],
        pageAddresses: [String]? = nil, tables: [ConfigurationTable] = [], foundDisplay: String? = nil
    ) {
        self.live = live
        self.feeds = feeds
        self.directory = directory
        self.buttons = buttons
        self.pageAddresses = pageAddresses
        self.tables = tables
        self.foundDisplay = foundDisplay
    }

    // The keys stand beside those of the live state.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        live = try LiveState(from: decoder)
        feeds = try values.decode([FeedState].self, forKey: .feeds)
        directory = try values.decode([DirectoryState].self, forKey: .directory)
        buttons = try values.decode([ButtonState].self, forKey: .buttons)
        pageAddresses = try values.decodeIfPresent([String].self, forKey: .pageAddresses)
        tables = try values.decodeIfPresent([ConfigurationTable].self, forKey: .tables) ?? []
        foundDisplay = try values.decodeIfPresent(String.self, forKey: .foundDisplay)
    }

    public func encode(to encoder: any Encoder) throws {
        try live.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(feeds, forKey: .feeds)
        try values.encode(directory, forKey: .directory)
        try values.encode(buttons, forKey: .buttons)
        try values.encodeIfPresent(pageAddresses, forKey: .pageAddresses)
        try values.encode(tables, forKey: .tables)
        try values.encodeIfPresent(foundDisplay, forKey: .foundDisplay)
    }

    public subscript<Value>(dynamicMember part: WritableKeyPath<LiveState, Value>) -> Value {
        get { live[keyPath: part] }
        set { live[keyPath: part] = newValue }
    }
}

/// The pages that a client can turn to, by their identifiers or titles: the overview and the stops.
public struct BoardPages: Hashable, Sendable {
    private let pages: [PageReport]

    public init(_ pages: [PageReport]) {
        self.pages = pages.filter { $0.id != PageReport.address }
    }

    /// A name for each page, in order: its title; with the identifier, if several pages have the title.
    public var names: [String] { pages.map(name) }

    /// Nil: it is not a page that a client can turn to.
    public func name(of id: String) -> String? { pages.first { $0.id == id }.map(name) }

    /// The page with an identifier, or with a name or title that only one page has; case is ignored. Nil: the overview.
    ///
    /// - Throws: ``ServiceError`` with the candidates.
    public func stop(called text: String) throws(ServiceError) -> StopID? {
        let folded = text.lowercased()
        let found = pages.filter { $0.id == text || name($0) == text }
        let similar = pages.filter { [$0.id, $0.title, name($0)].contains { $0.lowercased() == folded } }
        guard let page = found.first ?? similar.first, found.count == 1 || similar.count == 1 else {
            let others = (similar.isEmpty ? pages : similar).prefix(Candidate.maximumCount).map {
                Candidate(id: $0.id, name: $0.title)
            }
            let quoted = "\"\(text.asPrintedLine)\""
            throw similar.isEmpty
                ? ServiceError(
                    .notFound, "there is no page \(quoted); boardd status --json lists the pages", candidates: others)
                : ServiceError(.invalid, "several pages have the title \(quoted)", candidates: others)
        }
        return StopID(page.id)
    }

    private func name(_ page: PageReport) -> String {
        let isUnique = !pages.contains { $0.title == page.title && $0.id != page.id }
        return isUnique ? page.title : "\(page.title) (\(page.id))"
    }
}

/// Everything that a viewer of a board sees: the response to `GET /v1/live`, and the first event of `GET /v1/events`.
public struct LiveState: Hashable, Sendable, Codable {
    /// The name of the machine.
    public var name: String
    /// That of boardd.
    public var version: String
    /// The board's current time.
    public var time: Timestamp
    public var timeSource: CorrectedClock.Source
    /// The machine's UTC offset in seconds, for departures without one.
    public var utcOffsetSeconds: Int
    public var display: DisplayPicture
    /// Every page, in the order in which a button steps through them.
    public var pages: [PageReport]
    /// The stops that the board shows, in the board's order.
    public var stops: [StopReport]
    /// The favourites, in the order of favourites.toml.
    public var favourites: [FavouriteItem]
    /// The changes of the favourites by other boards, the newest first; nil: the board shares no list.
    public var changes: [SharedFavouriteChange]?
    public var faults: BoardFaults

    public init(
        name: String, version: String, time: Timestamp, timeSource: CorrectedClock.Source,
        utcOffsetSeconds: Int, display: DisplayPicture, pages: [PageReport], stops: [StopReport],
        favourites: [FavouriteItem], changes: [SharedFavouriteChange]? = nil, faults: BoardFaults
    ) {
        self.name = name
        self.version = version
        self.time = time
        self.timeSource = timeSource
        self.utcOffsetSeconds = utcOffsetSeconds
        self.display = display
        self.pages = pages
        self.stops = stops
        self.favourites = favourites
        self.changes = changes
        self.faults = faults
    }
}

/// The content of the display, with its dots.
public struct DisplayPicture: Hashable, Sendable, Codable {
    /// The rows as text, from the top; each is as long as the display is wide.
    public var rows: [String]
    /// Whether the light is on; the rows do not depend on it.
    public var lit: Bool
    public var dots: DisplayDots
    public var page: PageInView
    public var light: LightMode
    /// Whether the display acknowledges writes; nil before the first attempt has ended.
    public var isResponding: Bool?

    public init(
        rows: [String], lit: Bool, dots: DisplayDots, page: PageInView, light: LightMode = .auto,
        isResponding: Bool? = nil
    ) {
        self.rows = rows
        self.lit = lit
        self.dots = dots
        self.page = page
        self.light = light
        self.isResponding = isResponding
    }
}

/// The dots of a display as it is lit now.
public struct DisplayDots: Hashable, Sendable, Codable {
    public enum Panel: String, CaseIterable, Sendable, Codable {
        /// Characters of 5x8 dots, with a gap of a dot around each.
        case characters
        /// Dots without gaps.
        case oled
    }

    public var panel: Panel
    /// In dots.
    public var width: Int
    /// The dots in strips from the top, each in base64: of characters 9 rows, of an OLED 8. Each row of dots begins
    /// with a byte; its left dot is the highest bit.
    public var strips: [String]

    /// - Parameter rows: of equal length; true: the dot is on.
    public init(_ panel: Panel, rows: [[Bool]]) {
        self.panel = panel
        width = rows.first?.count ?? 0
        let height = panel == .characters ? 9 : 8
        strips = stride(from: 0, to: rows.count, by: height).map { top in
            var bytes = Data()
            for row in rows[top..<min(top + height, rows.count)] {
                for first in stride(from: 0, to: row.count, by: 8) {
                    bytes.append((0..<8).reduce(0) { $0 << 1 | (first + $1 < row.count && row[first + $1] ? 1 : 0) })
                }
            }
            return bytes.base64EncodedString()
        }
    }
}

/// What prevents a board from working as configured; all nil: nothing.
public struct BoardFaults: Hashable, Sendable, Codable {
    /// The position of the newest configuration's first fault; the previous configuration stays in use.
    public var configuration: String?
    /// Why the display does not respond.
    public var display: String?
    /// Why button presses cannot be read.
    public var buttons: String?

    public init(configuration: String? = nil, display: String? = nil, buttons: String? = nil) {
        self.configuration = configuration
        self.display = display
        self.buttons = buttons
    }
}
