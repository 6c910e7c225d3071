public import BoardStore

/// What is set up by phone, and what is still to do.
public struct SetupState: Hashable, Sendable, Codable {
    /// The steps of a set-up, in their order; boardd setup has the same.
    public enum Step: String, CaseIterable, Sendable, Codable {
        /// The name and the language of the board.
        case name
        /// Where the board is, from which its operator follows.
        case place
        /// A stop, its lines and directions, and the way there.
        case stop
        /// The kind and the size of the display.
        case display
        /// The GPIO line of the button; not of a board that no button can be connected to.
        case button
        /// When the display is dark.
        case quiet
    }

    /// A step, and whether it is done.
    public struct StepState: Hashable, Sendable, Codable {
        /// Which one.
        public var id: Step
        /// Whether it has a value that somebody chose.
        public var isDone: Bool
        /// The file of the administrator that decides it; nil: it can be set by phone.
        public var lockedBy: String?

        public init(id: Step, isDone: Bool, lockedBy: String? = nil) {
            self.id = id
            self.isDone = isDone
            self.lockedBy = lockedBy
        }
    }

    /// A table of the configuration.
    public struct Table: Hashable, Sendable, Codable {
        /// "display", "quiet", "feed.motis".
        public var name: String
        /// The file of the administrator that decides it; nil: it can be set by phone.
        public var lockedBy: String?
        /// The keys and values; of `quiet` and `button` of each table, otherwise of the one.
        public var values: [[String: SettingValue]]

        public init(name: String, lockedBy: String? = nil, values: [[String: SettingValue]]) {
            self.name = name
            self.lockedBy = lockedBy
            self.values = values
        }
    }

    /// A key of an operator. Its value is never sent.
    public struct Key: Hashable, Sendable, Codable {
        /// "RAIL_TOKEN".
        public var name: String
        /// The feed that sends it.
        public var feed: String
        /// The operator.
        public var title: String
        /// Whether it has a value.
        public var isSet: Bool

        public init(name: String, feed: String, title: String, isSet: Bool) {
            self.name = name
            self.feed = feed
            self.title = title
            self.isSet = isSet
        }
    }

    /// In their order.
    public var steps: [StepState]
    /// The tables that have values and that a phone may set.
    public var tables: [Table]
    /// The keys that the configured feeds use.
    public var keys: [Key]
    /// The brightness of the display in percent, `brightness` of its table; nil: it has none.
    public var brightness: Int?

    public init(steps: [StepState], tables: [Table], keys: [Key], brightness: Int? = nil) {
        self.steps = steps
        self.tables = tables
        self.keys = keys
        self.brightness = brightness
    }
}

/// The body of `PUT /v1/settings/{table}`: one table, or the tables of a list such as `quiet`.
public struct SettingsTables: Hashable, Sendable, Codable {
    /// Each with its keys and values, as in boardd.toml.
    public var tables: [[String: SettingValue]]

    public init(_ tables: [[String: SettingValue]]) { self.tables = tables }

    public init(from decoder: any Decoder) throws {
        tables = try decoder.strictContainer(["tables"]).decode([[String: SettingValue]].self, forKey: "tables")
    }
}

/// The body of `PUT /v1/keys/{name}`.
public struct KeyValue: Hashable, Sendable, Codable {
    /// The key: printable ASCII without blanks and quotes.
    public var value: String

    public init(_ value: String) { self.value = value }

    public init(from decoder: any Decoder) throws {
        value = try decoder.strictContainer(["value"]).decode(String.self, forKey: "value")
    }
}

/// The button that was pressed while a phone waited for it.
public struct PressedButton: Hashable, Sendable, Codable {
    /// Its GPIO line, for `line` of the table `button`; nil: none was pressed.
    public var line: Int?

    public init(line: Int?) { self.line = line }
}

/// What a person keeps of a board: everything but its keys, which nobody reads out.
public struct Backup: Hashable, Sendable, Codable {
    /// The board's own settings, as a file.
    public var settings: String
    /// favourites.toml.
    public var favourites: String

    /// The most bytes in JSON: two files of at most 100 kB, which escapes may double.
    package static let maximumLength = 2 * 2 * 100_000

    public init(settings: String, favourites: String) {
        self.settings = settings
        self.favourites = favourites
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["settings", "favourites"])
        settings = try container.decode(String.self, forKey: "settings")
        favourites = try container.decode(String.self, forKey: "favourites")
    }
}

/// Sets up a running board by phone. It changes the board's own layer alone, below the administrator's files.
public protocol SetupManagement: Sendable {
    func setup() async throws(ServiceError) -> SetupState
    func openSetup() async throws(ServiceError)
    func closeSetup() async throws(ServiceError)
    /// The feeds that have departures at a place, the best first.
    ///
    /// - Parameter text: a town, an operator, or latitude and longitude.
    func places(_ text: String) async throws(ServiceError) -> [PlaceProposal]
    /// Replaces a table.
    ///
    /// - Parameter tables: none: the table goes, and its defaults hold.
    func setTable(_ name: String, to tables: [[String: SettingValue]]) async throws(ServiceError) -> SetupState
    /// Waits some seconds for a press of a button at any line that may have one.
    func pressedButton() async throws(ServiceError) -> PressedButton
    func backup() async throws(ServiceError) -> Backup
    /// Replaces the board's own settings and its favourites.
    func restore(_ backup: Backup) async throws(ServiceError) -> SetupState
    /// Sets a key; nil removes it. Throws `invalid` for one that its operator rejects; the one before stays.
    func setKey(_ name: String, to value: String?) async throws(ServiceError) -> SetupState
}

/// The set-up of the board that runs in this process.
public protocol RunningSetup: SetupManagement {
    /// Whether a device that is paired now becomes an owner: the board has no favourites, or somebody opened the window.
    var isOpenForSetup: Bool { get }
}
