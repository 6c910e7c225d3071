public import BoardCore

/// Every operator that this program knows, one line each: the only file outside their folders that names them.
public enum FeedRegistry {
    /// All operators, in the order in which they are listed.
    public static let operators: [FeedOperator] = [
        FeedOperator(TfLFeed.declaration) { context throws(FeedSettingFailure) in
            try TfLFeed(context)
        } catalogue: { context throws(FeedSettingFailure) in
            try TfLStopCatalogue(context)
        },
        FeedOperator(NationalRailFeed.declaration) { context throws(FeedSettingFailure) in
            try NationalRailFeed(context)
        } catalogue: { context throws(FeedSettingFailure) in
            try RailStations.configured(context)
        },
        FeedOperator(MOTISFeed.declaration) { context throws(FeedSettingFailure) in
            try MOTISFeed(context)
        },
        FeedOperator(LAMetroFeed.declaration) { context throws(FeedSettingFailure) in
            try LAMetroFeed(context)
        } catalogue: { context throws(FeedSettingFailure) in
            try LAMetroCatalogue.configured(context)
        },
        FeedOperator(TripsFeed.declaration) { context throws(FeedSettingFailure) in
            try TripsFeed(context)
        } catalogue: { context throws(FeedSettingFailure) in
            try TripsCatalogue.configured(context)
        },
    ]

    /// Kinds of feeds of which a person has as many as they configure: a city each.
    public static let families: [FeedOperatorFamily] = [
        FeedOperatorFamily(GTFSFeed.family) { declaration in
            FeedOperator(declaration) { context throws(FeedSettingFailure) in
                try GTFSFeed(declaration.name, context)
            } catalogue: { context throws(FeedSettingFailure) in
                try GTFSCatalogue(declaration.name, context)
            }
        },
        FeedOperatorFamily(SIRIFeed.family) { declaration in
            FeedOperator(declaration) { context throws(FeedSettingFailure) in
                try SIRIFeed(declaration.name, context)
            }
        },
    ]

    /// What the operators declare: what the configuration may hold.
    public static var declarations: FeedDeclarations {
        FeedDeclarations(operators.map(\.declaration), families: families.map(\.declaration))
    }

    /// The operator of this name; nil when there is none, and no family that may have it.
    public static func feedOperator(_ name: FeedName) -> FeedOperator? {
        operators.first { $0.declaration.name == name } ?? families.lazy.compactMap { $0.feedOperator(name) }.first
    }
}

/// Operators of one kind.
public struct FeedOperatorFamily: Sendable {
    /// What may be configured of each.
    public let declaration: FeedFamily
    private let make: @Sendable (FeedDeclaration) -> FeedOperator

    /// A family whose operators `make` makes of what they declare.
    public init(_ declaration: FeedFamily, make: @escaping @Sendable (FeedDeclaration) -> FeedOperator) {
        self.declaration = declaration
        self.make = make
    }

    /// The operator of this name; nil when it is none of the family.
    func feedOperator(_ name: FeedName) -> FeedOperator? {
        declaration.member(name).map(make)
    }
}

/// One operator: what it declares, and how its feed and its catalogue of stops are made.
public struct FeedOperator: Sendable {
    /// What makes a feed of what it is given.
    public typealias Factory = @Sendable (FeedContext) throws(FeedSettingFailure) -> any DepartureFeed

    /// What makes a catalogue of what it is given; nil where none is configured.
    public typealias CatalogueFactory = @Sendable (FeedContext) throws(FeedSettingFailure) -> (any StopCatalogue)?

    /// What may be configured.
    public let declaration: FeedDeclaration
    private let factory: Factory
    private let catalogueFactory: CatalogueFactory?

    /// An operator whose feed `factory` makes, and whose catalogue of stops, where it has one, `catalogue` makes.
    public init(
        _ declaration: FeedDeclaration, factory: @escaping Factory, catalogue: CatalogueFactory? = nil
    ) {
        self.declaration = declaration
        self.factory = factory
        catalogueFactory = catalogue
    }

    /// Whether it can have a list of its stops and lines; where not, nobody waits for one.
    public var hasCatalogue: Bool { catalogueFactory != nil }

    /// A feed of this context, whose answers are bounded (``BoundedFeed``); where `replay` is its transport, its answers are moved
    /// to the present.
    ///
    /// - Throws: ``FeedSettingFailure`` where no feed can be made of it.
    public func feed(_ context: FeedContext, replaying replay: ReplayTransport? = nil) throws(FeedSettingFailure)
        -> any DepartureFeed
    {
        let feed = BoundedFeed(try made(context, by: factory))
        return replay.map { ReplayedFeed(feed, from: $0) } ?? feed
    }

    /// The operator's own list of its stops and lines; nil where it has none, or a person configured none. It may have
    /// a transport of its own, so that a list that comes is in nobody's way; a recording will do.
    ///
    /// - Throws: ``FeedSettingFailure`` where none can be made of this context.
    public func catalogue(_ context: FeedContext) throws(FeedSettingFailure) -> (any StopCatalogue)? {
        guard let catalogueFactory else { return nil }
        return try made(context, by: catalogueFactory)
    }

    /// What a factory makes; a failure names the table in which the setting is.
    private func made<Edge>(
        _ context: FeedContext, by factory: (FeedContext) throws(FeedSettingFailure) -> Edge
    ) throws(FeedSettingFailure) -> Edge {
        do {
            return try factory(context)
        } catch {
            throw FeedSettingFailure(setting: error.setting, detail: error.detail, feed: declaration.name)
        }
    }
}
