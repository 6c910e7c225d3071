import ServerTesting
import Testing

/// Sends one request on its own connection.
func request(
    _ served: RunningServer, _ method: String, _ target: String, body: String? = nil, type: String? = "application/json"
) async throws -> RawResponse {
    let client = try RawClient(served.path)
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if let body {
        text += "Content-Length: \(body.utf8.count)\r\n"
        if let type { text += "Content-Type: \(type)\r\n" }
    }
    try await client.send(text + "\r\n" + (body ?? ""))
    return try #require(try await client.response(), "\(method) \(target)")
}
