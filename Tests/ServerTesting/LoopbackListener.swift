import Glibc
import Testing

/// A socket that listens on a free port of loopback; the caller closes it.
///
/// - Parameter isBlocking: whether `accept` waits for a connection.
package func listenOnLoopback(isBlocking: Bool = true) throws -> (descriptor: Int32, port: UInt16) {
    let flags = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | flags), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
                && getsockname(descriptor, address, &length) == 0
        }
    }
    try #require(isBound)
    return (descriptor, UInt16(bigEndian: address.sin_port))
}
