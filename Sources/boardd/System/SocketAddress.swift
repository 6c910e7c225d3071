internal import BoardCore
internal import Glibc

/// Addresses in the form of the system calls.
enum SocketAddress {
    /// The address and the port to which a socket is bound; nil for a socket that is neither of IPv4 nor of IPv6.
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

    /// The address and the port in a structure of the system; nil for other families than IPv4 and IPv6.
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
