internal import BoardCore

/// The answer of `/agencies/{agency}/stops/{stop}/predictions/`: predictions in no order, of which nothing is absolute. What
/// time they mean is fixed here, by the moment of the answer.
struct LAMetroPredictions: Sendable {
    /// How long a departure is shown past its estimate.
    private static let grace: Duration = .seconds(30)

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

    /// The routes that are predicted, each once.
    var routes: Set<String> { Set(predictions.map(\.route)) }

    /// The runs that are predicted of a route.
    func runs(of route: String) -> Set<String> {
        Set(predictions.lazy.filter { $0.route == route }.compactMap(\.run))
    }

    /// What leaves.
    ///
    /// - Parameters:
    ///   - names: what the routes are called, by their identifiers.
    ///   - runs: the runs by their identifiers; a departure whose run is not known has no destination.
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
                expiresAt: due + Self.grace)
        }
    }
}
