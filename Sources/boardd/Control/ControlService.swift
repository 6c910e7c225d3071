internal import BoardControl
internal import Logging
internal import ServiceLifecycle

/// The control socket and the page as a service of the daemon.
struct ControlService: Service {
    private let server: ControlServer

    init(_ endpoints: [HTTPEndpoint], log: RateLimitedLog) {
        server = ControlServer(endpoints) { notice in
            switch notice {
            case .listening: log.debug("\(notice)")
            case .acceptingAgain: log.log(.notice, "\(notice)")
            case .withoutGroup, .cannotAccept, .disconnected: log.log(.warning, "\(notice)")
            }
        }
    }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await server.run()
        } onGracefulShutdown: {
            server.shutDown()
        }
    }
}
