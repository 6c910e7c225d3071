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

    /// Feed kinds that a user can configure several times, once for each city.
    public static let families: [FeedOperatorFamily] = [
        FeedOperatorFamily(GTFSFeed.family, GTFSFeed.init, catalogue: GTFSCatalogue.init),
        FeedOperatorFamily(SIRIFeed.family, SIRIFeed.init),
    ]

    /// The declarations of all operators: the permitted configuration.
    public static var declarations: FeedDeclarations {
        FeedDeclarations(operators.map(\.declaration), families: families.map(\.declaration))
    }

    /// The operator with this name; nil if there is none and no family accepts the name.
    public static func feedOperator(_ name: FeedName) -> FeedOperator? {
        operators.first { $0.declaration.name == name } ?? families.lazy.compactMap { $0.feedOperator(name) }.first
    }

    /// Why a feed has no list of stops and lines; nil if it has one.
    public static func missingListReason(of feed: FeedName) -> String? {
        guard let feedOperator = feedOperator(feed), !feedOperator.hasCatalogue else { return nil }
        let advice = feedOperator.declaration.searchesStops ? ": use `boardd stops search NAME --online`" : ""
        return "\(feed) has no stop list\(advice)"
    }
}

/// A configurable kind of operator.
public struct FeedOperatorFamily: Sendable {
    public let declaration: FeedFamily
    private let make: @Sendable (FeedDeclaration) -> FeedOperator

    init(
        _ declaration: FeedFamily,
        _ feed: @escaping @Sendable (FeedName, FeedContext) throws(FeedSettingError) -> any DepartureFeed,
        catalogue: (@Sendable (FeedName, FeedContext) throws(FeedSettingError) -> any StopCatalogue)? = nil
    ) {
        self.declaration = declaration
        make = { member in
            var own: FeedOperator.CatalogueFactory?
            if let catalogue {
                own = { context throws(FeedSettingError) in try catalogue(member.name, context) }
            }
            return FeedOperator(
                member, { context throws(FeedSettingError) in try feed(member.name, context) }, catalogue: own)
        }
    }

    /// The operator with this name; nil if the family does not accept the name.
    func feedOperator(_ name: FeedName) -> FeedOperator? {
        declaration.member(name).map(make)
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
    public init(
        _ declaration: FeedDeclaration, _ factory: @escaping Factory, catalogue: CatalogueFactory? = nil
    ) {
        self.declaration = declaration
        self.factory = factory
        catalogueFactory = catalogue
    }

    /// Whether the operator can have a list of its stops and lines.
    public var hasCatalogue: Bool { catalogueFactory != nil }

    /// A feed whose responses are limited (``BoundedFeed``). With `replay` as its transport, their times are moved to
    /// the present.
    ///
    /// - Throws: ``FeedSettingError`` for invalid settings.
    public func feed(_ context: FeedContext, replaying replay: ReplayTransport? = nil) throws(FeedSettingError)
        -> any DepartureFeed
    {
        let feed = BoundedFeed(try made(context, by: factory))
        return replay.map { ReplayedFeed(feed, from: $0) } ?? feed
    }

    /// The operator's own list of its stops and lines; nil if it has none or none is configured. It may use its own
    /// transport, so that a long download does not delay departures; a recording will do, too.
    ///
    /// - Throws: ``FeedSettingError`` for invalid settings.
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
