internal import BoardControl
internal import BoardService
internal import Logging
internal import ServiceLifecycle

/// The control socket as a service of the daemon.
struct ControlSocketService: Service {
    private let server: ControlServer

    init(path: String, log: RateLimitedLog, board: any BoardService) {
        server = ControlServer(path: path, board: board) { notice in
            switch notice {
            case .listening: log.debug("\(notice)")
            case .acceptingAgain: log.log(.notice, "\(notice)")
            case .withoutGroup, .cannotAccept: log.log(.warning, "\(notice)")
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
