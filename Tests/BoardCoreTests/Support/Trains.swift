import BoardCore

extension Hallway {
    /// An operator whose rows begin with the booked time.
    static let rail = FeedProfile(
        name: FeedName("tfl"), title: "Rail", attribution: "", staleAfter: .seconds(180), suffixes: [],
        leadingColumn: .booked,
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
}

extension Departure {
    /// A train of one company, as National Rail tells of trains.
    ///
    /// - Parameters:
    ///   - minutes: booked so many minutes after ``Hallway/start``.
    ///   - late: how much later it goes.
    ///   - id: the operator's identifier of the run.
    static func train(
        to destination: String, booked minutes: Int64, late: Duration = .zero, platform: String? = nil,
        id: String? = nil, madeAt: Timestamp, stop: StopID = .oxford
    ) -> Departure {
        let booked = Hallway.start + .seconds(60 * minutes)
        return Departure(
            stop: stop, line: Line(id: "GW", name: "Great Western"), destination: destination, platform: platform,
            booked: booked, status: .expected(booked + late), attributes: id.map { TripAttributes(id: $0) },
            madeAt: madeAt,
            expiresAt: booked + late + .seconds(120))
    }
}

/// An operator that tells these departures, each made when it is asked.
func trains(_ told: @escaping @Sendable (Timestamp) -> [Departure]) -> Hallway.Operator {
    { request, time in
        .success(FeedResponse(stop: Stop(id: request.stop, name: "Paddington"), departures: told(time)))
    }
}

extension BoardOptions {
    /// A board that stays where a person left it.
    static var staying: BoardOptions {
        var options = BoardOptions()
        options.returnHome = nil
        return options
    }
}
