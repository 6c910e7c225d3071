public import BoardCore

/// All that a feed is given of the world: what a person configured, and the edges it may use.
public struct FeedContext: Sendable {
    /// Where a zone comes from, by its name, such as "Europe/London".
    public typealias ZoneSource = @Sendable (String) throws(FeedSettingFailure) -> Zone

    /// What a person configured, complete and checked.
    public let settings: FeedSettings
    /// What carries its questions.
    public let transport: any HTTPTransport
    /// The clocks by which it forgets what it keeps.
    public let clock: any MachineClock
    /// Where an operator's zone comes from. Asked while the feed is made, so that a zone that cannot be had is known
    /// at the start and not in the middle of a night.
    public let zone: ZoneSource

    /// What a feed is given.
    public init(
        settings: FeedSettings, transport: any HTTPTransport, clock: any MachineClock, zone: @escaping ZoneSource
    ) {
        self.settings = settings
        self.transport = transport
        self.clock = clock
        self.zone = zone
    }

    /// The address of a setting: https, or http to this machine, without a query, since questions are added to it.
    ///
    /// - Parameter usual: what is asked where nothing is configured.
    /// - Throws: ``FeedSettingFailure`` where it is something else.
    func address(_ setting: String, default usual: String) throws(FeedSettingFailure) -> HTTPURL {
        try address(
            setting, settings.url(setting) ?? usual,
            rule: "must be an https address, or one of http to this machine, such as \(usual)")
    }

    /// An address that may be asked.
    ///
    /// - Parameter rule: what it must be, for the failure.
    func address(_ setting: String, _ text: String, rule: String) throws(FeedSettingFailure) -> HTTPURL {
        // A query, a name or a password may be a key: it is not repeated.
        guard !text.contains(where: { $0 == "?" || $0 == "@" }) else {
            throw FeedSettingFailure(
                setting: setting, detail: "found an address with a name, a password or a query in it; \(rule)")
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback else {
            throw FeedSettingFailure(setting: setting, detail: "\"\(text)\" \(rule)")
        }
        return url
    }
}

/// Why no feed can be made.
public struct FeedSettingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key in the operator's table, with the table's name once that is known: "[feed.name] url". "zone" is the
    /// operator's time zone, which nobody configures and this machine must know.
    public let setting: String
    /// What was found, what is wrong with it and what to do, without an end.
    public let detail: String

    /// A failure.
    public init(setting: String, detail: String) {
        self.setting = setting
        self.detail = detail
    }

    /// The setting and what is wrong with it.
    public var description: String { "\(setting): \(detail)" }
}
