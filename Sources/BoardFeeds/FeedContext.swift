public import BoardCore
import BoardIO

/// The dependencies of a feed: its settings, transport, clocks, storage and time zones.
public struct FeedContext: Sendable {
    /// Loads a zone by its name, such as "Europe/London".
    public typealias ZoneSource = @Sendable (String) throws(FeedSettingError) -> Zone

    /// The feed's settings, complete and validated.
    public let settings: FeedSettings
    public let transport: any HTTPTransport
    /// The clocks that expire the feed's caches.
    public let clock: any MachineClock
    /// Loads the operator's zone. Called while the feed is made, so a missing zone is reported at startup; later only
    /// for an operator whose own data names its zone.
    public let zone: ZoneSource
    /// Where the feed may store files; nil: nowhere, for example without write permission or for a recording.
    public let storage: FeedStorage?
    /// The stop codes of this feed's current favourites; nil: unavailable.
    public let favourites: @Sendable () -> [String]?
    public let names: NameChoice

    public init(
        settings: FeedSettings, transport: any HTTPTransport, clock: any MachineClock, storage: FeedStorage? = nil,
        favourites: @escaping @Sendable () -> [String]? = { nil }, names: NameChoice = NameChoice(),
        zone: @escaping ZoneSource
    ) {
        self.settings = settings
        self.transport = CountingTransport(wrapping: transport)
        self.clock = clock
        self.storage = storage
        self.favourites = favourites
        self.names = names
        self.zone = zone
    }

    /// The URL of a setting: https, or http for loopback, without a query, since requests add their own.
    ///
    /// - Parameter usual: the default, as an example in the message.
    func address(_ setting: String, default usual: String) throws(FeedSettingError) -> HTTPURL {
        try address(setting, settings[text: setting], rule: Self.rule(usual))
    }

    /// The URL of a setting without a default; nil: none is configured.
    func optionalAddress(_ setting: String) throws(FeedSettingError) -> HTTPURL? {
        guard let text = settings.nonEmptyText(setting) else { return nil }
        return try address(setting, text, rule: Self.rule("http://127.0.0.1:8080"))
    }

    private static func rule(_ example: String) -> String {
        "must be an https address, or an http address on this machine, such as \(example)"
    }

    /// - Parameter rule: the requirement, for the error message.
    func address(_ setting: String, _ text: String, rule: String) throws(FeedSettingError) -> HTTPURL {
        // A query, a user name or a password may be a key, so the message must not repeat it.
        guard !text.contains(where: { $0 == "?" || $0 == "@" }) else {
            throw FeedSettingError(setting: setting, detail: "found a URL with user name, password or query; \(rule)")
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback else {
            throw FeedSettingError(setting: setting, detail: "\"\(text)\" \(rule)")
        }
        return url
    }
}

public struct FeedStorage: Sendable {
    /// A persistent folder, shared with other feeds: file names begin with the feed's name.
    public let folder: String
    /// A folder that survives a restart of the program; it need not survive a reboot.
    public let runtimeFolder: String
    /// Makes the transport for large files, on its own thread, which may wait for the disk. Called at first use.
    public let download: @Sendable () -> any HTTPTransport
    /// The codes of the configured stops, to prepare for: one pass over a large file serves them all.
    public let stops: [String]
    public let log: @Sendable (LogEntry) -> Void

    public enum LogEntry: Hashable, Sendable {
        /// Completed work of interest to a user.
        case completed(String)
        /// An unexpected state that is not an error.
        case info(String)
        /// The start of a problem; requests may still succeed.
        case warning(String)
        /// The end of a problem.
        case recovered(String)
    }

    /// - Parameter runtimeFolder: nil: `folder`.
    public init(
        folder: String, runtimeFolder: String? = nil, stops: [String] = [],
        download: @escaping @Sendable () -> any HTTPTransport, log: @escaping @Sendable (LogEntry) -> Void = { _ in }
    ) {
        self.folder = folder
        self.runtimeFolder = runtimeFolder ?? folder
        self.stops = stops
        self.download = download
        self.log = log
    }
}

/// Which of an operator's names for a thing the board shows.
public struct NameChoice: Sendable {
    /// The board's language, such as "de".
    public var language: String
    /// A name as the display can draw it; nil: it cannot.
    public let drawn: @Sendable (String) -> String?

    public init(language: Language = .english, drawn: @escaping @Sendable (String) -> String? = { $0 }) {
        self.language = language.rawValue
        self.drawn = drawn
    }

    /// Language tags, such as "ja-Hrkt": those of the board's language, the one with the same script and region first,
    /// and the others, English first.
    func ordered(_ languages: [String]) -> (own: [String], others: [String]) {
        func rank(_ tag: String) -> Int {
            if tag.lowercased() == language.lowercased() { return 0 }
            return [Self.primary(language), Language.english.rawValue].firstIndex(of: Self.primary(tag)).map { $0 + 1 }
                ?? 3
        }
        let ordered = languages.sorted { (rank($0), $0) < (rank($1), $1) }
        return (ordered.filter { rank($0) < 2 }, ordered.filter { rank($0) >= 2 })
    }

