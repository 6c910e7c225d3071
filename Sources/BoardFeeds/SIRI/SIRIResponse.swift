import BoardCore

/// A Stop Monitoring response in JSON or XML, whose elements have the same names, before it is interpreted. Most values
/// are read when they are needed.
struct SIRIResponse {
    /// Most of the bytes of a long response, and of no use to a board.
    private static let skipped: Set = [
        "VehicleLocation", "ArrivalStopAssignment", "DepartureStopAssignment", "Consequences",
    ]

    /// When it was made (`ResponseTimestamp`); nil if absent.
    let madeAt: Timestamp?
    /// The deliveries for the stop; one of several may be an error.
    private(set) var deliveries: [SIRIDelivery] = []
    /// Situations, which may concern the whole network.
    let situations: [SIRISituation]
    /// An error for the whole request.
    let error: SIRIErrorCondition?
    /// An error for the situations alone; departures are unaffected.
    let situationError: SIRIErrorCondition?

    /// Decodes a response; its first byte is that of JSON or XML.
    ///
    /// - Parameters:
    ///   - withCalls: whether the calls before and after the stop are needed.
    ///   - language: the preferred language of names.
    ///   - zone: the zone of times without an offset; nil: those are unreadable.
    init(_ body: [UInt8], withCalls: Bool = false, language: String = "", zone: Zone? = nil) throws(FormatError) {
        if let fault = FormatError(siri: body) { throw fault }
        let isJSON = FormatError(body: body) == nil
        let calls: Set = withCalls ? [] : ["PreviousCalls", "OnwardCalls"]
        let root = try (isJSON ? JSONDocument(body) : JSONDocument(xml: body, skipping: Self.skipped.union(calls))).root
        var reader = SIRIReader(language: language, zone: zone)
        let services = root.descendants("ServiceDelivery") + root.descendants("ServiceDeliveryInfo")
        madeAt = services.lazy.compactMap { [reader] in reader.moment($0.row?.word("ResponseTimestamp")) }.first
        reader.madeAt = madeAt
        situations = root.descendants("PtSituationElement").limitedCompactMap { [reader] value in
            value.row.map { SIRISituation(row: $0, reader: reader) }
        }
        let rows = root.descendants("StopMonitoringDelivery").limitedCompactMap(\.row)
        let exchanges = root.descendants("SituationExchangeDelivery").compactMap { $0.row?.last("ErrorCondition") }
        let own = rows.compactMap { $0.last("ErrorCondition") } + exchanges
        let errors = root.descendants("ErrorCondition").filter { !own.contains($0) } + root.descendants("Fault")
        error = errors.first.map(SIRIErrorCondition.init)
        situationError = exchanges.first.map(SIRIErrorCondition.init)
        let cancelled = Dictionary(
            rows.flatMap(\.cancellations).map { ($0.word("ItemRef") ?? "", $0.word("Reason")) },
            uniquingKeysWith: { first, _ in first })
        var room = ResponseLimits.rows
        for row in rows {
            let delivery = SIRIDelivery(row, reader, cancelled, room: room)
            room -= delivery.visits.count
            deliveries.append(delivery)
        }
        if deliveries.isEmpty { try Self.checkService(root, error: error) }
    }

    /// Throws for a response of another service or standard.
    private static func checkService(_ root: JSONValue, error: SIRIErrorCondition?) throws(FormatError) {
        let others = [
            ("OJP", "OJP, a different standard,"), ("Trias", "TRIAS, a different standard,"),
            ("VehicleMonitoringDelivery", "SIRI Vehicle Monitoring, which reports vehicles, not a stop,"),
            ("EstimatedTimetableDelivery", "a SIRI Estimated Timetable, which reports lines, not a stop,"),
            ("StopPointsDelivery", "a SIRI list of stops"),
        ]
        let found = others.first { !root.descendants($0.0).isEmpty }?.1
        if error != nil, found == nil { return }
        let isStatus = !root.descendants("CheckStatusResponse").isEmpty
        let messages = ["message", "Message", "error", "title", "detail", "faultstring"].lazy.flatMap(root.descendants)
        throw FormatError(
            "found \(found ?? (isStatus ? "the status of a SIRI service" : "no StopMonitoringDelivery")) where SIRI Stop "
                + "Monitoring was expected", message: messages.compactMap(\.text).first)
    }
}

/// Reads values whose meaning depends on the operator.
struct SIRIReader {
    let language: String
    let zone: Zone?
    /// The reference for times in a repeated hour.
    var madeAt: Timestamp?

    /// The name in the preferred language, else the first.
    func name(_ row: JSONRow, _ key: String) -> String? {
        let names = row.all(key).filter { $0.text != nil }
        return (names.last { NameChoice.isSame($0.language, language) } ?? names.first)?.text
    }

