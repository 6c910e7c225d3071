internal import BoardControl
internal import Logging
internal import ServiceLifecycle

/// The control socket as a service of the daemon.
struct ControlPoint: Service {
    private let server: ControlServer

    init(path: String, voice: FaultVoice, actions: BoardActions) {
        server = ControlServer(path: path, actions: actions) { notice in
            switch notice {
            case .listening: voice.debug("\(notice)")
            case .acceptsAgain: voice.say(.notice, "\(notice)")
            case .withoutGroup, .cannotAccept: voice.say(.warning, "\(notice)")
            }
        }
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await server.run() }
    }
}
