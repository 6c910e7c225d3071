import BoardCore
import Testing

/// Compares the glass with a picture drawn in the test; the edges `|` show where rows end.
func expectGlass(_ hallway: Hallway, _ picture: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect("\n" + hallway.text == "\n" + picture, sourceLocation: sourceLocation)
}

extension Panel.Size {
    static let small = Panel.Size(columns: 16, rows: 2)
    static let usual = Panel.Size(columns: 20, rows: 4)
    static let wide = Panel.Size(columns: 40, rows: 2)
}

/// A stop with three lines, one estimate aged and one an hour away.
let oxford: Hallway.Operator = { request, time in
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

/// A stop with as many buses, two minutes apart.
func buses(_ count: Int) -> Hallway.Operator {
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

/// An operator that fails always in one way.
func failing(_ kind: FeedFailure.Kind) -> Hallway.Operator {
    { _, _ in .failure(FeedFailure(kind, detail: "told by a test")) }
}

/// An operator that also tells alerts.
func telling(_ alerts: [Alert], with answer: @escaping Hallway.Operator) -> Hallway.Operator {
    { request, time in
        answer(request, time)?.map { told in
            FeedResponse(stop: told.stop, departures: told.departures, alerts: alerts)
        }
    }
}
