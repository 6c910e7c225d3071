internal import NIOCore

/// The connections that are open. Lives on the event loop.
final class Connections {
    /// Is called when the last one is gone.
    var whenEmpty: () -> Void = {}

    private let most: Int
    private var served: [ObjectIdentifier: any Channel] = [:]
    private var refused: [ObjectIdentifier: any Channel] = [:]

    /// What becomes of a new connection.
    enum Admission {
        /// It is served.
        case served
        /// It is one too many, and is told so.
        case refused
        /// So many are being told that already that it is closed without a word.
        case none
    }

    /// - Parameter most: how many are served at once, and how many beyond them are told that they are too many.
    init(most: Int) {
        self.most = most
    }

    /// Whether there are none.
    var isEmpty: Bool { served.isEmpty && refused.isEmpty }

    /// Takes a new connection, until it closes.
    func take(_ channel: any Channel) -> Admission {
        let key = ObjectIdentifier(channel)
        if served.count < most {
            served[key] = channel
        } else if refused.count < most {
            refused[key] = channel
        } else {
            return .none
        }
        let place: Admission = served[key] == nil ? .refused : .served
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.served[key] = nil
            self.refused[key] = nil
            if self.isEmpty { self.whenEmpty() }
        }
        return place
    }

    /// Closes those on which nothing is under way, and the others after the answer under way.
    func quiesce() {
        for channel in Array(served.values) + Array(refused.values) {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Closes all.
    func close() {
        for channel in Array(served.values) + Array(refused.values) { channel.close(promise: nil) }
    }
}
