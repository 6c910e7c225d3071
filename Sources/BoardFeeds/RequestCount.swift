import BoardCore
import Synchronization

/// Counts the HTTP requests of a feed for one response, whichever of its tasks sends them. A request that several
/// responses wait for counts for the one that sent it. Archives, downloaded by a transport of their own, do not count.
final class RequestCount: Sendable {
    /// The count for the current task and its child tasks; nil: nothing is counted.
    @TaskLocal private static var current: RequestCount?

    private let count = Atomic(0)

    /// Calls `departures`, and adds the number of requests to the response or the failure.
    static func counting(
        _ departures: () async throws(FeedError) -> FeedResponse
    ) async throws(FeedError) -> FeedResponse {
        let current = RequestCount()
        let result = await $current.withValue(current) { await Result(of: departures) }
        let requests = current.count.load(ordering: .relaxed)
        switch result {
        case .success(var response):
            response.requests = requests
            return response
        case .failure(var failure):
            failure.requests = requests
            throw failure
        }
    }

    fileprivate static func add() { current?.count.add(1, ordering: .relaxed) }
}

struct CountingTransport: HTTPTransport {
    private let inner: any HTTPTransport

    init(wrapping inner: any HTTPTransport) { self.inner = inner }

    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        RequestCount.add()
        return try await inner.get(request, body: body)
    }

    func hasRecorded(_ base: HTTPURL) -> Bool { inner.hasRecorded(base) }
}

extension Result {
    init(of body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
