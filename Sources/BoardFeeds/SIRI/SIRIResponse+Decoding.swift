internal import BoardCore
internal import BoardFormats

extension SIRIResponse {
    /// Decodes a response in JSON or XML, detected by its first byte.
    ///
    /// - Parameters:
    ///   - withCalls: whether the calls before and after the stop are read.
    ///   - language: the preferred language of names.
    ///   - zone: the zone of times without an offset; nil: those are unreadable.
    /// - Throws: ``SIRIFault`` for anything else.
    init(_ body: [UInt8], withCalls: Bool = false, language: String = "", zone: Zone? = nil) throws(SIRIFault) {
        if let fault = SIRIFault(body: body) { throw fault }
        var content = SIRIParser(withCalls: withCalls, language: language, zone: zone)
        // A body without a fault is not empty.
        let first = body[body.contentStart]
        if first == UInt8(ascii: "<") || first >= 0xFE {
            do {
                try XMLReader.read(body, SIRIElement.vocabulary, &content)
            } catch {
                throw SIRIFault(content.isHTML ? XMLFault.html.description : error.description)
            }
        } else {
            do {
                try JSONDocument(body).emit(SIRIElement.vocabulary, to: &content)
            } catch {
                throw SIRIFault(error.description)
            }
        }
        self = try content.response()
        applyCancellations()
    }
}

/// The parsed part of a response. XML elements and JSON members arrive through the same handler.
private struct SIRIParser: XMLHandler {
    private let names = SIRIElement.all
    private let withCalls: Bool
    private let language: String
    private let zone: Zone?
    private var result = SIRIResponse()
    private var delivery = SIRIDelivery()
    private var visit = SIRIVisit()
    private var call = SIRICall()
    private var cancellation = SIRICancellation()
    private var situation = SIRISituation()
    private var period = ActivePeriod()
    private var error = SIRIErrorCondition()
    /// The numbers of stored visits and of other stored parts: calls, situations and their lists.
    private var (visits, parts) = (0, 0)
    private var hasBegun = false
    private(set) var isHTML = false
    /// The element of another service or standard.
    private var foreign: SIRIElement?
    /// A gateway's message.
    private var message: String?
    /// The language of the last opened element; nil if absent.
    private var elementLanguage: String?

    init(withCalls: Bool, language: String, zone: Zone?) {
        self.withCalls = withCalls
        self.language = language
        self.zone = zone
    }

    /// The decoded response.
    func response() throws(SIRIFault) -> SIRIResponse {
        if isHTML { throw SIRIFault(XMLFault.html.description) }
        if !result.deliveries.isEmpty { return result }
        if foreign == .checkStatusResponse || foreign == nil, result.error != nil { return result }
        let found: String? =
            switch foreign {
            case .ojp?: "OJP, another standard than SIRI"
            case .trias?: "TRIAS, another standard than SIRI"
            case .vehicleMonitoringDelivery?: "SIRI Vehicle Monitoring, which reports vehicles and not of a stop,"
            case .estimatedTimetableDelivery?: "a SIRI Estimated Timetable, which reports lines, not a stop,"
            case .stopPointsDelivery?: "a SIRI list of stops"
            case .checkStatusResponse?: "the status of a SIRI service"
            default: nil
            }
        throw SIRIFault(
            found.map { "found \($0) where SIRI Stop Monitoring was expected" }
                ?? "found no StopMonitoringDelivery where SIRI Stop Monitoring was expected", message: message)
    }

    private func element(at index: Int) -> SIRIElement? {
        index == XMLVocabulary.unknown ? nil : names[index]
    }

    mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool {
        guard let name = element(at: name) else {
            hasBegun = true
            return true
        }
        if !hasBegun, name == .html { isHTML = true }
        hasBegun = true
        switch name {
        case .stopMonitoringDelivery:
            delivery = SIRIDelivery()
        case .monitoredStopVisit: visit = SIRIVisit()
        case .monitoredStopVisitCancellation: cancellation = SIRICancellation()
        case .monitoredCall, .previousCall, .onwardCall: call = SIRICall()
        case .previousCalls, .onwardCalls: return withCalls
        case .vehicleLocation, .arrivalStopAssignment, .departureStopAssignment, .consequences: return false
        case .ptSituationElement: situation = SIRISituation()
        case .publicationWindow, .validityPeriod: period = ActivePeriod()
        case .ojp, .trias, .vehicleMonitoringDelivery, .estimatedTimetableDelivery, .stopPointsDelivery,
            .checkStatusResponse:
            foreign = foreign ?? name
        case .errorCondition, .fault: error = SIRIErrorCondition()
        case .accessNotAllowed: error.kind = .access
        case .invalidReferences: error.kind = .reference
        case .noInformation: error.kind = .noInformation
        case .usageExceeded: error.kind = .usage
        case .notAvailable: error.kind = .unavailable
        case .summary, .description, .stopPointName, .destinationName, .destinationDisplay, .directionName,
            .originName, .publishedLineName:
            elementLanguage = attributes["lang"]
        default: break
        }
        return true
    }

