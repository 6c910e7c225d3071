internal import BoardCore

/// A station's board as either transport writes it: texts as they came, so that what they mean is decided once.
struct RailBoard: Hashable, Sendable {
    /// When it was made (`generatedAt`); nil where that cannot be read.
    var madeAt: Timestamp?
    /// The station's name.
    var name: String?
    /// The station's code.
    var code: String?
    /// The station's notices (`nrccMessages`), HTML and all.
    var messages: [String] = []
    /// Whether the platforms may be shown.
    var showsPlatforms = true
    /// Whether the operator tells what runs (`areServicesAvailable`); false: it withholds the list.
    var showsServices = true
    /// Trains, then buses, then ferries.
    var services: [RailService] = []
    /// Rows that could not be read.
    var badRows = 0
}

/// A train, or what runs in its place, as either transport writes it; nil and false where nothing is said.
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
    /// Whether it does not call at the station that was asked for beside this one.
    var isFilterCancelled = false
    /// Whether a bus runs in the train's place.
    var isBus = false
    /// 0 and nil: not known.
    var coaches: Int?
    var cancelReason: String?
    var delayReason: String?
    var origins: [RailLocation] = []
    var destinations: [RailLocation] = []
    /// Where it starts instead of at its origin.
    var currentOrigins: [RailLocation] = []
    /// Where it ends instead of at its destination.
    var currentDestinations: [RailLocation] = []
    /// The ways by which it came; the first is the train's own, the others are of portions that joined it.
    var previous: [RailCallingPointList] = []
    /// The ways on which it goes on; the first is the train's own, the others are of portions that leave it.
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

/// A calling point; texts of time as for a service.
struct RailCallingPoint: Hashable, Sendable {
    var name: String?
    var code: String?
    var scheduled: String?
    var estimated: String?
    var actual: String?
    var isCancelled = false
    var coaches: Int?
}

/// One service by itself: the answer of `GetServiceDetails`, or a row of a board with its calling points.
struct RailServiceDetails: Hashable, Sendable {
    /// When it was told; nil where that cannot be read.
    var madeAt: Timestamp?
    /// The station of which it was asked.
    var name: String?
    /// The station's code.
    var code: String?
    var service = RailService()
}

extension String {
    /// A truth value as operators write it.
    var isTrue: Bool { lowercased() == "true" || self == "1" }
}
