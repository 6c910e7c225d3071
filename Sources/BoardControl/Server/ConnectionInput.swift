import NIOCore

/// The first handler of a connection's pipeline: it limits the time of a phase, and sees input before the parser does.
///
/// One deadline is set at any time; a connection has no other timer, and without connections there is none.
final class ConnectionInput: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Runs at the first byte of the next request.
    var begun: (() -> Void)?
    /// Runs when the connection closes.
    var closed: (() -> Void)?
    /// Whether the connection ends when the client sends no more: the last response has begun.
    var isLast = false
    private var isDiscarding = false
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Limits the time of the phase that begins now, and no longer that of the one before.
    ///
    /// - Parameter expired: runs after that time; nil: the connection closes.
    func limit(_ time: Duration, _ expired: (() -> Void)? = nil) {
        deadline?.cancel()
        guard let context, context.channel.isActive else { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            if let expired { expired() } else { context.close(promise: nil) }
        }
    }

    /// A request has begun.
    func begin() {
        begun?()
        begun = nil
    }

    /// Reads and discards all further input, until the client sends no more.
    func discard() {
        (isLast, isDiscarding) = (true, true)
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDiscarding else { return }
        begin()
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The other side of the parser reads no more.
        if isDiscarding { context.read() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isLast, event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        closed?()
        // They refer to this handler.
        (begun, closed) = (nil, nil)
        context.fireChannelInactive()
    }
}
