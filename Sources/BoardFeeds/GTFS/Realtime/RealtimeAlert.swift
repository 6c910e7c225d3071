internal import BoardCore

/// A GTFS-Realtime alert with all its languages, active periods and informed entities.
struct RealtimeAlert: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        case noService, reducedService, significantDelays, detour, additionalService, modifiedService, stopMoved
        case noEffect, accessibilityIssue, other
    }

    /// An informed entity: all of its fields must match.
    struct EntitySelector: Hashable, Sendable {
        var agency: String?
        var route: String?
        var routeType: Int?
        var direction: Int?
        var stop: String?
        var trip: TripDescriptor?
    }

    /// A text in one language.
    struct Translation: Hashable, Sendable {
        var text = ""
        /// BCP 47, in lower case; empty where missing.
        var language = ""
    }

    var periods: [ActivePeriod] = []
    var selectors: [EntitySelector] = []
    var effect = Effect.other
    /// `severity_level`; nil if unknown.
    var severity: Alert.Severity?
    var header: [Translation] = []
    var description: [Translation] = []
}
