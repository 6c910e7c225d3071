internal import NIOCore

/// Reports errors of accept(2), which do not end the server: the next connection may be accepted.
///
/// NIO pauses for a second after each such error; the clients wait in the queue meanwhile.
final class AcceptErrorHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// The endpoint's name in messages.
    private let name: String
    private let report: @Sendable (ControlServerEvent) -> Void
    private var isFailing = false

    init(_ name: String, _ report: @escaping @Sendable (ControlServerEvent) -> Void) {
        self.name = name
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isFailing {
            isFailing = false
            report(.acceptingAgain(name))
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isFailing {
            isFailing = true
            report(.cannotAccept(name, code: (error as? IOError)?.errnoCode ?? 0))
        }
        context.fireErrorCaught(error)
    }
}
