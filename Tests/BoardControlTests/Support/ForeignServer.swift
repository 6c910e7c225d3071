import BoardIO
import BoardThreads
import FoundationEssentials
import Glibc
import Testing

@testable import BoardControl

/// A server on a Unix socket that is not boardd: it reads a request and sends a fixed text.
final class ForeignServer: Sendable {
    let path = "/tmp/boardd-foreign-\(UUID().uuidString.prefix(13)).sock"
    private let descriptor: Int32

    init(sending text: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = try #require(UnixAddress(path))
        try #require(address.bind(descriptor) == 0 && listen(descriptor, 4) == 0)
        let descriptor = descriptor
        try DedicatedThread.start("foreign") {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            _ = unsafe recv(client, &buffer, buffer.count, 0)
            let bytes = Array(text.utf8)
            _ = unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(client)
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        unsafe unlink(path)
    }
}