    mutating func close(_ name: Int, in parent: Int, _ text: Span<UInt8>) {
        guard let name = element(at: name) else { return }
        switch element(at: parent) {
        case .monitoredCall?, .previousCall?, .onwardCall?: read(name, ofCall: text)
        case .monitoredVehicleJourney?, .monitoredStopVisit?: read(name, ofVisit: text)
        case .stopMonitoringDelivery?: read(name, ofDelivery: text)
        case .serviceDelivery? where name == .responseTimestamp,
            .serviceDeliveryInfo? where name == .responseTimestamp:
            result.madeAt = moment(text)
        case .monitoredStopVisitCancellation?:
            if name == .itemRef { cancellation.item = text.trimmedText }
            if name == .reason { cancellation.reason = text.trimmedText }
        case .ptSituationElement?: read(name, ofSituation: text)
        case .publicationWindow?, .validityPeriod?:
            if name == .startTime { period.start = moment(text) }
            if name == .endTime { period.end = moment(text) }
        case .fault? where name == .faultstring, .reason? where name == .text:
            error.text = error.text ?? text.trimmedText
        default: readNested(name, parent, text)
        }
        if name == .lang { elementLanguage = text.trimmedText }
    }

    /// Adds a part to a list. Parts above ``ResponseLimits/parts`` are dropped.
    private mutating func append<Part>(_ part: Part?, in list: WritableKeyPath<Self, [Part]>) {
        guard let part, parts < ResponseLimits.parts else { return }
        parts += 1
        self[keyPath: list].append(part)
    }

    /// Adds the closed visit to its delivery. A visit above the limit, or a text in place of a visit, is a bad row.
    private mutating func appendVisit(_ text: Span<UInt8>) {
        let visit = exchange(&visit, with: SIRIVisit())
        if text.trimmedText == nil, visits < ResponseLimits.rows {
            visits += 1
            delivery.visits.append(visit)
        } else {
            delivery.badRows += 1
        }
    }

    /// Elements whose parents differ between operators.
    private mutating func readNested(_ name: SIRIElement, _ parent: Int, _ text: Span<UInt8>) {
        switch name {
        case .stopMonitoringDelivery:
            let delivery = exchange(&delivery, with: SIRIDelivery())
            if result.deliveries.count < ResponseLimits.rows { result.deliveries.append(delivery) }
        case .previousCall: append(exchange(&call, with: SIRICall()), in: \.visit.previous)
        case .onwardCall: append(exchange(&call, with: SIRICall()), in: \.visit.onward)
        case .dataFrameRef: visit.dataFrameRef = text.trimmedText
        case .datedVehicleJourneyRef: visit.journeyRef = text.trimmedText
        case .situationSimpleRef: append(text.trimmedText, in: \.visit.situations)
        case .situationNumber where element(at: parent) == .situationFullRef:
            append(text.trimmedText, in: \.visit.situations)
        case .presentableDistance: call.distance = call.distance ?? text.trimmedText
        case .ptSituationElement: append(exchange(&situation, with: SIRISituation()), in: \.result.situations)
        case .lineRef: append(text.trimmedText, in: \.situation.lines)
        case .stopPointRef: append(text.trimmedText, in: \.situation.stops)
        case .errorText: error.text = text.trimmedText ?? error.text
        case .errorDescription, .description: error.text = error.text ?? text.trimmedText
        case .errorCondition where element(at: parent) == .situationExchangeDelivery:
            result.situationError = result.situationError ?? error
        case .errorCondition, .fault: result.error = result.error ?? error
        case .message, .error, .title, .detail, .capitalMessage, .faultstring: message = message ?? text.trimmedText
        default: break
        }
    }

    private mutating func read(_ name: SIRIElement, ofDelivery text: Span<UInt8>) {
        switch name {
        case .responseTimestamp: delivery.madeAt = moment(text)
        case .validUntil: delivery.validUntil = moment(text)
        case .status: text.trimmedText.map { delivery.isGood = $0.isTrue }
        case .errorCondition: delivery.error = error
        case .monitoredStopVisit: appendVisit(text)
        case .monitoredStopVisitCancellation: append(cancellation, in: \.delivery.cancellations)
        default: break
        }
    }

