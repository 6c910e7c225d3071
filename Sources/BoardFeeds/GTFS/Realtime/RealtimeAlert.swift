internal import BoardCore

/// What an operator wants people to know, as it is told: in all languages, for all times, about everything.
struct RealtimeAlert: Hashable, Sendable {
    /// What it means for the service.
    enum Effect: Hashable, Sendable {
        case noService, reducedService, significantDelays, detour, additionalService, modifiedService, stopMoved
        case noEffect, accessibilityIssue, other
    }

    /// What it is about: all that is told together.
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
        /// BCP 47, in lower case; empty where it is not told.
        var language = ""
    }

    var periods: [ActivePeriod] = []
    var selectors: [EntitySelector] = []
    var effect = Effect.other
    /// How much it matters in the operator's own judgement; nil where that is not told.
    var severity: Alert.Severity?
    var header: [Translation] = []
    var description: [Translation] = []
}
