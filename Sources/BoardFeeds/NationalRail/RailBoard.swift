internal import BoardCore

/// A station's board from either service, with texts as received, so that their interpretation is in one place.
struct RailBoard: Hashable, Sendable {
    /// When it was made (`generatedAt`); nil if unreadable.
    var madeAt: Timestamp?
    var name: String?
    var code: String?
    /// The station's messages (`nrccMessages`), with HTML.
    var messages: [String] = []
    var showsPlatforms = true
    /// False if the operator withholds the list of services (`areServicesAvailable`).
    var showsServices = true
    /// Trains, then buses, then ferries.
    var services: [RailService] = []
    var badRows = 0
}

/// A train, or its replacement, from either service; nil and false if absent.
struct RailService: Hashable, Sendable {
    var id: String?
    var scheduledArrival: String?
    var estimatedArrival: String?
    var actualArrival: String?
    var scheduled: String?
    var estimated: String?
    var actual: String?
    var platform: String?
    var company: String?
    var companyCode: String?
    var isCancelled = false
    /// Whether it does not call at the station of the request's filter.
    var isFilterCancelled = false
    /// Whether it is a replacement bus.
    var isBus = false
    /// 0 and nil: unknown.
    var coaches: Int?
    var cancelReason: String?
    var delayReason: String?
    var origins: [RailLocation] = []
    var destinations: [RailLocation] = []
    /// Where it starts instead of its origin.
    var currentOrigins: [RailLocation] = []
    /// Where it ends instead of its destination.
    var currentDestinations: [RailLocation] = []
    /// The earlier calls; the first list is the train's own, the others are of portions that joined it.
    var previous: [RailCallingPointList] = []
    /// The later calls; the first list is the train's own, the others are of portions that leave it.
    var subsequent: [RailCallingPointList] = []
}

/// An origin or a destination.
struct RailLocation: Hashable, Sendable {
    var name: String?
    /// "via Redhill".
    var via: String?
}

/// Calling points in the order of travel.
struct RailCallingPointList: Hashable, Sendable {
    var calls: [RailCallingPoint] = []
    /// Whether the portion does not run.
    var isCancelled = false
}

/// A calling point; times are texts as for a service.
struct RailCallingPoint: Hashable, Sendable {
    var name: String?
    var code: String?
    var scheduled: String?
    var estimated: String?
    var actual: String?
    var isCancelled = false
    var coaches: Int?
}

/// A single service: the response of `GetServiceDetails`, or a row of a board with its calling points.
struct RailServiceDetails: Hashable, Sendable {
    /// When it was made; nil if unreadable.
    var madeAt: Timestamp?
    /// The station of the request.
    var name: String?
    var code: String?
    var service = RailService()
}
