internal import BoardCore

/// Invented stops and buses; a pure function of the time.
enum SampleOperator {
    static let profile = FeedProfile(
        name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data",
        suffixes: [" Underground Station"], interval: .seconds(30),
        quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// 2026-03-02T12:04:00Z, a Monday in winter: London's clocks show UTC.
    static let start = Timestamp(seconds: 1_772_453_040)
    static let panel = Panel.Size(columns: 20, rows: 4)

    static let oxford = Favourite(stop: StopID(feed: profile.name, code: "490008660N"), label: "Oxford St")
    static let euston = Favourite(stop: StopID(feed: profile.name, code: "490000078A"), label: "Euston Stn")
    static let angel = Favourite(stop: StopID(feed: profile.name, code: "490003134S"), label: "Angel")

    static let lines = ["73", "390", "N73"]
    private static let destinations = ["Stoke Newington", "Archway", "Walthamstow Central", "Oxford Circus"]

    /// Twelve buses, one every four and a half minutes, with varying estimates.
    static func response(to request: FeedRequest, at time: Timestamp) -> FeedResponse {
        let period: Int64 = 270
        let departures = (0..<12).map { index -> Departure in
            let number = time.seconds / period + Int64(index)
            let variation = (number &* 7_919 &+ time.seconds / 30 &* 104_729) % 50
            let due = Timestamp(seconds: number * period + variation)
            let line = lines[Int(number % 3)]
            return Departure(
                stop: request.stop, line: Line(id: line.lowercased(), name: line),
                destination: destinations[Int(number % 4)], vehicle: "V\(number)", status: .expected(due),
                madeAt: time - .seconds(35), expiresAt: due + .seconds(30))
        }
        return FeedResponse(
            stop: Stop(id: request.stop), departures: departures.filter { $0.expiresAt > time })
    }
}
