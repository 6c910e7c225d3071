public import BoardCore

/// Every operator that this program knows, one line each: the only file outside their folders that names them.
public enum FeedRegistry {
    /// All operators, in the order in which they are listed.
    public static let operators: [FeedOperator] = [
        FeedOperator(TfLFeed.declaration) { context throws(FeedSettingFailure) in try TfLFeed(context) }
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
    /// What makes a feed of what it is given.
    public typealias Factory = @Sendable (FeedContext) throws(FeedSettingFailure) -> any DepartureFeed

    /// What may be configured.
    public let declaration: FeedDeclaration
    private let factory: Factory

    /// An operator whose feed `factory` makes.
    public init(_ declaration: FeedDeclaration, factory: @escaping Factory) {
        self.declaration = declaration
        self.factory = factory
    }

    /// A feed of this context; where `replay` is its transport, its answers are moved to the present.
    ///
    /// - Throws: ``FeedSettingFailure`` where no feed can be made of it.
    public func feed(_ context: FeedContext, replaying replay: ReplayTransport? = nil) throws(FeedSettingFailure)
        -> any DepartureFeed
    {
        do {
            let feed = try factory(context)
            return replay.map { ReplayedFeed(feed, from: $0) } ?? feed
        } catch {
            throw FeedSettingFailure(setting: "[feed.\(declaration.name)] \(error.setting)", detail: error.detail)
        }
    }
}
