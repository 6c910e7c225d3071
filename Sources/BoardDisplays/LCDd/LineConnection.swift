import BoardCore
import BoardIO
import Glibc

/// A TCP connection to LCDd, on which both sides send lines. Every call ends at its deadline.
final class LineConnection {
    typealias Deadline = ContinuousClock.Instant

    /// LCDd's lines are shorter.
    private static let maximumLineLength = 1_024

    private let server: ServerAddress
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(to server: ServerAddress, until deadline: Deadline) throws(DeviceError) {
        self.server = server
        descriptor = try Self.connect(server, until: deadline)
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8], until deadline: Deadline) throws(DeviceError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                try wait(for: POLLOUT, after: errno, until: deadline)
            }
        }
    }

    /// The next line, without its end.
    func line(until deadline: Deadline) throws(DeviceError) -> String {
        while true {
            if let line = try arrivedLine(until: deadline) { return line }
            try wait(for: POLLIN, after: EAGAIN, until: deadline)
        }
    }

    /// The next line, if it has arrived; throws after the deadline, so that a caller that skips endless lines ends too.
    func arrivedLine(until deadline: Deadline) throws(DeviceError) -> String? {
        guard ContinuousClock.now < deadline else { throw fault(ETIMEDOUT) }
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard received.count <= Self.maximumLineLength else { throw fault(EMSGSIZE) }
            guard try receive() else { return nil }
        }
    }

    /// Receives what has arrived; returns whether there was anything.
    private func receive() throws(DeviceError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        let code = errno
        guard count != 0 else { throw fault(ECONNRESET) }
        guard count > 0 || code == EAGAIN || code == EINTR else { throw fault(code) }
        received += buffer.prefix(max(0, count))
        return count > 0
    }

    private func wait(for event: Int32, after code: Int32, until deadline: Deadline) throws(DeviceError) {
        try Self.wait(descriptor, of: server, for: event, after: code, until: deadline)
    }

    private func fault(_ code: Int32) -> DeviceError { Self.fault(code, of: server) }

    private static func fault(_ code: Int32, of server: ServerAddress) -> DeviceError {
        let description =
            switch code {
            case ECONNREFUSED: "LCDd does not listen at \(server): start it, or set [display] server to its address"
            case ETIMEDOUT: "LCDd at \(server) does not respond: restart it, and check the network to it"
            case ECONNRESET, EPIPE: "LCDd at \(server) closed the connection: check that it is running"
            case EMSGSIZE: "the server at \(server) is not LCDd: set [display] server"
            case EINVAL: "\(server) is not an address to connect to: set [display] server to LCDd's IP address and port"
            default: "LCDd at \(server): \(errnoText(code))"
            }
        return DeviceError(errno: code, description)
    }

    private static func connect(_ server: ServerAddress, until deadline: Deadline) throws(DeviceError) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(server.host, "\(server.port)", &hints, &list) == 0, let first = unsafe list else {
            throw fault(EINVAL, of: server)
        }
        defer { unsafe freeaddrinfo(first) }
        let address = unsafe first.pointee
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.ai_family, type, 0)
        guard descriptor >= 0 else { throw fault(errno, of: server) }
        do throws(DeviceError) {
            if unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
                let code = errno
                guard code == EINPROGRESS else { throw fault(code, of: server) }
                try wait(descriptor, of: server, for: POLLOUT, after: EAGAIN, until: deadline)
                var result: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &length)
                guard result == 0 else { throw fault(result, of: server) }
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Waits until the connection is ready, after a call that had to wait; throws for other error numbers.
    private static func wait(
        _ descriptor: Int32, of server: ServerAddress, for event: Int32, after code: Int32, until deadline: Deadline
    ) throws(DeviceError) {
        guard code == EAGAIN || code == EINTR else { throw fault(code, of: server) }
        let left = deadline - ContinuousClock.now
        guard left > .zero else { throw fault(ETIMEDOUT, of: server) }
        let (seconds, attoseconds) = left.components
        let milliseconds = Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) != 0 else { throw fault(ETIMEDOUT, of: server) }
    }
}
