internal import BoardCore

/// What an answer of OpenLDBWS is.
enum DarwinResponse: Hashable, Sendable {
    case board(RailBoard)
    /// A service; nil: it is known no more.
    case details(RailServiceDetails?)
    /// A refusal, in the operator's words.
    case fault(String)

    /// Reads an answer.
    ///
    /// - Parameter withCalls: whether a board's calling points are read; they are most of its bytes.
    /// - Throws: ``XMLFault`` where it is no XML, not well-formed, or something else.
    init(_ body: [UInt8], withCalls: Bool) throws(XMLFault) {
        var content = DarwinParser(withCalls: withCalls)
        do {
            try XMLReader.read(body, DarwinElement.vocabulary, &content)
        } catch {
            throw content.isHTML ? .html : error
        }
        self = try content.answer
    }
}

/// What was heard so far of an answer of OpenLDBWS.
private struct DarwinParser: XMLHandler {
    private let names = DarwinElement.all
    private let withCalls: Bool
    private var outermost: DarwinElement?
    private var board: RailBoard?
    private var details: RailServiceDetails?
    private var hasDetails = false
    private var fault: String?
    private var hasFault = false
    private var service = RailService()
    private var place = RailLocation()
    private var way = RailCallingPointList()
    private var call = RailCallingPoint()
    private var hasBegun = false
    /// Parts that were kept so far: calls, ways, places and notices.
    private var parts = 0

    init(withCalls: Bool) {
        self.withCalls = withCalls
    }

    var isHTML: Bool { outermost == .html }

    var answer: DarwinResponse {
        get throws(XMLFault) {
            if let fault { return .fault(fault) }
            if hasFault { return .fault("a fault without words") }
            if let board { return .board(board) }
            if hasDetails { return .details(details) }
            throw isHTML ? .html : .unexpectedStructure
        }
    }

    private func known(_ index: Int) -> DarwinElement? {
        index == XMLVocabulary.unknown ? nil : names[index]
    }

    mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool {
        let (name, parent) = (known(name), known(parent))
        if !hasBegun {
            outermost = name
            hasBegun = true
        }
        switch name {
        case .stationBoard?, .departuresBoard?:
            board = board ?? RailBoard()
        case .detailsResponse?:
            hasDetails = true
        case .details?:
            hasDetails = true
            // The calling points of one service are what was asked for.
            details = RailServiceDetails()
            service = RailService()
        case .fault?:
            hasFault = true
        case .service?:
            service.isBus = parent == .busServices
        case .location?:
            place = RailLocation()
        case .previousCallingPoints?, .subsequentCallingPoints?:
            return withCalls || parent == .details
        case .callingPointList?:
            way = RailCallingPointList()
            way.isCancelled = attributes["assocIsCancelled"]?.isTrue ?? false
        case .callingPoint?:
            call = RailCallingPoint()
        case .formation?, .coaches?:
            return false
        default:
            break
        }
        return true
    }

    mutating func close(_ name: Int, in parent: Int, _ text: Span<UInt8>) {
        guard let name = known(name) else { return }
        switch known(parent) {
        case .callingPoint?: call.take(name, text)
        case .location?: place.take(name, text)
        case .service?: service.take(name, text)
        case .details?: take(name, ofDetails: text)
        case .stationBoard?, .departuresBoard?: take(name, ofBoard: text)
        case .nrccMessages? where name == .message:
            if let words = text.trimmedText, hasRoom() { board?.messages.append(words) }
        case .fault? where name == .faultstring: fault = text.trimmedText
        case .reason? where name == .text: fault = fault ?? text.trimmedText
        case .callingPointList? where name == .callingPoint: if hasRoom() { way.calls.append(call) }
        case .previousCallingPoints? where name == .callingPointList: if hasRoom() { service.previous.append(way) }
        case .subsequentCallingPoints? where name == .callingPointList: if hasRoom() { service.subsequent.append(way) }
        case .origin? where name == .location: takePlace().map { service.origins.append($0) }
        case .destination? where name == .location: takePlace().map { service.destinations.append($0) }
        case .currentOrigins? where name == .location: takePlace().map { service.currentOrigins.append($0) }
        case .currentDestinations? where name == .location: takePlace().map { service.currentDestinations.append($0) }
        default: break
        }
        switch name {
        // One that is nil (`xsi:nil`) is none: nothing is next, or fastest.
        case .service:
            let service = exchange(&service, with: RailService())
            if service.scheduled != nil || service != RailService() { keep(service) }
        case .details:
            if details != RailServiceDetails() || service != RailService() {
                details?.service = service
            } else {
                details = nil
            }
        default: break
        }
    }

