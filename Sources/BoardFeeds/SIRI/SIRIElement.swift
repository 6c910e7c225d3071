internal import BoardFormats

/// The elements of SIRI that are read, by their local names, which are also the names of JSON members: those of Stop
/// Monitoring from version 1.0 on, and of its situations.
enum SIRIElement: String, CaseIterable {
    // The envelope.
    case html
    case serviceDelivery = "ServiceDelivery"
    case serviceDeliveryInfo = "ServiceDeliveryInfo"
    case stopMonitoringDelivery = "StopMonitoringDelivery"
    case situationExchangeDelivery = "SituationExchangeDelivery"
    case responseTimestamp = "ResponseTimestamp"
    case validUntil = "ValidUntil"
    case status = "Status"
    // Other services and standards from such a server.
    case ojp = "OJP"
    case trias = "Trias"
    case vehicleMonitoringDelivery = "VehicleMonitoringDelivery"
    case estimatedTimetableDelivery = "EstimatedTimetableDelivery"
    case stopPointsDelivery = "StopPointsDelivery"
    case checkStatusResponse = "CheckStatusResponse"
    // Errors: of SIRI, of SOAP, and of gateways.
    case errorCondition = "ErrorCondition"
    case errorText = "ErrorText"
    case errorDescription = "ErrorDescription"
    case accessNotAllowed = "AccessNotAllowedError"
    case invalidReferences = "InvalidDataReferencesError"
    case noInformation = "NoInfoForTopicError"
    case usageExceeded = "AllowedResourceUsageExceededError"
    case notAvailable = "ServiceNotAvailableError"
    case fault = "Fault"
    case faultstring
    case text = "Text"
    case message, error, title, detail
    case capitalMessage = "Message"
    // A visit.
    case monitoredStopVisit = "MonitoredStopVisit"
    case monitoredStopVisitCancellation = "MonitoredStopVisitCancellation"
    case itemRef = "ItemRef"
    case reason = "Reason"
    case recordedAtTime = "RecordedAtTime"
    case itemIdentifier = "ItemIdentifier"
    case situationRef = "SituationRef"
    case situationSimpleRef = "SituationSimpleRef"
    case situationFullRef = "SituationFullRef"
    // A vehicle's journey.
    case monitoredVehicleJourney = "MonitoredVehicleJourney"
    case lineRef = "LineRef"
    case publishedLineName = "PublishedLineName"
    case directionRef = "DirectionRef"
    case directionName = "DirectionName"
    case dataFrameRef = "DataFrameRef"
    case datedVehicleJourneyRef = "DatedVehicleJourneyRef"
    case operatorName = "OperatorName"
    case originName = "OriginName"
    case destinationRef = "DestinationRef"
    case destinationName = "DestinationName"
    case monitored = "Monitored"
    case cancellation = "Cancellation"
    case delay = "Delay"
    case progressStatus = "ProgressStatus"
    case vehicleRef = "VehicleRef"
    // A call.
    case monitoredCall = "MonitoredCall"
    case previousCalls = "PreviousCalls"
    case previousCall = "PreviousCall"
    case onwardCalls = "OnwardCalls"
    case onwardCall = "OnwardCall"
    case stopPointRef = "StopPointRef"
    case stopPointName = "StopPointName"
    case visitNumber = "VisitNumber"
    case order = "Order"
    case destinationDisplay = "DestinationDisplay"
    case vehicleAtStop = "VehicleAtStop"
    case aimedArrivalTime = "AimedArrivalTime"
    case expectedArrivalTime = "ExpectedArrivalTime"
    case actualArrivalTime = "ActualArrivalTime"
    case arrivalStatus = "ArrivalStatus"
    case arrivalPlatformName = "ArrivalPlatformName"
    case aimedDepartureTime = "AimedDepartureTime"
    case expectedDepartureTime = "ExpectedDepartureTime"
    case actualDepartureTime = "ActualDepartureTime"
    case departureStatus = "DepartureStatus"
    case departurePlatformName = "DeparturePlatformName"
    case departureBoardingActivity = "DepartureBoardingActivity"
    case arrivalProximityText = "ArrivalProximityText"
    case presentableDistance = "PresentableDistance"
    // A situation.
    case ptSituationElement = "PtSituationElement"
    case situationNumber = "SituationNumber"
    case summary = "Summary"
    case description = "Description"
    case severity = "Severity"
    case publicationWindow = "PublicationWindow"
    case validityPeriod = "ValidityPeriod"
    case startTime = "StartTime"
    case endTime = "EndTime"
    case consequences = "Consequences"
    // The language of a text in JSON; in XML it is an attribute.
    case lang
    // Skipped: most bytes of a long response, without use for a board.
    case vehicleLocation = "VehicleLocation"
    case arrivalStopAssignment = "ArrivalStopAssignment"
    case departureStopAssignment = "DepartureStopAssignment"

    /// All names, by their indices in ``vocabulary``.
    static let all = Array(allCases)
    /// The names for the parser.
    static let vocabulary = XMLVocabulary(allCases.map(\.rawValue))
}
