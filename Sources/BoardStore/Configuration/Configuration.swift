public import BoardCore
public import BoardDisplays
public import BoardIO
public import Glibc

/// The complete, checked configuration: boardd.toml, favourites.toml and keys.env. The defaults are those of empty
/// files without feeds.
public struct Configuration: Hashable, Sendable {
    /// `[board]`, `[language]`, `[pages]`, `[light]`, `[[quiet]]` and `[abbreviations]`.
    public var board = BoardOptions()
    public var display = DisplayWiring(origin: .searched)
    /// Every `[[button]]`, in the order of the file.
    public var buttons = [ButtonConfiguration()]
    public var page = PageOptions()
    public var fleet = FleetOptions()
    /// `[feed.NAME]` of every declared feed, with its keys, configured or not.
    public var feeds: [FeedName: FeedSettings] = [:]
    public var logLevel = LogLevel.info
    /// The entries of favourites.toml in the order of the file: stops, and searches for the stops nearest to a place.
    public var entries: [FavouriteEntry] = []
    /// Notes for the user that are not faults: a missing file, keys that other users can read.
    public var warnings: [SourceError] = []
    /// Which file each table comes from.
    public var tables: [ConfigurationTable] = []
    /// The first fault of the board's newest own settings, in place of which the last good ones hold; nil: there is none.
    public var setAside: FilePosition?

    /// The configured stops, in the order of the file, without those that `[[nearby]]` tables find.
    public var favourites: [Favourite] { entries.named }

    public init() {}
}

/// A table of a file.
public struct ConfigurationTable: Hashable, Sendable, Codable {
    /// "[display]", "[[quiet]]", "[feed.gtfs.lyon]".
    public let name: String
    /// Its path.
    public let file: String
    /// Whether a table of this name in /etc holds in its place.
    public var isHidden = false
    /// The keys and values of each table of a list; otherwise of the one. Not sent to anybody.
    public var tables: [[Value]] = []

    /// "display", "feed.gtfs.lyon".
    public var plainName: String { String(name.filter { $0 != "[" && $0 != "]" }) }
    /// Those of the first.
    public var values: [Value] { tables.first ?? [] }

    public struct Value: Hashable, Sendable {
        public let key: String
        /// As written.
        public let text: String
        /// Nil: a type that no setting has.
        public let value: SettingValue?
    }

    private enum CodingKeys: CodingKey {
        case name, file, isHidden
    }
}

extension [ConfigurationTable] {
    /// "/etc/boardd/boardd.toml: [display], [page]", for each file that has tables.
    public var sentences: [String] {
        reduce(into: [String]()) { if !$0.contains($1.file) { $0.append($1.file) } }.flatMap { file in
            [(false, ""), (true, ", not in use: /etc has its own")].compactMap { isHidden, end in
                let names = filter { $0.file == file && $0.isHidden == isHidden }.map(\.name)
                return names.isEmpty ? nil : "\(file): \(names.joined(separator: ", "))\(end)"
            }
        }
    }
}

/// The wiring and the actions of one button; the defaults are those of the first.
public struct ButtonConfiguration: Hashable, Sendable {
    public var wiring = ButtonWiring()
    public var binding = ButtonBinding()
}

public enum LogLevel: String, CaseIterable, Sendable {
    case error, warning, info, debug
}

extension Configuration {
    /// The names of all feeds, for messages: first those that favourites use or the files configure, last `FAMILY.NAME`
    /// for each family.
    public func feedNames(of declarations: FeedDeclarations) -> [String] {
        let used = Set(favourites.map(\.stop.feed))
        let unused = declarations.feeds.filter { declaration in
            !used.contains(declaration.name)
                && feeds[declaration.name].isNilOr { $0 == FeedSettings(defaultsOf: declaration) }
        }.map(\.name.description)
        // A member of a family is a feed only if it has a table.
        let configured = feeds.keys.map(\.description).filter { !unused.contains($0) }.sorted()
        return configured + unused + declarations.families.map(\.placeholder)
    }
}

/// A fault in a configuration file: its position, what was found and what is allowed.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case content
        /// The file could not be read, so its content is unknown.
        case unreadable
    }

    public let kind: Kind
    public let file: String
    /// The position in the file; nil if the fault has none.
    public let position: SourcePosition?
    /// What was found and what is allowed. Contains no key from keys.env.
    public let message: String
    /// The value that is not allowed; nil: it is not about the value of one key.
    public let value: InvalidValue?

    public init(
        _ kind: Kind = .content, file: String, position: SourcePosition? = nil, message: String,
        value: InvalidValue? = nil
    ) {
        self.kind = kind
        self.file = file
        self.position = position
        self.message = message
        self.value = value
    }

    /// "/etc/boardd/boardd.toml:12:9: " and the message: the format that editors recognise. Always one line.
    public var description: String {
        let position = position.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file)\(position): \(message)".asPrintedLine
    }
}

/// All faults in a configuration, in the order of the files and their lines.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Never empty.
    public var faults: [SourceError]
    /// The values that could be read: a faulty value has its default, a faulty favourite or button is absent, and a
    /// file that is unreadable or has a syntax error counts as empty.
    public var partial = Configuration()

    /// One line per fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }

    /// The position of the first fault, for the display.
    public var position: FilePosition {
        FilePosition(file: faults.first?.file ?? "boardd.toml", line: faults.first?.position?.line)
    }

    /// Whether a file could not be read, so there may be more faults.
    public var isIncomplete: Bool { faults.contains { $0.kind == .unreadable } }
}

/// Replaces whole configuration files: readers find the old file or the new one, even after an interrupt.
public enum WrittenFile {
    /// The maximum wait for other writers of the folder.
    private static let timeout = Duration.seconds(5)

    /// Writes a file durably; makes its folder if there is none.
    ///
    /// - Parameter mode: the mode of a new file; an old one keeps its own.
    public static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(FileError) {
        let folder = FilePath(following: path).steps.last?.folder ?? "."
        guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw FileError(replacing: folder, errno: errno)
        }
        try LockedFile(path, timeout: timeout).replace(with: bytes, mode: mode)
    }

    /// The content of a file; nil if there is none.
    static func read(_ path: String) throws(FileError) -> SmallFile.Contents? {
        do throws(FileError) {
            return try SmallFile.read(path, limit: SourceText.maximumSize)
        } catch {
            if error.number == ENOENT { return nil }
            throw FileError(replacing: path, error)
        }
    }

    public static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw FileError(replacing: path, errno: errno) }
    }
}