    /// A timestamp; without an offset it is in the operator's zone.
    func moment(_ text: String?) -> Timestamp? {
        guard let text else { return nil }
        let utf8 = text.utf8
        if let moment = utf8.span.timestamp { return moment }
        guard let zone, let wall = Self.wall(text) else { return nil }
        return zone.timestamp(of: wall.utc, nearest: madeAt ?? wall)
    }

    /// The local time of a timestamp without an offset, as if in UTC; nil for any other text.
    static func wall(_ text: String) -> Timestamp? { Timestamp(rfc3339: text + "Z") }
}

extension JSONRow {
    fileprivate func last(_ key: String) -> JSONValue? { all(key).last }

    /// The text of the last element of this name.
    fileprivate func word(_ key: String) -> String? { last(key)?.text }

    /// Cancellations of earlier visits.
    fileprivate var cancellations: [JSONRow] { all("MonitoredStopVisitCancellation").compactMap(\.row) }
}

extension JSONValue {
    /// The language of a text, BCP 47; empty if absent. In XML it is an attribute.
    fileprivate var language: String { row?.text("lang") ?? "" }
}

struct SIRIDelivery {
    let madeAt: Timestamp?
    /// Until when the operator considers it valid.
    let validUntil: Timestamp?
    let visits: [SIRIVisit]
    /// Malformed visits, and those beyond the limit.
    let badRows: Int
    let hasCancellations: Bool
    let error: SIRIErrorCondition?
    /// False if `Status` reports failure, possibly without an error text.
    let isGood: Bool

    /// - Parameters:
    ///   - cancelled: the reasons of cancellations anywhere in the response, by the visits' items.
    ///   - room: the most visits.
    fileprivate init(_ row: JSONRow, _ reader: SIRIReader, _ cancelled: [String: String?], room: Int) {
        let values = row.all("MonitoredStopVisit")
        visits = values.lazy.compactMap(\.row).prefix(room).map { SIRIVisit($0, reader, cancelled) }
        badRows = values.count - visits.count
        madeAt = reader.moment(row.word("ResponseTimestamp"))
        validUntil = reader.moment(row.word("ValidUntil"))
        hasCancellations = !row.cancellations.isEmpty
        error = row.last("ErrorCondition").map(SIRIErrorCondition.init)
        isGood = row.word("Status")?.isTrue ?? true
    }
}

/// A vehicle's visit to the stop, with values as received; nil if absent.
struct SIRIVisit {
    private let row: JSONRow
    private let journey: JSONRow
    private let reader: SIRIReader
    let recorded: Timestamp?
    let line: String?
    let call: SIRICall
    /// Whether the vehicle is tracked; the times of one that is not are scheduled.
    let isMonitored: Bool?
    let isCancelled: Bool
    /// The reason of a cancellation elsewhere in the response.
    let reason: String?
    let delay: Duration?

    fileprivate init(_ row: JSONRow, _ reader: SIRIReader, _ cancelled: [String: String?]) {
        self.row = row
        self.reader = reader
        journey = row.last("MonitoredVehicleJourney")?.row ?? row
        recorded = reader.moment(row.word("RecordedAtTime"))
        line = journey.word("LineRef")
        call = SIRICall(journey.last("MonitoredCall")?.row, reader)
        isMonitored = journey.word("Monitored")?.isTrue
        delay = journey.word("Delay").flatMap { Duration(xsd: $0) }
        let cancellation = cancelled.isEmpty ? nil : row.word("ItemIdentifier").flatMap { cancelled[$0] }
        isCancelled = cancellation != nil || journey.word("Cancellation")?.isTrue ?? false
        reason = cancellation ?? nil
    }

    /// The operator's identifier for the visit.
    var item: String? { row.word("ItemIdentifier") }
    var lineName: String? { reader.name(journey, "PublishedLineName") }
    var direction: String? { journey.word("DirectionRef") }
    var directionName: String? { reader.name(journey, "DirectionName") }
    /// The service day or the timetable of ``journeyRef``.
    var dataFrameRef: String? { frame.word("DataFrameRef") }
    var journeyRef: String? { frame.word("DatedVehicleJourneyRef") }
    private var frame: JSONRow { journey.last("FramedVehicleJourneyRef")?.row ?? journey }
    var company: String? { journey.word("OperatorName") }
    var origin: String? { reader.name(journey, "OriginName") }
    var destination: String? { reader.name(journey, "DestinationName") }
    var destinationStop: String? { journey.word("DestinationRef") }
    var vehicle: String? { journey.word("VehicleRef") }
    var mode: TransitMode? { journey.word("VehicleMode").flatMap { TransitMode.siri[$0.lowercased()] } }
    /// "prevTrip", "layover" or several, separated by commas.
    var progress: String? { journey.word("ProgressStatus") }
    var situations: [String] {
        let numbers = row.value.descendants("SituationFullRef").flatMap { $0.descendants("SituationNumber") }
        return (row.value.descendants("SituationRef") + row.value.descendants("SituationSimpleRef") + numbers)
            .compactMap(\.text)
    }
    var previous: [SIRICall] { calls("PreviousCalls", "PreviousCall") }
    var onward: [SIRICall] { calls("OnwardCalls", "OnwardCall") }

