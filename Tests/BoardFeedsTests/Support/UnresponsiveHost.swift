import Glibc

/// A port on loopback that neither accepts nor rejects: its queue of connections is full.
struct UnresponsiveHost {
    private struct NoSocket: Error {}

    /// The port on 127.0.0.1.
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        // Linux accepts one connection into an empty queue, and further ones wait.
        let sockets = (0..<4).map { _ in socket(AF_INET, kind, 0) }
        self.sockets = sockets
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFull = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(sockets[0], address, length) == 0, listen(sockets[0], 0) == 0,
                    unsafe getsockname(sockets[0], address, &length) == 0
                else { return false }
                for client in sockets.dropFirst() { _ = unsafe connect(client, address, length) }
                return true
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isFull else {
            stop()
            throw NoSocket()
        }
    }

    /// Closes the port.
    func stop() { for socket in sockets { close(socket) } }
}
