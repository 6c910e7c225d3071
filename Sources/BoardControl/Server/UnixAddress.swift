internal import Glibc

/// The address of a Unix socket.
struct UnixAddress {
    /// The maximum length of a path in bytes; the last byte is the NUL.
    static let capacity = MemoryLayout<sockaddr_un>.size - offset - 1
    private static let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2

    private var address = sockaddr_un()
    private let length: socklen_t

    /// The address of a path; nil where it is too long or empty.
    init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.capacity, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        length = socklen_t(Self.offset + bytes.count + 1)
    }

    mutating func bind(_ descriptor: Int32) -> Int32 { unsafe call(Glibc.bind, descriptor) }

    mutating func connect(_ descriptor: Int32) -> Int32 { unsafe call(Glibc.connect, descriptor) }

    private mutating func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32
    ) -> Int32 {
        let length = length
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe function(descriptor, address, length)
            }
        }
    }
}
