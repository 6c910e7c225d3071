internal import BoardCore

/// An answer of Stop Monitoring as any operator writes it, before it is decided what it means.
struct SIRIResponse: Hashable, Sendable {
    /// When it was made (`ResponseTimestamp`); nil where that is not told.
    var madeAt: Timestamp?
    /// What is told of a stop; an answer may have several, one of which may be a refusal.
    var deliveries: [SIRIDelivery] = []
    /// What people should know; of anything, by no means of the stop alone.
    var situations: [SIRISituation] = []
    /// A refusal of the whole question.
    var error: SIRIErrorCondition?
    /// Why no situations are told; of departures that says nothing.
    var situationError: SIRIErrorCondition?

    /// Marks the visits that are told of elsewhere in the answer as such that do not take place: from then on whoever looks
    /// at one sees it.
    mutating func applyCancellations() {
        let cancelled = Dictionary(
            deliveries.flatMap(\.cancellations).compactMap { told in told.item.map { ($0, told.reason) } },
            uniquingKeysWith: { first, _ in first })
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

/// What is told of a stop.
struct SIRIDelivery: Hashable, Sendable {
    var madeAt: Timestamp?
    /// Until when the operator itself believes it.
    var validUntil: Timestamp?
    var visits: [SIRIVisit] = []
    /// Visits that are none, and those of too many.
    var badRows = 0
    /// Visits that were told before and do not take place.
    var cancellations: [SIRICancellation] = []
    var error: SIRIErrorCondition?
    /// Whether it is one (`Status`); one that is none may have no words.
    var isGood = true
}

/// A vehicle's visit of the stop, with values as they came; nil where nothing is told.
struct SIRIVisit: Hashable, Sendable {
    var recorded: Timestamp?
    /// The operator's own name of the visit.
    var item: String?
    var line: String?
    var lineName: String?
    var direction: String?
    var directionName: String?
    /// The service day or the timetable of ``journey``.
    var frame: String?
    var attributes: String?
    var company: String?
    var origin: String?
    var destination: String?
    var destinationStop: String?
    var vehicle: String?
    /// Whether the vehicle is followed; what is told of one that is not is the timetable.
    var isMonitored: Bool?
    var isCancelled = false
    var reason: String?
    var delay: Duration?
    /// "prevTrip", "layover" or several with commas between them.
    var progress: String?
    var situations: [String] = []
    var call = SIRICall()
    var previous: [SIRICall] = []
    var onward: [SIRICall] = []
}

/// A call.
struct SIRICall: Hashable, Sendable {
    var stop: String?
    var name: String?
    /// Which of the journey's calls at this stop it is, or which of all its calls.
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
    /// Whether people may get on.
    var allowsBoarding = true
    /// How far the vehicle is, in the operator's words: "0.7 miles away".
    var distance: String?
    /// Whether there is a time that cannot be read.
    var hasUnreadableTime = false
    /// Whether that is for want of a zone.
    var lacksZone = false

    /// What is said of it as a departure: of the arrival where nothing is said of the departure, or was not heard.
    var status: SIRIStatus? {
        departureStatus == .noReport ? arrivalStatus ?? .noReport : departureStatus ?? arrivalStatus
    }
}

/// What an operator says of a call (`CallStatusEnumeration`); other words say nothing here.
enum SIRIStatus: String, CaseIterable, Sendable {
    case onTime, early, delayed, cancelled, arrived, departed, missed, noReport, notExpected

    /// The status of a word, in any case: the schema's "noReport" is some operators' "NO_REPORT".
    init?(word: String) {
        func folded(_ text: String) -> String { text.lowercased().filter { $0 != "_" } }
        let word = folded(word)
        guard let status = Self.allCases.first(where: { folded($0.rawValue) == word }) else { return nil }
        self = status
    }
}

/// A visit that does not take place.
struct SIRICancellation: Hashable, Sendable {
    var item: String?
    var reason: String?
}

/// What people should know.
struct SIRISituation: Hashable, Sendable {
    /// A text in one language.
    struct LocalizedText: Hashable, Sendable {
        let text: String
        /// BCP 47; empty where it is not told.
        let language: String
    }

    var number: String?
    var summaries: [LocalizedText] = []
    var descriptions: [LocalizedText] = []
    /// "slight", "normal", "severe" and others.
    var severity: String?
    /// When it is to be shown, and when it is so.
    var publication: [ActivePeriod] = []
    var validity: [ActivePeriod] = []
    var lines: [String] = []
    var stops: [String] = []
}

/// Why an operator tells nothing.
struct SIRIErrorCondition: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case access, reference, noInformation, usage, unavailable, other
    }

    var kind = Kind.other
    var text: String?
}

/// Why an answer could not be read as SIRI.
struct SIRIFault: Error, Hashable, CustomStringConvertible {
    /// How much of a text that is neither JSON nor XML is looked at for what it says: more than is quoted of it, so that no
    /// part of a key is left at the end.
    private static let longestText = 2_000

    /// What was found and what was expected, without an end. May quote the answer's beginning.
    let description: String
    /// What a gateway says in it; nil: nothing.
    var words: String?

    init(_ description: String, words: String? = nil) {
        self.description = description
        self.words = words
    }

    /// What an answer that begins so is instead of SIRI; nil when it may be SIRI.
    init?(opening body: [UInt8]) {
        switch body[body.contentStart...].first {
        // The last two are the first byte of a mark of UTF-16.
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), 0xFE, 0xFF: return nil
        case nil: self.init("found an empty answer where SIRI was expected")
        case 0x1F: self.init("found compressed bytes where SIRI was expected")
        default:
            let start = body.prefix(JSONFault.quoted).map {
                (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?"
            }
            // Some gateways refuse in a line of text.
            let text = String(validating: body.prefix(Self.longestText), as: UTF8.self)
            self.init("found \"\(String(start))\" where SIRI was expected", words: text?.trimmingBlanks())
        }
    }

    /// The fault of a body without the keys of the question.
    func masked(in body: [UInt8], of request: HTTPRequest) -> SIRIFault {
        SIRIFault(opening: request.masking(body))
            ?? SIRIFault(request.masking(description), words: words)
    }
}
