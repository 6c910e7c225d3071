internal import FoundationEssentials

/// The commands' client for a running board.
///
/// Each call uses its own connection and its own thread.
public struct ControlClient: Sendable {
    /// The path of the socket unless the environment sets another.
    public static let defaultPath = "/run/boardd/control.sock"

    private let path: String
    private let timeout: Duration

    /// A client; it connects with each request.
    ///
    /// - Parameters:
    ///   - path: the path of the socket.
    ///   - timeout: the longest time for a response.
    public init(path: String = ControlClient.defaultPath, timeout: Duration = .seconds(10)) {
        self.path = path
        self.timeout = timeout
    }

    /// Sends a request and decodes the response.
    func request<Response: Decodable>(
        _ method: String, _ target: String, body: [UInt8]? = nil, for type: Response.Type = Response.self
    ) async throws(ControlClientError) -> Response {
        let response = try await send(method, target, body: body)
        do {
            return try JSONDecoder().decode(type, from: Data(response))
        } catch {
            throw .unexpectedResponse("\(method) \(target)")
        }
    }

    /// Sends a request; returns the body of the response.
    @discardableResult
    func send(_ method: String, _ target: String, body: [UInt8]? = nil) async throws(ControlClientError) -> [UInt8] {
        let call = ControlCall(path: path, method: method, target: target, body: body, timeout: timeout)
        let response = try await call.run()
        guard response.status >= 300 || response.status < 200 else { return response.body }
        guard let failure = try? JSONDecoder().decode(ErrorResponse.self, from: Data(response.body)) else {
            throw .unexpectedResponse("status \(response.status) of \(method) \(target)")
        }
        throw .errorResponse(
            ControlError(
                ControlError.Kind(status: response.status) ?? (response.status < 500 ? .malformed : .failed),
                failure.error.message, candidates: failure.error.candidates, faults: failure.error.faults ?? []))
    }

    func json(_ value: some Encodable) throws(ControlClientError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .unexpectedResponse("a request that cannot be written as JSON")
        }
    }
}
