internal import BoardCore
internal import BoardFeeds

/// How long a busy stop's answer takes from its bytes to departures, by the feed that the product uses.
enum DecodeCost {
    /// Prints the departures of one answer and the microseconds of CPU that an answer takes, with a tab between them.
    ///
    /// - Parameters:
    ///   - file: the body.
    ///   - count: how often it is decoded.
    static func report(file: String, count: Int) async {
        do {
            let feed = try TfLFeed(
                FeedContext(
                    settings: FeedSettings(defaultsOf: TfLFeed.declaration),
                    transport: MemoryTransport(body: Files.read(file)), clock: StoppedClock(), zone: { _ in .utc }))
            let question = FeedQuestion(stop: StopID(feed: TfLFeed.name, code: "490008660N"))
            let rows = try await feed.departures(question).departures.count
            let began = ProcessCost.cpu
            for _ in 0..<count { _ = try await feed.departures(question) }
            let each = (ProcessCost.cpu - began).inMicroseconds / Double(count)
            print(rows, each.text(2), separator: "\t")
        } catch {
            print("boardd-bench: \(error)")
        }
    }
}

/// A clock at the instant of the answer.
struct StoppedClock: MachineClock {
    func now() -> Instant { Instant(microseconds: 0) }
    func reading() -> CorrectedClock.Reading {
        CorrectedClock.Reading(wall: Timestamp(seconds: 1_772_453_070), isSynchronised: true)
    }
}

/// Answers every question with the same body.
private struct MemoryTransport: HTTPTransport {
    let body: [UInt8]

    func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        do {
            try sink(body.span)
        } catch {
            throw HTTPFailure(.abandoned, of: request.url, detail: "\(error)")
        }
        return HTTPResponse(
            status: 200, headers: [.init("Date", "Mon, 02 Mar 2026 12:04:30 GMT")],
            received: Timestamp(seconds: 1_772_453_070))
    }
}
