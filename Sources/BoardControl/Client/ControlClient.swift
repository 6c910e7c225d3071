internal import FoundationEssentials

/// Asks a running board: what the commands use.
///
/// Each call is a connection of its own, and waits on a thread of its own.
public struct ControlClient: Sendable {
    /// The socket's place unless the environment says otherwise.
    public static let usualPath = "/run/boardd/control.sock"

    private let path: String
    private let patience: Duration

    /// A client; it connects when something is asked.
    ///
    /// - Parameters:
    ///   - path: the socket's place.
    ///   - patience: how long an answer may take in all.
    public init(path: String = ControlClient.usualPath, patience: Duration = .seconds(10)) {
        self.path = path
        self.patience = patience
    }

    /// Asks, and reads what is answered.
    func ask<Answer: Decodable>(
        _ method: String, _ target: String, body: [UInt8]? = nil, for type: Answer.Type = Answer.self
    ) async throws(ControlFailure) -> Answer {
        let answer = try await tell(method, target, body: body)
        do {
            return try JSONDecoder().decode(type, from: Data(answer))
        } catch {
            throw .notUnderstood("\(method) \(target)")
        }
    }

    /// Asks for something that is answered without words.
    @discardableResult
    func tell(_ method: String, _ target: String, body: [UInt8]? = nil) async throws(ControlFailure) -> [UInt8] {
        let exchange = ControlExchange(path: path, method: method, target: target, body: body, patience: patience)
        let answer = try await exchange.run()
        guard answer.status >= 300 || answer.status < 200 else { return answer.body }
        guard let refusal = try? JSONDecoder().decode(RefusalAnswer.self, from: Data(answer.body)) else {
            throw .notUnderstood("status \(answer.status) of \(method) \(target)")
        }
        throw .refused(
            ControlRefusal(
                ControlRefusal.Kind(status: answer.status) ?? (answer.status < 500 ? .malformed : .failed),
                refusal.error.message, candidates: refusal.error.candidates, faults: refusal.error.faults ?? []))
    }

    /// What goes into a body.
    func json(_ value: some Encodable) throws(ControlFailure) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .notUnderstood("a request that cannot be written as JSON")
        }
    }
}
