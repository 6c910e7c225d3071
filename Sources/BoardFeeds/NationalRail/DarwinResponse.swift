internal import BoardCore
internal import BoardFormats

/// A decoded response of OpenLDBWS.
enum DarwinResponse: Hashable, Sendable {
    case board(RailBoard)
    /// A service; nil: it is no longer available.
    case details(RailServiceDetails?)
    /// A SOAP fault, with its text.
    case fault(String)

    /// Decodes a response.
    ///
    /// - Parameter withCalls: whether a board's calling points are read; they are most of its bytes.
    /// - Throws: ``XMLFault`` for malformed XML and other content.
    init(_ body: [UInt8], withCalls: Bool) throws(XMLFault) {
        var content = DarwinParser(withCalls: withCalls)
        do {
            try XMLReader.read(body, DarwinElement.vocabulary, &content)
        } catch {
            throw content.isHTML ? .html : error
        }
        self = try content.response
    }
}

/// The parsed part of a response.
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
    private var callList = RailCallingPointList()
    private var call = RailCallingPoint()
    private var hasBegun = false
    /// The number of stored parts: calls, lists of calls, places and messages.
    private var parts = 0

    init(withCalls: Bool) {
        self.withCalls = withCalls
    }

    var isHTML: Bool { outermost == .html }

    var response: DarwinResponse {
        get throws(XMLFault) {
            if let fault { return .fault(fault) }
            if hasFault { return .fault("SOAP fault without text") }
            if let board { return .board(board) }
            if hasDetails { return .details(details) }
            throw isHTML ? .html : .unexpectedStructure
        }
    }

    private func element(at index: Int) -> DarwinElement? {
        index == XMLVocabulary.unknown ? nil : names[index]
    }

    mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool {
        let (name, parent) = (element(at: name), element(at: parent))
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
            // The calling points of a single service are always read.
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
            callList = RailCallingPointList()
            callList.isCancelled = attributes["assocIsCancelled"]?.isTrue ?? false
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
        guard let name = element(at: name) else { return }
        switch element(at: parent) {
        case .callingPoint?: call.read(name, text)
        case .location?: place.read(name, text)
        case .service?: service.read(name, text)
        case .details?: read(name, ofDetails: text)
        case .stationBoard?, .departuresBoard?: read(name, ofBoard: text)
        case .nrccMessages? where name == .message:
            if let message = text.trimmedText, hasRoom() { board?.messages.append(message) }
        case .fault? where name == .faultstring: fault = text.trimmedText
        case .reason? where name == .text: fault = fault ?? text.trimmedText
        case .callingPointList? where name == .callingPoint: if hasRoom() { callList.calls.append(call) }
        case .previousCallingPoints? where name == .callingPointList: if hasRoom() { service.previous.append(callList) }
        case .subsequentCallingPoints? where name == .callingPointList:
            if hasRoom() { service.subsequent.append(callList) }
        case .origin? where name == .location: nextPlace().map { service.origins.append($0) }
        case .destination? where name == .location: nextPlace().map { service.destinations.append($0) }
        case .currentOrigins? where name == .location: nextPlace().map { service.currentOrigins.append($0) }
        case .currentDestinations? where name == .location: nextPlace().map { service.currentDestinations.append($0) }
        default: break
        }
        switch name {
        // An element that is nil (`xsi:nil`) is none: there is no next or fastest service.
        case .service:
            let service = exchange(&service, with: RailService())
            if service.scheduled != nil || service != RailService() { append(service) }
        case .details:
            if details != RailServiceDetails() || service != RailService() {
                details?.service = service
            } else {
                details = nil
            }
        default: break
        }
    }

    /// Whether one more part may be stored.
    private mutating func hasRoom() -> Bool {
        parts += 1
        return parts <= ResponseLimits.parts
    }

    /// The parsed place, if one more part may be stored.
    private mutating func nextPlace() -> RailLocation? {
        let place = exchange(&place, with: RailLocation())
        return hasRoom() ? place : nil
    }

    /// Adds a service to the board; one above the limit is a bad row.
    private mutating func append(_ service: RailService) {
        if board?.services.count ?? 0 < ResponseLimits.rows {
            board?.services.append(service)
        } else {
            board?.badRows += 1
        }
    }

    private mutating func read(_ name: DarwinElement, ofBoard text: Span<UInt8>) {
        switch name {
        case .generatedAt: board?.madeAt = text.timestamp
        case .locationName: board?.name = text.trimmedText
        case .crs: board?.code = text.trimmedText
        case .platformAvailable: board?.showsPlatforms = text.isTrue
        case .areServicesAvailable: board?.showsServices = text.isTrue
        default: break
        }
    }

    private mutating func read(_ name: DarwinElement, ofDetails text: Span<UInt8>) {
        switch name {
        case .generatedAt: details?.madeAt = text.timestamp
        case .locationName: details?.name = text.trimmedText
        case .crs: details?.code = text.trimmedText
        default: service.read(name, text)
        }
    }
}

extension RailService {
    /// Reads an element of a service.
    fileprivate mutating func read(_ name: DarwinElement, _ text: Span<UInt8>) {
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
    fileprivate mutating func read(_ name: DarwinElement, _ text: Span<UInt8>) {
        switch name {
        case .locationName: self.name = text.trimmedText
        case .via: via = text.trimmedText
        default: break
        }
    }
}

extension RailCallingPoint {
    fileprivate mutating func read(_ name: DarwinElement, _ text: Span<UInt8>) {
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
