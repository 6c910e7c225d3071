internal import BoardCore
internal import BoardFormats

/// A service of National Rail's boards: the same requests to either.
protocol RailAPI: Sendable {
    func board(_ request: RailBoardRequest) async throws(FeedFailure) -> (board: RailBoard, response: HTTPResponse)

    /// Fetches the calling points of a departure with an identifier; nil: it is no longer available.
    func serviceDetails(of departure: Departure, id: String) async throws(FeedFailure) -> (
        details: RailServiceDetails, response: HTTPResponse
    )?
}

struct RailBoardRequest: Hashable, Sendable {
    /// The most rows in a request without calling points: half an hour of the busiest station, 50 kB. The operator's own
    /// limit is 150.
    static let maxRows = 60
    /// The most rows in a response with calling points, whatever the request.
    static let maxDetailedRows = 10

    /// The most bytes of a response; the largest recorded one, 150 rows, has 172 kB.
    static let responseLimit = 2_000_000

    let code: String
    /// Only services that also call at this station.
    var towards: String?
    var rows = maxRows
    /// How far ahead the board begins, in minutes.
    var offset = 0
    /// How long the board is, in minutes.
    var window = 120

    /// The stations of the request, for an error message.
    var codes: String { towards.map { "\(code) or \($0)" } ?? code }

    /// Names and values in the order of the SOAP schema, which is a sequence; REST has `crs` in its path.
    var parameters: [(name: String, value: String)] {
        var parameters = [("numRows", String(rows)), ("crs", code)]
        if let towards { parameters += [("filterCrs", towards), ("filterType", "to")] }
        return parameters + [("timeOffset", String(offset)), ("timeWindow", String(window))]
    }
}
