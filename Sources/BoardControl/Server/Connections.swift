internal import NIOCore

/// The open connections. Used on the event loop only.
final class Connections {
    var whenEmpty: () -> Void = {}

    private let maximum: Int
    private var served: [ObjectIdentifier: any Channel] = [:]
    private var rejected: [ObjectIdentifier: any Channel] = [:]

    enum Admission {
        case served
        /// It exceeds the limit and gets an error response.
        case rejected
        /// So many get that response already that it is closed without one.
        case none
    }

    /// - Parameter most: the maximum number of served connections, and of further ones that get an error response.
    init(maximum: Int) {
        self.maximum = maximum
    }

    var isEmpty: Bool { served.isEmpty && rejected.isEmpty }

    func add(_ channel: any Channel) -> Admission {
        let key = ObjectIdentifier(channel)
        if served.count < maximum {
            served[key] = channel
        } else if rejected.count < maximum {
            rejected[key] = channel
        } else {
            return .none
        }
        let admission: Admission = served[key] == nil ? .rejected : .served
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.served[key] = nil
            self.rejected[key] = nil
            if self.isEmpty { self.whenEmpty() }
        }
        return admission
    }

    /// Closes idle connections, and the others after their current response.
    func quiesce() {
        for channel in Array(served.values) + Array(rejected.values) {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    func close() {
        for channel in Array(served.values) + Array(rejected.values) { channel.close(promise: nil) }
    }
}
