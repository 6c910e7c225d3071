internal import FoundationEssentials

/// Asks a running board: what the commands use.
///
/// Each call is a connection of its own, and waits on a thread of its own.
public struct ControlClient: Sendable {
    /// The socket's place unless the environment says otherwise.
    public static let defaultPath = "/run/boardd/control.sock"

    private let path: String
    private let timeout: Duration

    /// A client; it connects when something is asked.
    ///
    /// - Parameters:
    ///   - path: the socket's place.
    ///   - patience: how long an answer may take in all.
    public init(path: String = ControlClient.defaultPath, timeout: Duration = .seconds(10)) {
        self.path = path
        self.timeout = timeout
    }

    /// Asks, and reads what is answered.
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

    /// Asks for something that is answered without words.
    @discardableResult
    func send(_ method: String, _ target: String, body: [UInt8]? = nil) async throws(ControlClientError) -> [UInt8] {
        let exchange = ControlCall(path: path, method: method, target: target, body: body, timeout: timeout)
        let response = try await exchange.run()
        guard response.status >= 300 || response.status < 200 else { return response.body }
        guard let refusal = try? JSONDecoder().decode(ErrorResponse.self, from: Data(response.body)) else {
            throw .unexpectedResponse("status \(response.status) of \(method) \(target)")
        }
        throw .refused(
            ControlError(
                ControlError.Kind(status: response.status) ?? (response.status < 500 ? .malformed : .failed),
                refusal.error.message, candidates: refusal.error.candidates, faults: refusal.error.faults ?? []))
    }

    /// What goes into a body.
    func json(_ value: some Encodable) throws(ControlClientError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .unexpectedResponse("a request that cannot be written as JSON")
        }
    }
}
