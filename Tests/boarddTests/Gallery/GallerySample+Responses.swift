import BoardCore

// The responses of the operators.
extension GallerySample {
    /// The first stop, and the second.
    var first: StopID { StopID(feed: bus.name, code: "490008660N") }
    var second: StopID { StopID(feed: bus.name, code: "490000078A") }
    /// The station.
    var halt: StopID { StopID(feed: trains.name, code: station.code) }

    var favourites: [Favourite] {
        [Favourite(stop: first, label: stop.label), Favourite(stop: second, label: other.label)]
    }

    /// The buses of a stop.
    func response(
        _ stop: StopID, at moment: Timestamp = GalleryState.start + .seconds(3), alerts: [Alert] = []
    ) -> FeedResponse {
        let isFirst = stop == first
        let named = isFirst ? self.stop.rows : other.rows
        let away = isFirst ? [12, 280, 610, 700, 800, 4_000] : [150, 580]
        let departures = zip(named, away).enumerated().map { index, pair in
            let (row, seconds) = pair
            let due = moment + .seconds(seconds)
            let status: Departure.Status =
                switch index {
                case 3: .delayed
                case 4: .cancelled
                case 5: .scheduled(due)
                default: .expected(due)
                }
            let hasEstimate = index != 3 && index != 4
            return Departure(
                stop: stop, line: Line(id: row.line, name: row.line), destination: row.destination,
                vehicle: "LTZ" + row.line, platform: isFirst ? self.stop.letter : nil, booked: hasEstimate ? nil : due,
                status: status, madeAt: moment - .seconds(index == 2 ? 300 : 40), expiresAt: due + .seconds(30))
        }
        let name = isFirst ? self.stop.name : other.name
        return FeedResponse(
            stop: Stop(id: stop, name: name, letter: isFirst ? self.stop.letter : nil), departures: departures,
            alerts: alerts)
    }

    /// The first stop alone, with its lines of interest.
    var filtered: [Favourite] { [Favourite(stop: first, label: stop.label, lines: lines)] }

    /// Three departures of the first line, two of the second, one of the third.
    var frequent: FeedResponse {
        let moment = GalleryState.start + .seconds(3)
        let departures = [(0, 430), (0, 800), (0, 1_500), (1, 100), (1, 640), (2, 380)].map { index, away in
            let (line, destination) = stop.rows[index]
            return Departure(
                stop: first, line: Line(id: line, name: line), destination: destination, vehicle: "LTZ\(away)",
                status: .expected(moment + .seconds(away)), madeAt: moment - .seconds(40),
                expiresAt: moment + .seconds(away + 30))
        }
        return FeedResponse(stop: Stop(id: first, name: stop.name, letter: stop.letter), departures: departures)
    }

    /// The first trains of the station.
    func trains(_ count: Int = 7, at moment: Timestamp = GalleryState.start + .seconds(3), alerts: [Alert] = [])
        -> FeedResponse
    {
        FeedResponse(
            stop: Stop(id: halt, name: station.label), departures: (0..<count).map { train($0, at: moment) },
            alerts: alerts)
    }

    /// One of the trains.
    func train(_ index: Int, at moment: Timestamp) -> Departure {
        let booked = GalleryState.start + .seconds([180, 300, 480, 540, 780, 1_260, 4_320][index])
        let late = booked + .seconds(index == 1 ? 180 : 12)
        let status: Departure.Status =
            switch index {
            case 2: .delayed
            case 3: .cancelled
            case 5, 6: .scheduled(booked)
            default: .expected(late)
            }
        let attributes =
            index == 0
            ? TripAttributes(id: "run", coaches: 8, endsAt: calls.last)
            : TripAttributes(reason: reason, isReplacement: index == 4)
        return Departure(
            stop: halt, line: Line(id: "train", name: "train"), destination: station.destinations[index],
            platform: ["3", "4", nil, "7", nil, "12", "10a"][index], booked: booked, status: status,
            attributes: attributes,
            madeAt: moment - .seconds(40), expiresAt: late + .seconds(60))
    }

    /// The details of the first train: it has left its second call, and divides at the fifth, from where it is shorter.
    func details(at moment: Timestamp) -> TripDetails {
        let states: [CallingPoint.State] = [
            .called(moment - .seconds(900)), .called(moment - .seconds(240)),
            .expected(moment + .seconds(192)), .expected(moment + .seconds(900)), .delayed,
            .scheduled(moment + .seconds(2_400)),
        ]
        let points = zip(calls, states).enumerated().map { index, pair in
            CallingPoint(
                name: pair.0, code: index == 2 ? station.code : nil, state: pair.1,
                coaches: index < 4 ? 8 : 4)
        }
        let end = CallingPoint(name: station.destinations[1], state: .scheduled(moment + .seconds(3_000)))
        return TripDetails(
            calls: points, portions: [TripDetails.Portion(at: calls[4], calls: [end])], madeAt: moment,
            expiresAt: moment + .seconds(3_600))
    }

    /// An alert of the stop, and one of a line of interest or the trains.
    var activeAlerts: [Alert] {
        [
            Alert(alerts[0], severity: .information),
            Alert(alerts[1], lines: [lines[0], "train"], severity: .severe),
        ]
    }
}
