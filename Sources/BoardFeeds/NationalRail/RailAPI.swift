internal import BoardCore

/// How National Rail is asked: the same questions over either transport.
protocol RailAPI: Sendable {
    /// Asks for a station's departures.
    func board(_ question: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse)

    /// Asks for the calling points of a departure that has an identifier; nil: it is known no more.
    func run(of departure: Departure, id: String) async throws(FeedFailure) -> (
        run: RailServiceDetails, response: HTTPResponse
    )?
}

/// What is asked of a board.
struct RailBoardRequest: Hashable, Sendable {
    /// The most rows that are asked for without calling points: half an hour of the busiest station, 50 kB. The
    /// operator gives 150.
    static let mostRows = 60
    /// The most rows that are given with calling points, whatever is asked for.
    static let mostDetailedRows = 10

    /// The most bytes of an answer; the largest that was recorded, 150 rows, has 172 kB.
    static let answerLimit = 2_000_000

    /// The station.
    let code: String
    /// Only what calls there, too.
    var towards: String?
    /// How many rows.
    var rows = mostRows
    /// How many minutes ahead the board begins.
    var offset = 0
    /// How many minutes it covers.
    var window = 120

    /// The stations of the question, for an error.
    var codes: String { towards.map { "\(code) or \($0)" } ?? code }

    /// Names and values in the order of the SOAP schema, which is a sequence; `crs` is where REST has its path.
    var parameters: [(name: String, value: String)] {
        var parameters = [("numRows", String(rows)), ("crs", code)]
        if let towards { parameters += [("filterCrs", towards), ("filterType", "to")] }
        return parameters + [("timeOffset", String(offset)), ("timeWindow", String(window))]
    }
}
