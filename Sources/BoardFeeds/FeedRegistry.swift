public import BoardCore

/// All supported operators: the only file outside their folders that names them.
public enum FeedRegistry {
    /// All operators, in display order.
    public static let operators: [FeedOperator] = [
        FeedOperator(TfLFeed.declaration, TfLFeed.init, catalogue: TfLCatalogue.init),
        FeedOperator(NationalRailFeed.declaration, NationalRailFeed.init, catalogue: RailCatalogue.init),
        FeedOperator(MOTISFeed.declaration, MOTISFeed.init),
        FeedOperator(LAMetroFeed.declaration, LAMetroFeed.init, catalogue: LAMetroCatalogue.init),
        FeedOperator(TripsFeed.declaration, TripsFeed.init, catalogue: TripsCatalogue.init),
    ]

    /// The declarations of all operators: the permitted configuration.
    public static var declarations: FeedDeclarations {
        FeedDeclarations(operators.map(\.declaration), families: [GTFSFeed.family, SIRIFeed.family])
    }

    /// The operator with this name; nil if there is none and no family accepts the name.
    public static func feedOperator(_ name: FeedName) -> FeedOperator? {
        if let known = operators.first(where: { $0.declaration.name == name }) { return known }
        if let gtfs = GTFSFeed.family.member(name) {
            return FeedOperator(gtfs) { context throws(FeedSettingError) in
                try GTFSFeed(name, context)
            } catalogue: { context throws(FeedSettingError) in
                try GTFSCatalogue(name, context)
            }
        }
        return SIRIFeed.family.member(name).map { siri in
            FeedOperator(siri, { context throws(FeedSettingError) in try SIRIFeed(name, context) })
        }
    }

    /// Why a feed has no list of stops and lines; nil if it has one.
    public static func missingListReason(of feed: FeedName) -> String? {
        guard let feedOperator = feedOperator(feed), !feedOperator.hasCatalogue else { return nil }
        let advice = feedOperator.declaration.searchesStops ? ": use `boardd stops search NAME --online`" : ""
        return "\(feed) has no stop list\(advice)"
    }
}

/// An operator: its declaration and the factories of its feed and its stop catalogue.
public struct FeedOperator: Sendable {
    public typealias Factory = @Sendable (FeedContext) throws(FeedSettingError) -> any DepartureFeed

    /// Makes a catalogue; nil if none is configured.
    public typealias CatalogueFactory = @Sendable (FeedContext) throws(FeedSettingError) -> (any StopCatalogue)?

    public let declaration: FeedDeclaration
    private let factory: Factory
    private let catalogueFactory: CatalogueFactory?

    /// - Parameter catalogue: nil if the operator has no stop catalogue.
    public init(_ declaration: FeedDeclaration, _ factory: @escaping Factory, catalogue: CatalogueFactory? = nil) {
        self.declaration = declaration
        self.factory = factory
        catalogueFactory = catalogue
    }

    /// Whether the operator can have a list of its stops and lines.
    public var hasCatalogue: Bool { catalogueFactory != nil }

    /// A feed whose responses are limited (``BoundedFeed``). With `replay` as its transport, their times are moved to
    /// the present.
    public func feed(_ context: FeedContext, replaying replay: ReplayTransport? = nil) throws(FeedSettingError)
        -> any DepartureFeed
    {
        let feed = BoundedFeed(try made(context, by: factory))
        return replay.map { ReplayedFeed(feed, from: $0) } ?? feed
    }

    /// The operator's own list of its stops and lines; nil if it has none or none is configured. It may use its own
    /// transport, so that a long download does not delay departures; a recording will do, too.
    public func catalogue(_ context: FeedContext) throws(FeedSettingError) -> (any StopCatalogue)? {
        guard let catalogueFactory else { return nil }
        return try made(context, by: catalogueFactory)
    }

    /// Calls a factory; a failure names the feed whose setting is invalid.
    private func made<Product>(
        _ context: FeedContext, by factory: (FeedContext) throws(FeedSettingError) -> Product
    ) throws(FeedSettingError) -> Product {
        do {
            return try factory(context)
        } catch {
            throw FeedSettingError(setting: error.setting, detail: error.detail, feed: declaration.name)
        }
    }
}
