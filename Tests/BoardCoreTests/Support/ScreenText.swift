import BoardCore
import Testing

extension SimulatedBoard {
    /// Compares the display with an expected screen; the edges `|` mark the ends of rows.
    func shows(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect("\n" + text == "\n" + expected, sourceLocation: sourceLocation)
    }
}

extension BoardOptions {
    /// The default options but for a change.
    static func with(_ change: (inout BoardOptions) -> Void) -> BoardOptions {
        var options = BoardOptions()
        change(&options)
        return options
    }
}

extension DisplaySize {
    static let small = DisplaySize(columns: 16, rows: 2)
    static let usual = DisplaySize(columns: 20, rows: 4)
    static let wide = DisplaySize(columns: 40, rows: 2)
}

/// A stop with three lines, one estimate stale and one an hour away.
let oxford: SimulatedBoard.Operator = { request, time in
    .success(
        FeedResponse(
            stop: Stop(id: request.stop, name: "Oxford Street", letter: "N"),
            departures: [
                .bus("390", to: "Archway", in: .seconds(280), from: time, vehicle: "LTZ1002", stop: request.stop),
                .bus("73", to: "Oxford Circus", in: .seconds(12), from: time, vehicle: "LTZ1001", stop: request.stop),
                .bus(
                    "N73", to: "Walthamstow Central", in: .seconds(4_000), from: time, vehicle: "LTZ1003",
                    age: .seconds(400), stop: request.stop),
            ]))
}

/// A stop with these departures.
func departing(
    _ name: String? = nil, _ departures: @escaping @Sendable (FeedRequest, Timestamp) -> [Departure]
) -> SimulatedBoard.Operator {
    { request, time in
        .success(FeedResponse(stop: Stop(id: request.stop, name: name), departures: departures(request, time)))
    }
}

/// A stop with `count` buses, two minutes apart.
func buses(_ count: Int) -> SimulatedBoard.Operator {
    { request, time in
        .success(
            FeedResponse(
                stop: Stop(id: request.stop, name: "Oxford Street", letter: "N"),
                departures: (1...count).map { index in
                    .bus(
                        "\(index)", to: "Place \(index)", in: .seconds(120 * index + 10), from: time,
                        vehicle: "V\(index)", stop: request.stop)
                }))
    }
}

/// An operator that always fails with the same kind.
func failing(_ kind: FeedError.Kind) -> SimulatedBoard.Operator {
    { _, _ in .failure(FeedError(kind, detail: "simulated failure")) }
}

/// An operator that also reports alerts.
func reporting(_ alerts: [Alert], with respond: @escaping SimulatedBoard.Operator) -> SimulatedBoard.Operator {
    { request, time in
        respond(request, time)?.map { response in
            FeedResponse(stop: response.stop, departures: response.departures, alerts: alerts)
        }
    }
}
