internal import BoardCore

/// A response on its way to the broker.
struct OutgoingResponse: Hashable, Sendable {
    var response: SharedResponse
    let key: QueryKey
    let expiry: Duration

    /// The message, without the last departures and alerts of a response that is too long.
    var message: BrokerMessage {
        var current = response
        var payload = StableJSON.bytes(current)
        // The earliest departures are first in no feed's response.
        while payload.count > FleetMember.largestPayload, !current.departures.isEmpty || !current.alerts.isEmpty {
            current.departures = current.earliestDepartures(current.departures.count * 3 / 4)
            current.alerts = Array(current.alerts.prefix(current.alerts.count * 3 / 4))
            payload = StableJSON.bytes(current)
        }
        return BrokerMessage(
            topic: FleetTopic.response(key).text, payload: payload, isRetained: !response.isOwnFailure, expiry: expiry)
    }
}
