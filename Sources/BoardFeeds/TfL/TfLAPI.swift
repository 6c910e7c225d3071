internal import BoardCore
internal import BoardFormats

/// The requests to TfL: those of the feed here, those of the catalogue and of alerts in extensions.
struct TfLAPI: Sendable {
    /// A busy stop's arrivals have 58 kB; a whole line's 320 kB.
    private static let arrivalsLimit = 1_000_000
    /// The largest interchanges, with all their entrances and facilities, have about 1 MB.
    private static let stopLimit = 2_000_000

    let base: HTTPURL
    let key: Secret?
    let transport: any HTTPTransport

    /// - Throws: ``FeedSettingFailure`` for a disallowed `url`.
    init(_ context: FeedContext) throws(FeedSettingFailure) {
        base = try context.address("url", default: TfLFeed.defaultURL)
        key = context.settings.secret(TfLFeed.keyName)
        transport = context.transport
    }

    /// Sends one request of a plan.
    func fetch(_ request: TfLRequestPlan.Request, for stop: StopID) async throws(FeedFailure) -> TfLDepartures {
        var departures =
            switch request {
            case .arrivals(let code): try await arrivals(at: code, for: stop)
            case .rail(let code, let line): try await departures(of: line, from: code, for: stop)
            }
        // An interchange has dozens of requests, and the departures of each are cached.
        departures.departures = departures.departures.soonest
        return departures
    }

    /// `/StopPoint/{code}/Arrivals`: all predictions at a bus stop or a station.
    func arrivals(at code: String, for stop: StopID) async throws(FeedFailure) -> TfLDepartures {
        let request = request(["StopPoint", code, "Arrivals"], limit: Self.arrivalsLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLArrivals(body, at: code, for: stop, response).result
        }
    }

    /// `/StopPoint/{code}/ArrivalDepartures?lineIds=`: the departures of one Elizabeth line or Overground line. The rows do
    /// not name their line, so that each line takes a request of its own.
    func departures(of line: Line, from code: String, for stop: StopID) async throws(FeedFailure) -> TfLDepartures {
        let request = request(
            ["StopPoint", code, "ArrivalDepartures"], query: [("lineIds", line.id)], limit: Self.arrivalsLimit)
        let (response, body) = try await fetch(request)
        return try read(body, of: request, response) { body throws(JSONFault) in
            try TfLArrivalDepartures(body, of: line, from: code, for: stop, response).result
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

    /// A request for `path`; `limit` and `timeout` apply to its response.
    func request(
        _ path: [String], query: [(name: String, value: String)] = [], limit: Int, timeout: Duration = .seconds(20)
    ) -> HTTPRequest {
        HTTPRequest(
            base.appending(path, query: query), secrets: key.map { [("app_key", $0)] } ?? [], limit: limit,
            timeout: timeout)
    }

    /// Sends a request and collects the response.
    func fetch(_ request: HTTPRequest) async throws(FeedFailure) -> (response: HTTPResponse, body: [UInt8]) {
        let reply = try await transport.fetch(request)
        guard reply.response.status == 200 else {
            throw FeedFailure(errorStatusOf: request, reply.response, body: reply.body, hasKey: key != nil)
        }
        return reply
    }

    /// Decodes a response; the failure describes the body, with TfL's message in it.
    func read<Value>(
        _ body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        _ decode: ([UInt8]) throws(JSONFault) -> Value
    ) throws(FeedFailure) -> Value {
        do {
            return try decode(body)
        } catch {
            let message = TfLStatusPolicy.operatorMessage(TfLStatusPolicy.message(in: body), request)
            throw FeedFailure(
                .unreadable, detail: "\(request.url): \(error.masked(in: body, of: request))\(message)")
        }
    }
}

/// The departures of one request.
struct TfLDepartures: Hashable, Sendable {
    /// The stop's name, as received.
    var name: String?
    /// The letter on the bus stop.
    var letter: String?
    var departures: [Departure] = []
    /// Malformed rows.
    var badRows = 0
    /// The operator's clock.
    var date: Timestamp?
}