    private mutating func read(_ name: SIRIElement, ofVisit text: Span<UInt8>) {
        switch name {
        case .recordedAtTime: visit.recorded = moment(text)
        case .itemIdentifier: visit.item = text.trimmedText
        case .lineRef: visit.line = text.trimmedText
        case .publishedLineName: choose(&visit.lineName, text)
        case .directionRef: visit.direction = text.trimmedText
        case .directionName: choose(&visit.directionName, text)
        case .operatorName: visit.company = text.trimmedText
        case .originName: choose(&visit.origin, text)
        case .destinationRef: visit.destinationStop = text.trimmedText
        case .destinationName: choose(&visit.destination, text)
        case .monitored: visit.isMonitored = text.trimmedText.map(\.isTrue)
        case .cancellation: visit.isCancelled = text.isTrue
        case .delay: visit.delay = Duration(xsd: text)
        case .progressStatus: visit.progress = text.trimmedText
        case .vehicleRef: visit.vehicle = text.trimmedText
        case .situationRef: append(text.trimmedText, in: \.visit.situations)
        case .monitoredCall: visit.call = exchange(&call, with: SIRICall())
        default: break
        }
    }

    private mutating func read(_ name: SIRIElement, ofCall text: Span<UInt8>) {
        switch name {
        case .stopPointRef: call.stop = text.trimmedText
        case .stopPointName: choose(&call.name, text)
        case .visitNumber: call.number = call.number ?? text.trimmedText
        case .order: call.number = text.trimmedText ?? call.number
        case .destinationDisplay: choose(&call.display, text)
        case .vehicleAtStop: call.isAtStop = text.isTrue
        case .aimedArrivalTime: call.aimedArrival = time(text)
        case .expectedArrivalTime: call.expectedArrival = time(text)
        case .actualArrivalTime: call.actualArrival = time(text)
        case .arrivalStatus: call.arrivalStatus = text.trimmedText.flatMap { SIRIStatus(word: $0) }
        case .arrivalPlatformName: call.arrivalPlatform = text.trimmedText
        case .aimedDepartureTime: call.aimedDeparture = time(text)
        case .expectedDepartureTime: call.expectedDeparture = time(text)
        case .actualDepartureTime: call.actualDeparture = time(text)
        case .departureStatus: call.departureStatus = text.trimmedText.flatMap { SIRIStatus(word: $0) }
        case .departurePlatformName: call.departurePlatform = text.trimmedText
        case .departureBoardingActivity:
            if let activity = text.trimmedText { call.allowsBoarding = !["noBoarding", "passThru"].contains(activity) }
        case .arrivalProximityText: call.distance = text.trimmedText ?? call.distance
        case .situationRef: append(text.trimmedText, in: \.visit.situations)
        default: break
        }
    }

    private mutating func read(_ name: SIRIElement, ofSituation text: Span<UInt8>) {
        switch name {
        case .situationNumber: situation.number = text.trimmedText
        case .summary:
            append(text.trimmedText.map { .init(text: $0, language: elementLanguage ?? "") }, in: \.situation.summaries)
        case .description:
            append(
                text.trimmedText.map { .init(text: $0, language: elementLanguage ?? "") }, in: \.situation.descriptions)
        case .severity: situation.severity = text.trimmedText
        case .publicationWindow: append(period, in: \.situation.publication)
        case .validityPeriod: append(period, in: \.situation.validity)
        default: break
        }
    }

    /// Stores the name in the preferred language, else the first.
    private func choose(_ place: inout String?, _ text: Span<UInt8>) {
        guard place == nil || elementLanguage.map({ SIRISituation.isSame($0, language) }) ?? false else { return }
        place = text.trimmedText ?? place
    }

    /// A time of a call; an unreadable one is flagged.
    private mutating func time(_ text: Span<UInt8>) -> Timestamp? {
        let moment = moment(text)
        // .NET's "no date", in either form.
        if moment == nil, let words = text.trimmedText, !words.hasPrefix("0001-"), !words.hasPrefix("/Date(-") {
            call.hasUnreadableTime = true
            if wall(text) != nil { call.lacksZone = true }
        }
        return moment
    }

    /// A timestamp; without an offset it is in the operator's zone.
    private func moment(_ text: Span<UInt8>) -> Timestamp? {
        if let moment = text.timestamp { return moment }
        guard let zone, let wall = wall(text) else { return nil }
        return zone.timestamp(of: Zone.utc.localTime(at: wall), nearest: result.madeAt ?? wall)
    }

    /// The local time of a timestamp without an offset, as if in UTC; nil for any other text.
    private func wall(_ text: Span<UInt8>) -> Timestamp? { text.trimmedText.flatMap { Timestamp(rfc3339: $0 + "Z") } }
}
