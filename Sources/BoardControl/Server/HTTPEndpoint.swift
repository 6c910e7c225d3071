import BoardCore
package import BoardIO
import Glibc

/// Where a server listens, and how it responds there.
package struct HTTPEndpoint: Sendable {
    package enum Socket: Sendable {
        /// A Unix socket that the server makes and removes.
        case unix(path: String, group: String)
        /// A listening TCP descriptor, which stays open after the server ends. Clients at an address that is not served
        /// are disconnected.
        case network(Int32, isServed: @Sendable (IPAddress) -> Bool)
    }

    let socket: Socket
    /// The name in messages: "control socket /run/boardd/control.sock".
    let name: String
    let limits: ControlLimits
    /// Headers of every response, by its content type.
    let headers: @Sendable (String) -> [ControlResponse.Header]
    /// The most bytes of the body of a request, which may be more than ``ControlLimits/body``; nil: that.
    let maximumBody: @Sendable (ControlRequest) async -> Int?
    let respond: @Sendable (ControlRequest) async -> ControlResponse

    package init(
        _ socket: Socket, name: String, limits: ControlLimits,
        headers: @escaping @Sendable (String) -> [ControlResponse.Header] = { _ in [] },
        maximumBody: @escaping @Sendable (ControlRequest) async -> Int? = { _ in nil },
        respond: @escaping @Sendable (ControlRequest) async -> ControlResponse
    ) {
        self.socket = socket
        self.name = name
        self.limits = limits
        self.headers = headers
        self.maximumBody = maximumBody
        self.respond = respond
    }

    package static func control(
        path: String, group: String = ControlServer.defaultGroup, limits: ControlLimits = ControlLimits(),
        router: Router
    ) -> HTTPEndpoint {
        HTTPEndpoint(
            .unix(path: path, group: group), name: "control socket \(path)", limits: limits,
            maximumBody: { await router.maximumBody(of: $0) }
        ) { await router.response($0) }
    }

    func listen(report: @Sendable (ControlServerEvent) -> Void) throws -> OpenSocket {
        switch socket {
        case .unix(let path, let group):
            let socket = try ControlSocket(path: path, group: group, report: report)
            return OpenSocket(descriptor: socket.descriptor, remove: socket.remove)
        case .network(let descriptor, _):
            // NIO closes its descriptor, and the supervisor may start the server again.
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw PlainError("\(name): cannot be used: \(errnoText(errno))") }
            return OpenSocket(descriptor: copy, remove: {})
        }
    }
}

/// A listening descriptor, which its receiver closes.
struct OpenSocket: Sendable {
    let descriptor: Int32
    /// Removes the socket's file, if it has one.
    let remove: @Sendable () -> Void
}
