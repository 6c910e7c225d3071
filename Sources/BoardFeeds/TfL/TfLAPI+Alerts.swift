internal import BoardCore
internal import BoardFormats

extension TfLAPI {
    /// All Underground statuses have 30 kB; the disruptions of a large interchange slightly more.
    private static let alertsLimit = 1_000_000
    /// Short, since the departures wait for the alerts that are fetched with them.
    private static let alertsTimeout: Duration = .seconds(5)
    /// A vehicle's predictions have 15 kB.
    private static let vehicleLimit = 500_000

    /// `/Line/{ids}/Status`: the status of lines.
    func status(of lines: [String]) async throws(FeedFailure) -> TfLLineStatus {
        let request = request(
            ["Line", lines.joined(separator: ","), "Status"], limit: Self.alertsLimit, timeout: Self.alertsTimeout)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLLineStatus(body, at: response.date ?? response.received)
        }
    }

    /// `/StopPoint/{code}/Disruption`: the disruptions of a stop, for a station including its parts.
    func disruptions(at code: String, isFamily: Bool) async throws(FeedFailure) -> [TfLDisruption] {
        let request = request(
            ["StopPoint", code, "Disruption"], query: isFamily ? [("getFamily", "true")] : [],
            limit: Self.alertsLimit, timeout: Self.alertsTimeout)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLDisruptions(body).disruptions
        }
    }

    /// `/Vehicle/{id}/Arrivals`: the next calls of a departure's vehicle; nil if there are none.
    func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        let request = request(["Vehicle", departure.vehicle, "Arrivals"], limit: Self.vehicleLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLVehicleArrivals(body, of: departure, response).tripDetails
        }
    }
}
