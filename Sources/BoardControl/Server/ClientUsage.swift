package import BoardCore
internal import NIOCore

/// Who sends requests.
package enum Peer: Hashable, Sendable {
    /// A process on this machine, over the Unix socket.
    case process
    case address(IPAddress)

    /// The address of a client of the network; nil: this machine, from which a proxy passes the requests of all clients.
    package var remote: IPAddress? {
        guard case .address(let address) = self, !address.isLoopback else { return nil }
        return address
    }

    /// Whose use is limited; nil: no one's.
    var limited: IPAddress? { remote?.own }
}

/// What the clients of an endpoint use now, on its event loop.
///
/// A connection counts until its last action has ended, which may be later than the connection: otherwise a client that always
/// disconnects at once would have any number of actions running.
final class ClientUsage {
    private struct Client {
        var connections = 0
        var streams = 0
        /// Requests that are allowed at `at`, and more by the rate since then.
        var allowed: Double
        var at: NIODeadline
    }

    private let limits: ControlLimits
    private var clients: [IPAddress: Client] = [:]
    private var connections = 0
    private var streams = 0

    init(_ limits: ControlLimits) {
        self.limits = limits
    }

    /// Whether one more connection is allowed; if so, counts it.
    func connect(_ peer: Peer) -> Bool {
        guard connections < limits.connections else { return false }
        if let address = peer.limited, let limit = limits.connectionsPerAddress {
            var client = client(address, at: .now())
            guard client.connections < Self.limit(limit, of: address) else { return false }
            client.connections += 1
            clients[address] = client
        }
        connections += 1
        return true
    }

    /// A network of IPv6 may be a whole household.
    private static func limit(_ limit: Int, of address: IPAddress) -> Int { address.isIPv4 ? limit : 2 * limit }

    /// A connection and its last action have ended.
    func disconnect(_ peer: Peer) {
        connections -= 1
        guard let address = peer.limited, var client = clients[address] else { return }
        client.connections -= 1
        clients[address] = client
        forget(at: .now())
    }

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

    /// Whether one more stream is allowed; if so, counts it.
    func openStream(_ peer: Peer) -> Bool {
        guard streams < limits.streams else { return false }
        if let address = peer.limited {
            var client = client(address, at: .now())
            guard client.streams < Self.limit(limits.streamsPerAddress, of: address) else { return false }
            client.streams += 1
            clients[address] = client
        }
        streams += 1
        return true
    }

    func closeStream(_ peer: Peer) {
        streams -= 1
        if let address = peer.limited { clients[address]?.streams -= 1 }
    }

    /// A client with the requests that it may send now.
    private func client(_ address: IPAddress, at now: NIODeadline) -> Client {
        let burst = Double(limits.rate?.burst ?? 0)
        guard var client = clients[address] else { return Client(allowed: burst, at: now) }
        let seconds = Double((now - client.at).nanoseconds) / 1e9
        client.allowed = min(burst, client.allowed + seconds * Double(limits.rate?.perSecond ?? 0))
        client.at = now
        return client
    }

    /// Forgets the clients that are not connected and may send a full burst again.
    private func forget(at now: NIODeadline) {
        for address in Array(clients.keys) {
            let client = client(address, at: now)
            let isFull = client.allowed >= Double(limits.rate?.burst ?? 0)
            clients[address] = client.connections == 0 && isFull ? nil : client
        }
    }
}