    private func calls(_ list: String, _ name: String) -> [SIRICall] {
        (journey.last(list)?.row?.all(name) ?? []).limitedCompactMap { $0.row.map { SIRICall($0, reader) } }
    }
}

struct SIRICall {
    let stop: String?
    let name: String?
    /// The number of this call among the journey's calls at this stop, or among all its calls.
    let number: String?
    let display: String?
    let isAtStop: Bool
    let aimedArrival: Timestamp?
    let expectedArrival: Timestamp?
    let actualArrival: Timestamp?
    let arrivalStatus: SIRIStatus?
    let arrivalPlatform: String?
    let aimedDeparture: Timestamp?
    let expectedDeparture: Timestamp?
    let actualDeparture: Timestamp?
    let departureStatus: SIRIStatus?
    let departurePlatform: String?
    let allowsBoarding: Bool
    /// The vehicle's distance in the operator's words: "0.7 miles away".
    let distance: String?
    let hasUnreadableTime: Bool
    /// Whether that is because it has no zone.
    let lacksZone: Bool

    /// The status of the departure; that of the arrival if there is none or it is `noReport`.
    var status: SIRIStatus? {
        departureStatus == .noReport ? arrivalStatus ?? .noReport : departureStatus ?? arrivalStatus
    }

    /// - Parameter row: nil: a call without any value.
    fileprivate init(_ row: JSONRow?, _ reader: SIRIReader) {
        var (isUnreadable, lacksZone) = (false, false)
        func time(_ key: String) -> Timestamp? {
            let text = row?.word(key)
            let moment = reader.moment(text)
            // .NET's "no date", in either form.
            if moment == nil, let text, !text.hasPrefix("0001-"), !text.hasPrefix("/Date(-") {
                isUnreadable = true
                if SIRIReader.wall(text) != nil { lacksZone = true }
            }
            return moment
        }
        func status(_ key: String) -> SIRIStatus? { row?.word(key).flatMap { SIRIStatus(word: $0) } }
        stop = row?.word("StopPointRef")
        name = row.flatMap { reader.name($0, "StopPointName") }
        number = row?.word("Order") ?? row?.word("VisitNumber")
        display = row.flatMap { reader.name($0, "DestinationDisplay") }
        isAtStop = row?.word("VehicleAtStop")?.isTrue ?? false
        aimedArrival = time("AimedArrivalTime")
        expectedArrival = time("ExpectedArrivalTime")
        actualArrival = time("ActualArrivalTime")
        arrivalStatus = status("ArrivalStatus")
        arrivalPlatform = row?.word("ArrivalPlatformName")
        aimedDeparture = time("AimedDepartureTime")
        expectedDeparture = time("ExpectedDepartureTime")
        actualDeparture = time("ActualDepartureTime")
        departureStatus = status("DepartureStatus")
        departurePlatform = row?.word("DeparturePlatformName")
        allowsBoarding = !["noBoarding", "passThru"].contains(row?.word("DepartureBoardingActivity"))
        distance =
            row?.word("ArrivalProximityText")
            ?? row?.value.descendants("PresentableDistance").lazy.compactMap(\.text).first
        hasUnreadableTime = isUnreadable
        self.lacksZone = lacksZone
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
struct SIRISituation {
    fileprivate let row: JSONRow
    fileprivate let reader: SIRIReader

    var number: String? { row.word("SituationNumber") }
    var summaries: [LocalizedText] { texts("Summary") }
    var descriptions: [LocalizedText] { texts("Description") }
    /// "slight", "normal", "severe" and others.
    var severity: String? { row.word("Severity") }
    /// When it is to be displayed.
    var publication: [ActivePeriod] { periods("PublicationWindow") }
    /// When it applies.
    var validity: [ActivePeriod] { periods("ValidityPeriod") }
    var lines: [String] { row.value.descendants("LineRef").compactMap(\.text) }
    var stops: [String] { row.value.descendants("StopPointRef").compactMap(\.text) }

    private func texts(_ key: String) -> [LocalizedText] {
        row.all(key).compactMap { value in value.text.map { .init(text: $0, language: value.language) } }
    }

    private func periods(_ key: String) -> [ActivePeriod] {
        row.all(key).map {
            ActivePeriod(start: reader.moment($0.row?.word("StartTime")), end: reader.moment($0.row?.word("EndTime")))
        }
    }
}

extension TransitMode {
    /// By the words of SIRI's `VehicleModesOfTransportEnumeration`, in lower case.
    fileprivate static let siri: [String: TransitMode] = [
        "bus": .bus, "coach": .bus, "tram": .tram, "metro": .metro, "underground": .metro, "rail": .train,
        "ferry": .ferry,
    ]
}
