internal import BoardCore
internal import NIOCore

extension SocketAddress {
    /// The address for the limits of one client; nil: there are none, for a client of the Unix socket, and for this machine, from
    /// which a proxy passes the requests of all clients.
    var limitedAddress: String? {
        guard let address = ipAddress.flatMap({ IPAddress($0) }), !address.isLoopback else { return nil }
        return address.description
    }
}

/// What the clients of an endpoint use now, on its event loop.
final class ClientUsage {
    private struct Client {
        var connections = 0
        var streams = 0
        /// Requests that are allowed at `at`, and more by the rate since then.
        var allowed: Double
        var at: NIODeadline
    }

    private let limits: ControlLimits
    private var clients: [String: Client] = [:]
    private var streams = 0

    init(_ limits: ControlLimits) {
        self.limits = limits
    }

    /// Whether one more connection from `address` is allowed; if so, counts it.
    func connect(_ address: String?) -> Bool {
        guard let address, let limit = limits.connectionsPerAddress else { return true }
        var client = client(address, at: .now())
        guard client.connections < limit else { return false }
        client.connections += 1
        clients[address] = client
        return true
    }

    func disconnect(_ address: String?) {
        guard let address, var client = clients[address] else { return }
        client.connections -= 1
        clients[address] = client
        forget(at: .now())
    }

    /// Counts a request.
    ///
    /// - Returns: the whole seconds until the next one is allowed; nil: it is allowed now.
    func request(from address: String?) -> Int? {
        guard let address, let rate = limits.rate else { return nil }
        var client = client(address, at: .now())
        defer { clients[address] = client }
        guard client.allowed >= 1 else { return Int((1 / Double(rate.perSecond)).rounded(.up)) }
        client.allowed -= 1
        return nil
    }

    /// Whether one more stream is allowed; if so, counts it.
    func openStream(_ address: String?) -> Bool {
        guard streams < limits.streams else { return false }
        if let address {
            var client = client(address, at: .now())
            guard client.streams < limits.streamsPerAddress else { return false }
            client.streams += 1
            clients[address] = client
        }
        streams += 1
        return true
    }

    func closeStream(_ address: String?) {
        streams -= 1
        if let address { clients[address]?.streams -= 1 }
    }

    /// A client with the requests that it may send now.
    private func client(_ address: String, at now: NIODeadline) -> Client {
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
