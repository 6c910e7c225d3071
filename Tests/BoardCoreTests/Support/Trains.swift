import BoardCore

extension SimulatedBoard {
    /// An operator whose rows begin with the booked time.
    static let rail = FeedProfile(
        name: FeedName("tfl"), title: "Rail", attribution: "", suffixes: [], leadingColumn: .booked,
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
}

extension Departure {
    /// A train of one company in National Rail's form.
    ///
    /// - Parameters:
    ///   - minutes: the booked time in minutes after ``SimulatedBoard/start``.
    ///   - late: the delay.
    ///   - id: the operator's identifier of the trip.
    static func train(
        to destination: String, booked minutes: Int64, late: Duration = .zero, platform: String? = nil,
        id: String? = nil, madeAt: Timestamp, stop: StopID = .oxford
    ) -> Departure {
        let booked = SimulatedBoard.start + .seconds(60 * minutes)
        return Departure(
            stop: stop, line: Line(id: "GW", name: "Great Western"), destination: destination, platform: platform,
            booked: booked, status: .expected(booked + late), attributes: id.map { TripAttributes(id: $0) },
            madeAt: madeAt, expiresAt: booked + late + .seconds(120))
    }
}

/// An operator with these departures, made at the time of the request.
func trains(_ departures: @escaping @Sendable (Timestamp) -> [Departure]) -> SimulatedBoard.Operator {
    { request, time in
        .success(FeedResponse(stop: Stop(id: request.stop, name: "Paddington"), departures: departures(time)))
    }
}

extension BoardOptions {
    /// Options for a board that never returns home.
    static var staying: BoardOptions {
        var options = BoardOptions()
        options.returnHome = nil
        return options
    }
}
