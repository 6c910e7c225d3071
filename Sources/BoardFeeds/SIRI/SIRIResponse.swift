import BoardCore

/// A Stop Monitoring response as decoded, before it is interpreted.
struct SIRIResponse: Hashable, Sendable {
    /// When it was made (`ResponseTimestamp`); nil if absent.
    var madeAt: Timestamp?
    /// The deliveries for the stop; one of several may be an error.
    var deliveries: [SIRIDelivery] = []
    /// Situations, which may concern the whole network.
    var situations: [SIRISituation] = []
    /// An error for the whole request.
    var error: SIRIErrorCondition?
    /// An error for the situations alone; departures are unaffected.
    var situationError: SIRIErrorCondition?

    /// Marks visits as cancelled if a cancellation elsewhere in the response refers to them.
    mutating func applyCancellations() {
        let cancelled: [String: String?] = deliveries.reduce(into: [:]) {
            $0.merge($1.cancellations) { first, _ in first }
        }
        guard !cancelled.isEmpty else { return }
        for delivery in deliveries.indices {
            for visit in deliveries[delivery].visits.indices {
                guard let item = deliveries[delivery].visits[visit].item, let reason = cancelled[item] else { continue }
                deliveries[delivery].visits[visit].isCancelled = true
                deliveries[delivery].visits[visit].reason = reason
            }
        }
    }
}

struct SIRIDelivery: Hashable, Sendable {
    var madeAt: Timestamp?
    /// Until when the operator considers it valid.
    var validUntil: Timestamp?
    var visits: [SIRIVisit] = []
    /// Malformed visits, and those beyond the limit.
    var badRows = 0
    /// The reasons of cancellations of earlier visits, by their items; "" if absent.
    var cancellations: [String: String?] = [:]
    var error: SIRIErrorCondition?
    /// False if `Status` reports failure, possibly without an error text.
    var isGood = true
}

/// A vehicle's visit to the stop, with values as received; nil if absent.
struct SIRIVisit: Hashable, Sendable {
    var recorded: Timestamp?
    /// The operator's identifier for the visit.
    var item: String?
    var line: String?
    var lineName: String?
    var direction: String?
    var directionName: String?
    /// The service day or the timetable of ``journeyRef``.
    var dataFrameRef: String?
    var journeyRef: String?
    var company: String?
    var origin: String?
    var destination: String?
    var destinationStop: String?
    var vehicle: String?
    var mode: TransitMode?
    /// Whether the vehicle is tracked; the times of one that is not are scheduled.
    var isMonitored: Bool?
    var isCancelled = false
    var reason: String?
    var delay: Duration?
    /// "prevTrip", "layover" or several, separated by commas.
    var progress: String?
    var situations: [String] = []
    var call = SIRICall()
    var previous: [SIRICall] = []
    var onward: [SIRICall] = []
}

struct SIRICall: Hashable, Sendable {
    var stop: String?
    var name: String?
    /// The number of this call among the journey's calls at this stop, or among all its calls.
    var number: String?
    var display: String?
    var isAtStop = false
    var aimedArrival: Timestamp?
    var expectedArrival: Timestamp?
    var actualArrival: Timestamp?
    var arrivalStatus: SIRIStatus?
    var arrivalPlatform: String?
    var aimedDeparture: Timestamp?
    var expectedDeparture: Timestamp?
    var actualDeparture: Timestamp?
    var departureStatus: SIRIStatus?
    var departurePlatform: String?
    var allowsBoarding = true
    /// The vehicle's distance in the operator's words: "0.7 miles away".
    var distance: String?
    var hasUnreadableTime = false
    /// Whether that is because it has no zone.
    var lacksZone = false

    /// The status of the departure; that of the arrival if there is none or it is `noReport`.
    var status: SIRIStatus? {
        departureStatus == .noReport ? arrivalStatus ?? .noReport : departureStatus ?? arrivalStatus
    }
}

/// The status of a call (`CallStatusEnumeration`); other values are ignored.
enum SIRIStatus: String, CaseIterable, Sendable {
    case onTime, early, delayed, cancelled, arrived, departed, missed, noReport, notExpected

    /// The status of a word, ignoring case and underscores: the schema's "noReport" is "NO_REPORT" for some operators.
    init?(word: String) {
        func folded(_ text: String) -> String { text.lowercased().filter { $0 != "_" } }
        let word = folded(word)
        guard let status = Self.allCases.first(where: { folded($0.rawValue) == word }) else { return nil }
        self = status
    }
}

