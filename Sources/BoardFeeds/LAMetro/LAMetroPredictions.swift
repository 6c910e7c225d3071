internal import BoardCore
internal import BoardFormats

/// The response of `/agencies/{agency}/stops/{stop}/predictions/`: unordered predictions with relative times, which the
/// response's timestamp makes absolute.
struct LAMetroPredictions: Sendable {
    /// When the operator made it.
    let madeAt: Timestamp
    let predictions: [LAMetroPrediction]
    let badRows: Int

    init(_ body: [UInt8], _ response: HTTPResponse) throws(JSONFault) {
        let items = try LAMetroItems(body, LAMetroPrediction.init)
        predictions = items.rows.filter(\.isPlausible)
        badRows = items.bad
        madeAt = response.date ?? response.received
    }

    var routes: Set<String> { Set(predictions.map(\.route)) }

    func runs(of route: String) -> Set<String> {
        Set(predictions.lazy.filter { $0.route == route }.compactMap(\.run))
    }

    /// The departures.
    ///
    /// - Parameters:
    ///   - names: the routes by their identifiers.
    ///   - runs: the runs by their identifiers; a departure with an unknown run has no destination.
    func departures(
        at stop: StopID, names: [String: LAMetroRoute], runs: [String: LAMetroRun]
    ) -> [Departure] {
        predictions.map { prediction in
            let run = prediction.run.flatMap { runs[$0] }
            let due = madeAt + prediction.wait
            return Departure(
                stop: stop,
                line: names[prediction.route]?.line ?? Line(id: prediction.route, name: prediction.route),
                destination: run?.destination ?? "", direction: run?.direction, status: .expected(due),
                attributes: prediction.block.map { TripAttributes(id: "\(prediction.run ?? "")/\($0)") },
                madeAt: madeAt,
                expiresAt: due + LAMetroFeed.expiry.liveGrace)
        }
    }
}
