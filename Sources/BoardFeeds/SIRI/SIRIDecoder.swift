import BoardCore

extension SIRIResponse {
    /// Most of the bytes of a long response, and of no use to a board.
    private static let skipped: Set = [
        "VehicleLocation", "ArrivalStopAssignment", "DepartureStopAssignment", "Consequences",
    ]

    /// Decodes a response in JSON or XML, detected by its first byte. Elements have the same names in both.
    ///
    /// - Parameters:
    ///   - withCalls: whether the calls before and after the stop are read.
    ///   - language: the preferred language of names.
    ///   - zone: the zone of times without an offset; nil: those are unreadable.
    /// - Throws: ``FormatError`` for anything else.
    init(_ body: [UInt8], withCalls: Bool = false, language: String = "", zone: Zone? = nil) throws(FormatError) {
        if let fault = FormatError(siri: body) { throw fault }
        let isJSON = FormatError(body: body) == nil
        let calls: Set = withCalls ? [] : ["PreviousCalls", "OnwardCalls"]
        let document = try isJSON ? JSONDocument(body) : JSONDocument(xml: body, skipping: Self.skipped.union(calls))
        var decoder = SIRIDecoder(withCalls: withCalls, language: language, zone: zone)
        self = decoder.response(document.root)
        if deliveries.isEmpty { try Self.checkService(document.root, error: error) }
        applyCancellations()
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

private struct SIRIDecoder {
    let withCalls: Bool
    let language: String
    let zone: Zone?
    /// The reference for times in a repeated hour.
    var madeAt: Timestamp?
    /// The numbers of decoded visits and of other decoded parts: calls, situations and their lists.
    var visits = 0
    var parts = 0

    mutating func response(_ root: JSONValue) -> SIRIResponse {
        let services = root.descendants("ServiceDelivery") + root.descendants("ServiceDeliveryInfo")
        madeAt = services.compactMap { moment($0.row?.word("ResponseTimestamp")) }.first
        let deliveries = root.descendants("StopMonitoringDelivery")
        let situations = root.descendants("SituationExchangeDelivery").compactMap { $0.row?.last("ErrorCondition") }
        let own = deliveries.compactMap { $0.row?.last("ErrorCondition") } + situations
        let errors = root.descendants("ErrorCondition").filter { !own.contains($0) } + root.descendants("Fault")
        var response = SIRIResponse()
        response.madeAt = madeAt
        response.deliveries = deliveries.limitedCompactMap { $0.row.map { delivery($0) } }
        response.situations = counted(root.descendants("PtSituationElement")).compactMap {
            $0.row.map { situation($0) }
        }
        response.error = errors.first.map(error)
        response.situationError = situations.first.map(error)
        return response
    }

    /// The first of some parts: as many as the response may still have (``ResponseLimits/parts``).
    private mutating func counted(_ values: [JSONValue]) -> ArraySlice<JSONValue> {
        let values = values.prefix(ResponseLimits.parts - parts)
        parts += values.count
        return values
    }

    private func error(_ value: JSONValue) -> SIRIErrorCondition {
        let kinds: [(String, SIRIErrorCondition.Kind)] = [
            ("AccessNotAllowedError", .access), ("InvalidDataReferencesError", .reference),
            ("NoInfoForTopicError", .noInformation), ("AllowedResourceUsageExceededError", .usage),
            ("ServiceNotAvailableError", .unavailable),
        ]
        let texts = ["ErrorText", "faultstring", "Text", "Description", "ErrorDescription"].flatMap(value.descendants)
            .compactMap(\.text)
        return SIRIErrorCondition(
            kind: kinds.first { !value.descendants($0.0).isEmpty }?.1 ?? .other,
            // Some have a number where others have a sentence.
            text: texts.first { $0.contains(where: \.isLetter) } ?? texts.first)
    }

    private mutating func delivery(_ row: JSONRow) -> SIRIDelivery {
        var delivery = SIRIDelivery()
        delivery.madeAt = moment(row.word("ResponseTimestamp"))
        delivery.validUntil = moment(row.word("ValidUntil"))
        delivery.isGood = row.word("Status")?.isTrue ?? true
        delivery.error = row.last("ErrorCondition").map(error)
        for value in row.all("MonitoredStopVisit") {
            if visits < ResponseLimits.rows, let row = value.row {
                visits += 1
                delivery.visits.append(visit(row))
            } else {
                delivery.badRows += 1
            }
        }
        for row in counted(row.all("MonitoredStopVisitCancellation")).compactMap(\.row).reversed() {
            delivery.cancellations.updateValue(row.word("Reason"), forKey: row.word("ItemRef") ?? "")
        }
        return delivery
    }

    private mutating func visit(_ row: JSONRow) -> SIRIVisit {
        let journey = row.last("MonitoredVehicleJourney")?.row ?? row
        var visit = SIRIVisit()
        visit.recorded = moment(row.word("RecordedAtTime"))
        visit.item = row.word("ItemIdentifier")
        visit.line = journey.word("LineRef")
        visit.lineName = name(journey, "PublishedLineName")
        visit.direction = journey.word("DirectionRef")
        visit.directionName = name(journey, "DirectionName")
        let frame = journey.last("FramedVehicleJourneyRef")?.row ?? journey
        visit.dataFrameRef = frame.word("DataFrameRef")
        visit.journeyRef = frame.word("DatedVehicleJourneyRef")
        visit.company = journey.word("OperatorName")
        visit.origin = name(journey, "OriginName")
        visit.destination = name(journey, "DestinationName")
        visit.destinationStop = journey.word("DestinationRef")
        visit.vehicle = journey.word("VehicleRef")
        visit.mode = journey.word("VehicleMode").flatMap(TransitMode.init(siri:))
        visit.isMonitored = journey.word("Monitored")?.isTrue
        visit.isCancelled = journey.word("Cancellation")?.isTrue ?? false
        visit.delay = journey.word("Delay").flatMap { Duration(xsd: $0) }
        visit.progress = journey.word("ProgressStatus")
        if let row = journey.last("MonitoredCall")?.row { visit.call = call(row) }
        let references = row.value.descendants("SituationRef") + row.value.descendants("SituationSimpleRef")
        let numbers = row.value.descendants("SituationFullRef").flatMap { $0.descendants("SituationNumber") }
        visit.situations = counted(references + numbers).compactMap(\.text)
        guard withCalls else { return visit }
        visit.previous = calls(journey.last("PreviousCalls")?.row?.all("PreviousCall") ?? [])
        visit.onward = calls(journey.last("OnwardCalls")?.row?.all("OnwardCall") ?? [])
        return visit
    }

    private mutating func calls(_ values: [JSONValue]) -> [SIRICall] {
        counted(values).compactMap { $0.row.map(call) }
    }

    private func call(_ row: JSONRow) -> SIRICall {
        var call = SIRICall()
        func time(_ key: String) -> Timestamp? {
            let text = row.word(key)
            let moment = moment(text)
            // .NET's "no date", in either form.
            if moment == nil, let text, !text.hasPrefix("0001-"), !text.hasPrefix("/Date(-") {
                call.hasUnreadableTime = true
                if wall(text) != nil { call.lacksZone = true }
            }
            return moment
        }
        func status(_ key: String) -> SIRIStatus? { row.word(key).flatMap { SIRIStatus(word: $0) } }
        call.stop = row.word("StopPointRef")
        call.name = name(row, "StopPointName")
        call.number = row.word("Order") ?? row.word("VisitNumber")
        call.display = name(row, "DestinationDisplay")
        call.isAtStop = row.word("VehicleAtStop")?.isTrue ?? false
        call.aimedArrival = time("AimedArrivalTime")
        call.expectedArrival = time("ExpectedArrivalTime")
        call.actualArrival = time("ActualArrivalTime")
        call.arrivalStatus = status("ArrivalStatus")
        call.arrivalPlatform = row.word("ArrivalPlatformName")
        call.aimedDeparture = time("AimedDepartureTime")
        call.expectedDeparture = time("ExpectedDepartureTime")
        call.actualDeparture = time("ActualDepartureTime")
        call.departureStatus = status("DepartureStatus")
        call.departurePlatform = row.word("DeparturePlatformName")
        let activity = row.word("DepartureBoardingActivity")
        call.allowsBoarding = activity != "noBoarding" && activity != "passThru"
        call.distance =
            row.word("ArrivalProximityText") ?? row.value.descendants("PresentableDistance").compactMap(\.text).first
        return call
    }

    private mutating func situation(_ row: JSONRow) -> SIRISituation {
        var situation = SIRISituation()
        situation.number = row.word("SituationNumber")
        situation.summaries = texts(row.all("Summary"))
        situation.descriptions = texts(row.all("Description"))
        situation.severity = row.word("Severity")
        situation.publication = periods(row.all("PublicationWindow"))
        situation.validity = periods(row.all("ValidityPeriod"))
        situation.lines = counted(row.value.descendants("LineRef")).compactMap(\.text)
        situation.stops = counted(row.value.descendants("StopPointRef")).compactMap(\.text)
        return situation
    }

    private mutating func texts(_ values: [JSONValue]) -> [LocalizedText] {
        counted(values).compactMap { value in value.text.map { .init(text: $0, language: value.language) } }
    }

    private mutating func periods(_ values: [JSONValue]) -> [ActivePeriod] {
        counted(values).map {
            ActivePeriod(start: moment($0.row?.word("StartTime")), end: moment($0.row?.word("EndTime")))
        }
    }

    /// The name in the preferred language, else the first.
    private func name(_ row: JSONRow, _ key: String) -> String? {
        let names = row.all(key).filter { $0.text != nil }
        return (names.last { NameChoice.isSame($0.language, language) } ?? names.first)?.text
    }

    /// A timestamp; without an offset it is in the operator's zone.
    private func moment(_ text: String?) -> Timestamp? {
        guard let text else { return nil }
        let utf8 = text.utf8
        if let moment = utf8.span.timestamp { return moment }
        guard let zone, let wall = wall(text) else { return nil }
        return zone.timestamp(of: Zone.utc.localTime(at: wall), nearest: madeAt ?? wall)
    }

    /// The local time of a timestamp without an offset, as if in UTC; nil for any other text.
    private func wall(_ text: String) -> Timestamp? { Timestamp(rfc3339: text + "Z") }
}

extension JSONRow {
    fileprivate func last(_ key: String) -> JSONValue? { all(key).last }

    /// The text of the last element of this name.
    fileprivate func word(_ key: String) -> String? { last(key)?.text }
}

extension JSONValue {
    /// The language of a text, BCP 47; empty if absent. In XML it is an attribute.
    fileprivate var language: String { row?.text("lang") ?? "" }
}

extension Duration {
    /// The units in order, those of the date before those of the time; nil: no fixed number of seconds.
    private static let xsdUnits: [(sign: UInt8, isTime: Bool, seconds: Int64?)] = [
        (UInt8(ascii: "Y"), false, nil), (UInt8(ascii: "M"), false, nil), (UInt8(ascii: "D"), false, 86_400),
        (UInt8(ascii: "H"), true, 3_600), (UInt8(ascii: "M"), true, 60), (UInt8(ascii: "S"), true, 1),
    ]

    /// Parses a duration of XML Schema (Part 2, §3.2.6: "PT3M", "-PT2M", "P0Y0M0DT0H3M0.000S"), to the second; nil if
    /// malformed. Years and months have no fixed length: nil unless they are zero.
    init?(xsd text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty, rest.last != UInt8(ascii: "T") else { return nil }
        var seconds: Int64 = 0
        var isTime = false
        var units = Self.xsdUnits[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "T"), !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            // At most nine digits, so the sum with each unit once cannot overflow.
            let digits = rest.prefix(while: \.isDigit)
            guard (1...9).contains(digits.count), let number = Int64(Substring(digits)) else { return nil }
            rest = rest.dropFirst(digits.count)
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst().drop(while: \.isDigit)
                guard rest.first == UInt8(ascii: "S") else { return nil }
            }
            let sign = rest.popFirst()
            guard let place = units.firstIndex(where: { $0.sign == sign && $0.isTime == isTime }) else { return nil }
            guard let length = units[place].seconds ?? (number == 0 ? 0 : nil) else { return nil }
            seconds += number * length
            units = units[(place + 1)...]
        }
        self = .seconds(isNegative ? -seconds : seconds)
    }
}