/// A disruption or a notice.
struct SIRISituation: Hashable, Sendable {
    var number: String?
    var summaries: [LocalizedText] = []
    var descriptions: [LocalizedText] = []
    /// "slight", "normal", "severe" and others.
    var severity: String?
    /// When it is to be displayed (publication) and when it applies (validity).
    var publication: [ActivePeriod] = []
    var validity: [ActivePeriod] = []
    var lines: [String] = []
    var stops: [String] = []
}

struct SIRIErrorCondition: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case access, reference, noInformation, usage, unavailable, other
    }

    var kind = Kind.other
    var text: String?
}

extension FormatError {
    /// How much of a text that is neither JSON nor XML is read for its message: more than is quoted, so that no part of
    /// a key remains at the end.
    private static let maximumTextSize = 2_000

    /// The fault of a body that begins with neither JSON nor XML; nil otherwise.
    init?(siri body: [UInt8]) {
        guard let fault = FormatError(body: body, expecting: .jsonOrXML) else { return nil }
        // Some gateways send an error as a line of text.
        let text = String(validating: body.prefix(Self.maximumTextSize), as: UTF8.self)?.trimmingBlanks()
        self.init(fault.description, message: text.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension SIRIErrorCondition {
    /// Words that indicate a key problem, in lower case.
    private static let keyWords = [
        "api key", "apikey", "api-key", "not authori", "unauthori", "access denied", "forbidden", "requestor",
        "authentication", "credential",
    ]
    /// Terms for a stop, each a whole word; `unknownWords` indicate an unknown one.
    private static let stopWords = [
        "stop", "stopcode", "stopid", "stoppoint", "stoppointref", "monitoringref", "monitoring ref",
        "monitoring point",
        "arrêt",
    ]
    private static let unknownWords = [
        "no such", "unknown", "not found", "invalid", "not valid", "does not exist", "doesn't exist", "not exist",
        "n'existe pas", "inconnu",
    ]

    /// Words soon after one of `noWords`, which begins a sentence saying that nothing is due.
    private static let dueWords = [
        "expected", "scheduled", "departure", "arrival", "visit", "information", "passage", "prévu", "abfahrt",
        "salida",
    ]
    private static let noWords = [
        "no", "aucun", "aucune", "pas", "keine", "ninguna", "ningún", "nothing", "rien", "nichts",
    ]

    /// The kind, derived from the text if the operator sends no specific one (`OtherError`, gateways).
    var meaning: Kind {
        guard kind == .other, let text = text?.lowercased() else { return kind }
        if Self.keyWords.contains(where: text.contains) { return .access }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        // The service's own name contains "stop".
        let others = zip(words, words.dropFirst() + [""]).filter { $0 != "stop" || $1 != "monitoring" }
        let line = " \(others.map { String($0.0) }.joined(separator: " ")) "
        let isStop = Self.stopWords.contains { line.contains(" \($0) ") }
        if isStop, Self.unknownWords.contains(where: text.contains) { return .reference }
        let isNothing = words.first.isSomeAnd { Self.noWords.contains(String($0)) }
        let isDue = words.dropFirst().prefix(3).contains { word in Self.dueWords.contains { word.hasPrefix($0) } }
        return isNothing && isDue && !words.contains("service") ? .noInformation : .other
    }

    /// The condition for a gateway's message and status. A server error is the gateway's own, not about keys or stops.
    init(gateway message: String?, _ response: HTTPResponse) {
        self.init(kind: ResponseError(status: response.status).isOfServer ? .unavailable : .other, text: message)
    }

    /// The error, from its meaning and the status of its response.
    func error(in response: HTTPResponse) -> ResponseError {
        let status = ResponseError(status: response.status)
        return switch (status, meaning) {
        case (.rateLimited, _), (_, .usage): .rateLimited
        case (.unauthorized, _), (_, .access), (.forbidden, .other): .unauthorized
        case (_, .reference): .unknownStop
        case (_, .noInformation) where !status.isOfServer: .unknownStop
        case (.notFound, _), (.redirect, _): status
        case (_, .unavailable): .unavailable
        default: response.isOK ? .serverError : status
        }
    }
}

extension TransitMode {
    /// From SIRI's `VehicleModesOfTransportEnumeration`; nil for others.
    init?(siri mode: String) {
        switch mode.lowercased() {
        case "bus", "coach": self = .bus
        case "tram": self = .tram
        case "metro", "underground": self = .metro
        case "rail": self = .train
        case "ferry": self = .ferry
        default: return nil
        }
    }
}
