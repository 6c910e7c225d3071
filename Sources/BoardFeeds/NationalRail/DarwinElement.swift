internal import BoardFormats

/// The elements of OpenLDBWS that are read, by their local names, for every version of the schema since 2012.
enum DarwinElement: String, CaseIterable {
    // The envelope.
    case envelope = "Envelope"
    case body = "Body"
    case html
    case stationBoard = "GetStationBoardResult"
    case departuresBoard = "DeparturesBoard"
    case details = "GetServiceDetailsResult"
    case detailsResponse = "GetServiceDetailsResponse"
    // Errors: SOAP 1.1, then 1.2.
    case fault = "Fault"
    case faultstring
    case reason = "Reason"
    case text = "Text"
    // A board.
    case generatedAt, locationName, crs, nrccMessages, message, platformAvailable, areServicesAvailable
    case trainServices, busServices, ferryServices, departures, service
    // A service.
    case sta, eta, ata, std, etd, atd, platform, `operator`, operatorCode, isCancelled, filterLocationCancelled
    case serviceType, length, cancelReason, delayReason, disruptionReason, serviceID
    case origin, destination, currentOrigins, currentDestinations, location, via
    // Calling points.
    case previousCallingPoints, subsequentCallingPoints, callingPointList, callingPoint, st, et, at
    // Skipped: class and toilet of every coach at every call.
    case formation, coaches

    /// All names, by their indices in ``vocabulary``.
    static let all = Array(allCases)
    /// The names for the parser.
    static let vocabulary = XMLVocabulary(allCases.map(\.rawValue))
}