    /// Whether one part more may be kept.
    private mutating func hasRoom() -> Bool {
        parts += 1
        return parts <= ResponseLimits.parts
    }

    /// The place that was read, if one part more may be kept.
    private mutating func takePlace() -> RailLocation? {
        let place = exchange(&place, with: RailLocation())
        return hasRoom() ? place : nil
    }

    /// Adds a service to the board; one of too many is a bad row.
    private mutating func keep(_ service: RailService) {
        if board?.services.count ?? 0 < ResponseLimits.rows {
            board?.services.append(service)
        } else {
            board?.badRows += 1
        }
    }

    private mutating func take(_ name: DarwinElement, ofBoard text: Span<UInt8>) {
        switch name {
        case .generatedAt: board?.madeAt = text.timestamp
        case .locationName: board?.name = text.trimmedText
        case .crs: board?.code = text.trimmedText
        case .platformAvailable: board?.showsPlatforms = text.isTrue
        case .areServicesAvailable: board?.showsServices = text.isTrue
        default: break
        }
    }

    private mutating func take(_ name: DarwinElement, ofDetails text: Span<UInt8>) {
        switch name {
        case .generatedAt: details?.madeAt = text.timestamp
        case .locationName: details?.name = text.trimmedText
        case .crs: details?.code = text.trimmedText
        default: service.take(name, text)
        }
    }
}

extension RailService {
    /// Takes an element of a service.
    fileprivate mutating func take(_ name: DarwinElement, _ text: Span<UInt8>) {
        switch name {
        case .sta: scheduledArrival = text.trimmedText
        case .eta: estimatedArrival = text.trimmedText
        case .ata: actualArrival = text.trimmedText
        case .std: scheduled = text.trimmedText
        case .etd: estimated = text.trimmedText
        case .atd: actual = text.trimmedText
        case .platform: platform = text.trimmedText
        case .operator: company = text.trimmedText
        case .operatorCode: companyCode = text.trimmedText
        case .isCancelled: isCancelled = text.isTrue
        case .filterLocationCancelled: isFilterCancelled = text.isTrue
        case .serviceType: isBus = isBus || text.trimmedText == "bus"
        case .length: coaches = text.trimmedText.flatMap { Int($0) }
        case .cancelReason: cancelReason = text.trimmedText
        case .delayReason: delayReason = text.trimmedText
        case .disruptionReason: delayReason = delayReason ?? text.trimmedText
        case .serviceID: id = text.trimmedText
        default: break
        }
    }
}

extension RailLocation {
    fileprivate mutating func take(_ name: DarwinElement, _ text: Span<UInt8>) {
        switch name {
        case .locationName: self.name = text.trimmedText
        case .via: via = text.trimmedText
        default: break
        }
    }
}

extension RailCallingPoint {
    fileprivate mutating func take(_ name: DarwinElement, _ text: Span<UInt8>) {
        switch name {
        case .locationName: self.name = text.trimmedText
        case .crs: code = text.trimmedText
        case .st: scheduled = text.trimmedText
        case .et: estimated = text.trimmedText
        case .at: actual = text.trimmedText
        case .isCancelled: isCancelled = text.isTrue
        case .length: coaches = text.trimmedText.flatMap { Int($0) }
        default: break
        }
    }
}
