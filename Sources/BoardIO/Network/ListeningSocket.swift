import BoardCore
import Glibc

/// A TCP socket that listens for the page. The receiver closes it.
public struct ListeningSocket: Hashable, Sendable {
    public let descriptor: Int32
    /// Where it listens, with the actual port.
    public let address: ServerAddress

    /// The maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 64

    /// Listens at an address of this machine; port 0: at a free port.
    public init(at address: ServerAddress) throws {
        func failure(_ number: Int32) -> PlainError { PlainError(Self.sentence(number, at: address)) }
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

    /// An open descriptor; nil if it is not a listening TCP socket.
    public init?(_ descriptor: Int32) {
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

    /// The address of an IPv4 or IPv6 socket.
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

/// The listening sockets that systemd opened for this program (sd_listen_fds(3)).
public struct InheritedSockets {
    /// The first descriptor that systemd passes: SD_LISTEN_FDS_START.
    public static let first: Int32 = 3

    /// The name in FileDescriptorName= of systemd/boardd-page.socket.
    private static let pageName = "page"

    /// The descriptors and their names, in systemd's order; none if they are for another process.
    let descriptors: [(descriptor: Int32, name: String)]

    /// - Parameters:
    ///   - pid: LISTEN_PID: the process they are for.
    ///   - count: LISTEN_FDS.
    ///   - names: LISTEN_FDNAMES, separated by colons; nil: the sockets have no names.
    public init(pid: String?, count: String?, names: String?, first: Int32 = Self.first) {
        guard let pid, pid == "\(getpid())", let number = count.flatMap(Int32.init), number > 0,
            number <= Int32.max - first
        else {
            descriptors = []
            return
        }
        let names = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        descriptors = (0..<number).prefix { $0 < Int32(Self.maximumCount) }.map { index in
            (first + index, names.indices.contains(Int(index)) ? names[Int(index)] : "")
        }
    }

    /// More than any unit of the board has: a number in the environment must not decide how long this program loops.
    private static let maximumCount = 64

    /// The sockets of the page. No program that this one starts inherits them, or the other passed descriptors.
    ///
    /// - Throws: if a descriptor with the page's name is not a listening TCP socket.
    public func page() throws -> [ListeningSocket] {
        for (descriptor, _) in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var sockets: [ListeningSocket] = []
        for (descriptor, name) in descriptors where name == Self.pageName {
            guard let socket = ListeningSocket(descriptor) else {
                throw PlainError(
                    "what systemd passed as \"\(name)\" is not a listening TCP socket: write a port as "
                        + "ListenStream= in boardd-page.socket (systemctl edit boardd-page.socket)")
            }
            sockets.append(socket)
        }
        return sockets
    }
}

/// Addresses in the form of the system calls.
enum SocketAddress {
    /// The address and the port to which a socket is bound; nil for a socket that is neither IPv4 nor IPv6.
    static func own(of descriptor: Int32) -> (IPAddress, UInt16)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe getsockname(descriptor, address, &length) == 0 else { return nil }
                return unsafe parts(of: address)
            }
        }
    }

    /// The address and the port in a structure of the system; nil for families other than IPv4 and IPv6.
    static func parts(of address: UnsafePointer<sockaddr>) -> (IPAddress, UInt16)? {
        let bytes = unsafe UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let inet = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
            return unsafe withUnsafeBytes(of: inet.sin_addr) { unsafe IPAddress(bytes: $0) }.map {
                ($0, UInt16(bigEndian: inet.sin_port))
            }
        case AF_INET6:
            let inet = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
            return unsafe withUnsafeBytes(of: inet.sin6_addr) { unsafe IPAddress(bytes: $0) }.map {
                ($0, UInt16(bigEndian: inet.sin6_port))
            }
        default: return nil
        }
    }
}
