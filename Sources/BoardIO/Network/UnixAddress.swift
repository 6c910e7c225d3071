import Glibc

public struct UnixAddress {
    /// The maximum length of a path in bytes; the last byte is the NUL.
    public static let capacity = MemoryLayout<sockaddr_un>.size - offset - 1
    private static let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2

    private var address = sockaddr_un()
    private let length: UInt32

    /// The address of a path; nil if it is too long or empty, or contains a NUL byte.
    public init?(_ path: String) {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        self.init(bytes: Array(path.utf8) + [0])
    }

    /// The address of a path or an abstract socket, whose name is written with @ and begins with a NUL byte (unix(7)).
    public init?(pathOrName text: String) {
        guard text.hasPrefix("@") else {
            self.init(text)
            return
        }
        self.init(bytes: [0] + text.utf8.dropFirst())
    }

    private init?(bytes: [UInt8]) {
        guard bytes.count <= Self.capacity + 1 else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        length = UInt32(Self.offset + bytes.count)
    }

    public mutating func bind(_ descriptor: Int32) -> Int32 {
        unsafe call { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    public mutating func connect(_ descriptor: Int32) -> Int32 {
        unsafe call { unsafe Glibc.connect(descriptor, $0, $1) }
    }

    /// Sends a datagram without waiting for room in the receiver's queue; returns whether it was sent.
    public mutating func send(_ text: String, over descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        return unsafe call { unsafe sendto(descriptor, bytes, bytes.count, flags, $0, $1) } >= 0
    }

    private mutating func call<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let length = length
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}
