internal import NIOCore

/// Hears when connections cannot be taken, which says nothing about the server: the next one may be.
///
/// NIO waits a second after each such error; the clients wait in the queue meanwhile.
final class AcceptErrorHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let report: @Sendable (ControlServerEvent) -> Void
    private var isRefusing = false

    init(_ report: @escaping @Sendable (ControlServerEvent) -> Void) {
        self.report = report
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRefusing {
            isRefusing = false
            report(.acceptingAgain)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isRefusing {
            isRefusing = true
            report(.cannotAccept(code: (error as? IOError)?.errnoCode ?? 0))
        }
        context.fireErrorCaught(error)
    }
}
