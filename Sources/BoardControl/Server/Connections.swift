internal import NIOCore

/// The open connections. Used on the event loop only.
final class Connections {
    var whenEmpty: () -> Void = {}

    private let maximum: Int
    private var open: [ObjectIdentifier: (channel: any Channel, isServed: Bool)] = [:]

    enum Admission {
        case served
        /// It exceeds the limit and gets an error response.
        case rejected
        /// So many get that response already that it is closed without one.
        case none
    }

    /// - Parameter maximum: the maximum number of served connections, and of further ones that get an error response.
    init(maximum: Int) {
        self.maximum = maximum
    }

    var isEmpty: Bool { open.isEmpty }

    func add(_ channel: any Channel) -> Admission {
        let served = open.values.count(where: \.isServed)
        guard served < maximum || open.count - served < maximum else { return .none }
        let key = ObjectIdentifier(channel)
        open[key] = (channel, served < maximum)
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.open[key] = nil
            if self.isEmpty { self.whenEmpty() }
        }
        return served < maximum ? .served : .rejected
    }

    /// Closes idle connections, and the others after their current response.
    func quiesce() {
        for (channel, _) in open.values {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    func close() {
        for (channel, _) in open.values { channel.close(promise: nil) }
    }
}
