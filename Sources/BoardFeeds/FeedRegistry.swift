public import BoardCore

/// Every operator that this program knows, one line each: the only file outside their folders that names them.
public enum FeedRegistry {
    /// All operators, in the order in which they are listed.
    public static let operators: [FeedOperator] = [
        FeedOperator(TfLFeed.declaration) { settings, transport throws(FeedSettingFailure) in
            try TfLFeed(settings: settings, transport: transport)
        }
    ]

    /// What the operators declare: what the configuration may hold.
    public static var declarations: [FeedDeclaration] { operators.map(\.declaration) }

    /// The operator of this name; nil when there is none.
    public static func feedOperator(_ name: FeedName) -> FeedOperator? {
        operators.first { $0.declaration.name == name }
    }
}

/// One operator: what it declares and how its feed is made.
public struct FeedOperator: Sendable {
    /// What makes a feed of settings and a transport.
    public typealias Factory =
        @Sendable (FeedSettings, any HTTPTransport) throws(FeedSettingFailure) -> any DepartureFeed

    /// What may be configured.
    public let declaration: FeedDeclaration
    private let factory: Factory

    /// An operator whose feed `factory` makes.
    public init(_ declaration: FeedDeclaration, factory: @escaping Factory) {
        self.declaration = declaration
        self.factory = factory
    }

    /// A feed by these settings over this transport.
    public func feed(
        _ settings: FeedSettings, over transport: any HTTPTransport
    ) throws(FeedSettingFailure) -> any DepartureFeed {
        try factory(settings, transport)
    }

    /// A feed by these settings whose answers come from a recording and are moved to the present.
    public func feed(_ settings: FeedSettings, replaying replay: ReplayTransport) throws(FeedSettingFailure)
        -> any DepartureFeed
    {
        ReplayedFeed(try factory(settings, replay), from: replay)
    }
}

/// A setting that no feed can be made of.
public struct FeedSettingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key in the operator's table.
    public let setting: String
    /// What is wrong with it, without an end.
    public let detail: String

    /// A failure.
    public init(setting: String, detail: String) {
        self.setting = setting
        self.detail = detail
    }

    /// The setting and what is wrong with it.
    public var description: String { "\(setting): \(detail)" }
}