    /// Whether two tags have the same language: "en-GB" is English.
    static func isSame(_ tag: String, _ other: String) -> Bool { !tag.isEmpty && primary(tag) == primary(other) }

    /// The language of a tag without its script and region: "ja" for "ja-Hrkt".
    private static func primary(_ tag: String) -> String {
        tag.split { $0 == "-" || $0 == "_" }.first?.lowercased() ?? ""
    }
}

/// An operator's API key, and where requests carry it: in a header or in the query.
struct APIKeyPlacement: Sendable {
    /// The name in keys.env: GTFS_LAMETRO_KEY.
    let name: String
    let secret: Secret?
    /// The header that carries the key; empty: none.
    let header: String
    /// The query parameter that carries the key; empty: none.
    let parameter: String
    /// The settings that choose the place, for messages; nil: the place is fixed.
    private(set) var place: String?
    /// Where users get a key; nil: from the operator.
    private(set) var source: String?
    /// Whether requests must not carry the key, because they go to a host other than the operator's.
    var isForOtherHost = false

    static let settings: [SettingDeclaration] = [
        .init("key_header", .text(), "HTTP header that carries the key, if the operator requires one"),
        .init("key_parameter", .text(), "or the query parameter that carries it"),
    ]

    /// The name of a feed's key: the feed's name in capitals, with `_` for anything but letters and digits.
    static func name(of feed: FeedName) -> String {
        feed.description.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_KEY"
    }

    /// A key in a fixed place.
    init(
        _ name: String, _ settings: FeedSettings, header: String = "", parameter: String = "",
        from source: String? = nil
    ) {
        self.name = name
        self.source = source
        secret = settings.secret(name)
        self.header = header
        self.parameter = parameter
    }

    /// A feed's key in the configured place.
    init(_ settings: FeedSettings, of feed: FeedName, place: String = "key_header or key_parameter") {
        self.init(
            Self.name(of: feed), settings, header: settings[text: "key_header"],
            parameter: settings[text: "key_parameter"])
        self.place = place
    }

    var isConfigured: Bool { !(header.isEmpty && parameter.isEmpty) }

    /// Whether the operator requires a key and none is configured.
    var isMissing: Bool { secret == nil && isConfigured && !isForOtherHost }

    var headers: [(name: String, value: Secret)] {
        guard let secret, !header.isEmpty, !isForOtherHost else { return [] }
        return [(header, secret)]
    }

    var items: [(name: String, value: Secret)] {
        guard let secret, !parameter.isEmpty, !isForOtherHost else { return [] }
        return [(parameter, secret)]
    }

    /// The failure when the operator does not authenticate a request, and the advice.
    var rejection: (kind: FeedError.Kind, advice: String) {
        guard secret == nil else {
            let place = place.map { ", and \($0) in boardd.toml, then" } ?? " and"
            return (.keyRejected, "\(name) rejected: check it in keys.env\(place) restart boardd")
        }
        let place = isConfigured ? "" : place.map { ", set \($0) in boardd.toml," } ?? ""
        return (.keyMissing, "API key required: \(advice(place))")
    }

    private func advice(_ place: String = "") -> String {
        "put \(name)\(source.map { " (from \($0))" } ?? "") into keys.env\(place) and restart boardd"
    }

    func missing(_ title: String) -> FeedError {
        FeedError(.keyMissing, detail: "\(title) requires an API key: \(advice())")
    }
}

extension DedicatedThread {
    /// Runs a feed's blocking code.
    ///
    /// - Parameters:
    ///   - name: the thread's name.
    ///   - work: what `body` does, for the error when no thread can start: "LA Metro: reading stops".
    ///   - failure: converts an error of `body`.
    static func run<Value: Sendable, Failure: Error>(
        _ name: String, _ work: String, _ body: @escaping @Sendable () throws(Failure) -> Value,
        failure: (Failure) -> FeedError
    ) async throws(FeedError) -> Value {
        let result: Result<Value, Failure>
        do {
            result = try await run(name) { Result { () throws(Failure) in try body() } }
        } catch {
            throw FeedError(.cancelled, detail: "\(work) failed: \(error)")
        }
        return try result.mapError(failure).get()
    }
}

extension Sequence where Element: Sendable {
    /// The results of `body`, in the order of the elements; it is called for all of them at once.
    func concurrentMap<Value: Sendable>(_ body: @escaping @Sendable (Element) async -> Value) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for (index, element) in enumerated() { group.addTask { (index, await body(element)) } }
            var values: [Int: Value] = [:]
            for await (index, value) in group { values[index] = value }
            return values.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
