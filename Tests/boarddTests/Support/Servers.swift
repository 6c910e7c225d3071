import LoopbackServer

extension LoopbackServer {
    /// A server that accepts every question and never answers.
    static func silent() throws -> LoopbackServer {
        try LoopbackServer { _ in [.wait] }
    }

    /// The heads of the requests so far.
    var requests: [String] { record.requests }
}
