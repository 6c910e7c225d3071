internal import BoardCore

extension TfLAPI {
    /// All of the Underground's statuses have 30 kB; the notices of a large interchange some more.
    private static let alertsLimit = 1_000_000
    /// The departures wait for the alerts that are asked for with them, so that they may not be long in coming.
    private static let alertsTimeout: Duration = .seconds(5)
    /// A vehicle's predictions have 15 kB.
    private static let vehicleLimit = 500_000

    /// `/Line/{ids}/Status`: what is the matter with lines.
    func status(of lines: [String]) async throws(FeedFailure) -> TfLLineStatus {
        let request = request(
            ["Line", lines.joined(separator: ","), "Status"], limit: Self.alertsLimit, timeout: Self.alertsTimeout)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLLineStatus(body, at: response.date ?? response.received)
        }
    }

    /// `/StopPoint/{code}/Disruption`: what is the matter with a stop; of a station with parts, with them too.
    func disruptions(at code: String, isFamily: Bool) async throws(FeedFailure) -> [TfLDisruption] {
        let request = request(
            ["StopPoint", code, "Disruption"], query: isFamily ? [("getFamily", "true")] : [],
            limit: Self.alertsLimit, timeout: Self.alertsTimeout)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLDisruptions(body).disruptions
        }
    }

    /// `/Vehicle/{id}/Arrivals`: where the vehicle of a departure calls next; nil where nothing is told of it.
    func run(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        let request = request(["Vehicle", departure.vehicle, "Arrivals"], limit: Self.vehicleLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLVehicleArrivals(body, of: departure, response).service
        }
    }
}
