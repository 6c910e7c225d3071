internal import BoardCore

/// The questions that are asked of TfL: the three of the board here, those of the catalogue in an extension.
struct TfLAPI: Sendable {
    /// A busy stop's arrivals have 58 kB; a whole line's 320 kB.
    private static let arrivalsLimit = 1_000_000
    /// The largest interchanges, with all their entrances and facilities, have about 1 MB.
    private static let stopLimit = 2_000_000

    let base: HTTPURL
    let key: Secret?
    let transport: any HTTPTransport

    /// What is configured and given.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` is no address that may be asked.
    init(_ context: FeedContext) throws(FeedSettingFailure) {
        base = try context.address("url", default: TfLFeed.defaultURL)
        key = context.settings.secret(TfLFeed.keyName)
        transport = context.transport
    }

    /// Asks for one part of a plan.
    func fetch(_ part: TfLRequestPlan.Request, for stop: StopID) async throws(FeedFailure) -> TfLDepartures {
        var told =
            switch part {
            case .arrivals(let code): try await arrivals(at: code, for: stop)
            case .rail(let code, let line): try await departures(of: line, from: code, for: stop)
            }
        // An interchange has dozens of parts, and the departures of each are cached.
        told.departures = told.departures.soonest
        return told
    }

    /// `/StopPoint/{code}/Arrivals`: everything that is predicted at a pole or a station.
    func arrivals(at code: String, for stop: StopID) async throws(FeedFailure) -> TfLDepartures {
        let request = request(["StopPoint", code, "Arrivals"], limit: Self.arrivalsLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLArrivals(body, at: code, for: stop, response).part
        }
    }

    /// `/StopPoint/{code}/ArrivalDepartures?lineIds=`: one line of the Elizabeth line or the Overground. The rows do
    /// not say which line they are of, so that each line is a question of its own.
    func departures(of line: Line, from code: String, for stop: StopID) async throws(FeedFailure) -> TfLDepartures {
        let request = request(
            ["StopPoint", code, "ArrivalDepartures"], query: [("lineIds", line.id)], limit: Self.arrivalsLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLArrivalDepartures(body, of: line, from: code, for: stop, response).part
        }
    }

    /// `/StopPoint/{code}`: a station with its parts.
    func stopPoint(_ code: String) async throws(FeedFailure) -> TfLStopPoint {
        let request = request(["StopPoint", code], limit: Self.stopLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLStopPoint(body)
        }
    }

    /// A question to `path`; `limit` and `timeout` are those of its answer.
    func request(
        _ path: [String], query: [(name: String, value: String)] = [], limit: Int, timeout: Duration = .seconds(20)
    ) -> HTTPRequest {
        HTTPRequest(
            base.appending(path, query: query), secrets: key.map { [("app_key", $0)] } ?? [], limit: limit,
            timeout: timeout)
    }

    /// Asks and collects the answer.
    func fetch(_ request: HTTPRequest) async throws(FeedFailure) -> (response: HTTPResponse, body: [UInt8]) {
        let answer = try await transport.fetch(to: request)
        guard answer.response.status == 200 else {
            throw FeedFailure(errorStatusOf: request, answer.response, body: answer.body, hasKey: key != nil)
        }
        return answer
    }

    /// Reads an answer; where it cannot be read, the failure says what it is instead, and what TfL says in it.
    func read<Value>(
        _ body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        _ decode: ([UInt8]) throws(JSONFault) -> Value
    ) throws(FeedFailure) -> Value {
        do {
            return try decode(body)
        } catch {
            let said = TfLStatusPolicy.operatorMessage(TfLStatusPolicy.message(in: body), request)
            throw FeedFailure(
                .unreadable, detail: "\(request.url): \(error.masked(in: body, of: request))\(said)")
        }
    }
}

/// What one request told.
struct TfLDepartures: Hashable, Sendable {
    /// The station's or pole's name, as received.
    var name: String?
    /// The letter on the pole.
    var letter: String?
    /// What leaves.
    var departures: [Departure] = []
    /// Rows that could not be read.
    var badRows = 0
    /// The operator's clock.
    var date: Timestamp?
}
