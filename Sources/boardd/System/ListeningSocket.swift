internal import BoardCore
internal import BoardIO
internal import Glibc

/// A TCP socket that listens for the page. The receiver closes it.
struct ListeningSocket: Hashable {
    let descriptor: Int32
    /// Where it listens, with the real port.
    let address: ServerAddress

    /// The maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 64

    /// Listens at an address of this machine; port 0: at a free port.
    init(at address: ServerAddress) throws(StartError) {
        func failure(_ number: Int32) -> StartError {
            StartError(description: Self.sentence(number, at: address))
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address.host, "\(address.port)", &hints, &list) == 0, let info = unsafe list?.pointee
        else { throw failure(EADDRNOTAVAIL) }
        defer { unsafe freeaddrinfo(list) }
        let descriptor = unsafe socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(errno) }
        // A restart listens at once, although connections of the previous run still wait for their end (tcp(7)).
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0,
            unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, Self.backlog) == 0,
            let real = Self.address(of: descriptor)
        else {
            let number = errno
            close(descriptor)
            throw failure(number)
        }
        self.descriptor = descriptor
        self.address = real
    }

    /// An open descriptor; nil where it is no TCP socket that listens.
    init?(_ descriptor: Int32) {
        guard Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            Self.option(SO_ACCEPTCONN, of: descriptor) == 1, let address = Self.address(of: descriptor)
        else { return nil }
        self.descriptor = descriptor
        self.address = address
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// The address of a socket of IPv4 or IPv6.
    private static func address(of descriptor: Int32) -> ServerAddress? {
        guard let (address, port) = SocketAddress.own(of: descriptor) else { return nil }
        return ServerAddress(host: "\(address)", port: port)
    }

    private static func sentence(_ number: Int32, at address: ServerAddress) -> String {
        let other = "choose another port, such as --page \(ServerAddress(host: address.host, port: 8480))"
        let reason =
            switch number {
            case EADDRINUSE: "another program listens there: \(other)"
            case EACCES: "ports below 1024 need root: \(other)"
            case EADDRNOTAVAIL:
                "the address is not one of this machine: write 127.0.0.1 for this machine alone, or 0.0.0.0 for its networks"
            default: errnoText(number)
            }
        return "the page cannot listen at \(address): \(reason)"
    }
}
