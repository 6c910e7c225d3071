import LoopbackServer

extension LoopbackServer {
    /// A server that accepts every request and never responds.
    static func unresponsive() throws -> LoopbackServer {
        try LoopbackServer { _ in [.wait] }
    }

    /// The heads of the requests so far.
    var requests: [String] { record.requests }
}
