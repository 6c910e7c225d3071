package import BoardIO
import NIOCore

/// Who sends requests.
package enum Peer: Hashable, Sendable {
    /// A process on this machine, over the Unix socket.
    case process
    case address(IPAddress)

    /// The address of a client on the network; nil: this machine, where a proxy passes on the requests of all clients.
    package var remote: IPAddress? {
        guard case .address(let address) = self, !address.isLoopback else { return nil }
        return address
    }

    /// Whose use is limited; nil: nobody's.
    var limited: IPAddress? { remote?.own }
}

/// What the clients of an endpoint are using now; on its event loop.
final class ClientUsage {
    private struct Use {
        var connections = 0
        var streams = 0
    }

    private struct Client {
        var use = Use()
        /// The requests allowed at `at`; the rate has added more since.
        var allowed: Double
        var at: NIODeadline
    }

    private let limits: ControlLimits
    private var all = Use()
    private var clients: [IPAddress: Client] = [:]

    init(_ limits: ControlLimits) { self.limits = limits }

    /// Whether one more connection is allowed; if so, counts it.
    func connect(_ peer: Peer) -> Bool {
        count(\.connections, of: peer, limits.connections, each: limits.connectionsPerAddress)
    }

    /// A connection and its last action have ended.
    func disconnect(_ peer: Peer) {
        discount(\.connections, of: peer)
        let now = NIODeadline.now()
        // Forgets the clients that are not connected and may send a full burst again.
        for address in Array(clients.keys) {
            let client = client(address, at: now)
            clients[address] = client.use.connections == 0 && client.allowed >= burst ? nil : client
        }
    }

    /// Whether one more stream is allowed; if so, counts it.
    func openStream(_ peer: Peer) -> Bool {
        count(\.streams, of: peer, limits.streams, each: limits.streamsPerAddress)
    }

    func closeStream(_ peer: Peer) { discount(\.streams, of: peer) }

    /// Counts a request.
    ///
    /// - Returns: the whole seconds until the next one is allowed; nil: it is allowed now.
    func request(from peer: Peer) -> Int? {
        guard let address = peer.limited, let rate = limits.rate else { return nil }
        var client = client(address, at: .now())
        defer { clients[address] = client }
        guard client.allowed >= 1 else { return Int((1 / Double(rate.perSecond)).rounded(.up)) }
        client.allowed -= 1
        return nil
    }

    private func count(_ kind: WritableKeyPath<Use, Int>, of peer: Peer, _ limit: Int, each: Int?) -> Bool {
        guard all[keyPath: kind] < limit else { return false }
        if let address = peer.limited {
            var client = client(address, at: .now())
            // An IPv6 network may be a whole household.
            if let each, client.use[keyPath: kind] >= (address.isIPv4 ? each : 2 * each) { return false }
            client.use[keyPath: kind] += 1
            clients[address] = client
        }
        all[keyPath: kind] += 1
        return true
    }

    private func discount(_ kind: WritableKeyPath<Use, Int>, of peer: Peer) {
        all[keyPath: kind] -= 1
        if let address = peer.limited { clients[address]?.use[keyPath: kind] -= 1 }
    }

    private var burst: Double { Double(limits.rate?.burst ?? 0) }

    /// A client with the requests that it may send now.
    private func client(_ address: IPAddress, at now: NIODeadline) -> Client {
        guard var client = clients[address] else { return Client(allowed: burst, at: now) }
        let seconds = Double((now - client.at).nanoseconds) / 1e9
        client.allowed = min(burst, client.allowed + seconds * Double(limits.rate?.perSecond ?? 0))
        client.at = now
        return client
    }
}
