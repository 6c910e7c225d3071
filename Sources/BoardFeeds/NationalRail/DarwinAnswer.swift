internal import BoardCore

/// What an answer of OpenLDBWS is.
enum DarwinAnswer: Hashable, Sendable {
    case board(RailBoard)
    /// A service; nil: it is known no more.
    case details(RailRun?)
    /// A refusal, in the operator's words.
    case fault(String)

    /// Reads an answer.
    ///
    /// - Parameter withCalls: whether a board's calling points are read; they are most of its bytes.
    /// - Throws: ``XMLFault`` where it is no XML, not well-formed, or something else.
    init(_ body: [UInt8], withCalls: Bool) throws(XMLFault) {
        var content = DarwinContent(withCalls: withCalls)
        do {
            try XMLReader.read(body, DarwinName.vocabulary, &content)
        } catch {
            throw content.isHTML ? .html : error
        }
        self = try content.answer
    }
}

/// What was heard so far of an answer of OpenLDBWS.
private struct DarwinContent: XMLListener {
    private let names = DarwinName.all
    private let withCalls: Bool
    private var outermost: DarwinName?
    private var board: RailBoard?
    private var details: RailRun?
    private var hasDetails = false
    private var fault: String?
    private var hasFault = false
    private var service = RailService()
    private var place = RailPlace()
    private var way = RailWay()
    private var call = RailCall()
    private var hasBegun = false
    /// Parts that were kept so far: calls, ways, places and notices.
    private var parts = 0

    init(withCalls: Bool) {
        self.withCalls = withCalls
    }

    var isHTML: Bool { outermost == .html }

    var answer: DarwinAnswer {
        get throws(XMLFault) {
            if let fault { return .fault(fault) }
            if hasFault { return .fault("a fault without words") }
            if let board { return .board(board) }
            if hasDetails { return .details(details) }
            throw isHTML ? .html : .otherShape
        }
    }

    private func known(_ index: Int) -> DarwinName? {
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
            details = RailRun()
            service = RailService()
        case .fault?:
            hasFault = true
        case .service?:
            service.isBus = parent == .busServices
        case .location?:
            place = RailPlace()
        case .previousCallingPoints?, .subsequentCallingPoints?:
            return withCalls || parent == .details
        case .callingPointList?:
            way = RailWay()
            way.isCancelled = attributes["assocIsCancelled"]?.isTrue ?? false
        case .callingPoint?:
            call = RailCall()
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
            if let words = text.words, hasRoom() { board?.messages.append(words) }
        case .fault? where name == .faultstring: fault = text.words
        case .reason? where name == .text: fault = fault ?? text.words
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
            if details != RailRun() || service != RailService() { details?.service = service } else { details = nil }
        default: break
        }
    }

    /// Whether one part more may be kept.
    private mutating func hasRoom() -> Bool {
        parts += 1
        return parts <= ResponseLimits.parts
    }

    /// The place that was read, if one part more may be kept.
    private mutating func takePlace() -> RailPlace? {
        let place = exchange(&place, with: RailPlace())
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

    private mutating func take(_ name: DarwinName, ofBoard text: Span<UInt8>) {
        switch name {
        case .generatedAt: board?.made = text.moment
        case .locationName: board?.name = text.words
        case .crs: board?.code = text.words
        case .platformAvailable: board?.showsPlatforms = text.isTrue
        case .areServicesAvailable: board?.showsServices = text.isTrue
        default: break
        }
    }

    private mutating func take(_ name: DarwinName, ofDetails text: Span<UInt8>) {
        switch name {
        case .generatedAt: details?.made = text.moment
        case .locationName: details?.name = text.words
        case .crs: details?.code = text.words
        default: service.take(name, text)
        }
    }
}

extension RailService {
    /// Takes an element of a service.
    fileprivate mutating func take(_ name: DarwinName, _ text: Span<UInt8>) {
        switch name {
        case .sta: scheduledArrival = text.words
        case .eta: estimatedArrival = text.words
        case .ata: actualArrival = text.words
        case .std: scheduled = text.words
        case .etd: estimated = text.words
        case .atd: actual = text.words
        case .platform: platform = text.words
        case .operator: company = text.words
        case .operatorCode: companyCode = text.words
        case .isCancelled: isCancelled = text.isTrue
        case .filterLocationCancelled: passesFilter = text.isTrue
        case .serviceType: isBus = isBus || text.words == "bus"
        case .length: coaches = text.words.flatMap { Int($0) }
        case .cancelReason: cancelReason = text.words
        case .delayReason: delayReason = text.words
        case .disruptionReason: delayReason = delayReason ?? text.words
        case .serviceID: id = text.words
        default: break
        }
    }
}

extension RailPlace {
    fileprivate mutating func take(_ name: DarwinName, _ text: Span<UInt8>) {
        switch name {
        case .locationName: self.name = text.words
        case .via: via = text.words
        default: break
        }
    }
}

extension RailCall {
    fileprivate mutating func take(_ name: DarwinName, _ text: Span<UInt8>) {
        switch name {
        case .locationName: self.name = text.words
        case .crs: code = text.words
        case .st: scheduled = text.words
        case .et: estimated = text.words
        case .at: actual = text.words
        case .isCancelled: isCancelled = text.isTrue
        case .length: coaches = text.words.flatMap { Int($0) }
        default: break
        }
    }
}
