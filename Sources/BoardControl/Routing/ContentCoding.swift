import BoardCore
import CZlib
import NIOHTTP1

extension ControlRequest {
    /// Whether the client reads gzip (RFC 9110 §12.5.3).
    var acceptsGzip: Bool {
        var gzip: Bool?
        var others = false
        for item in headers[canonicalForm: "accept-encoding"] {
            let parts = item.lowercased().split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2) ?? "1"
            let isAccepted = Double(weight).isSomeAnd { $0 > 0 }
            switch parts.first {
            case "gzip", "x-gzip": gzip = isAccepted
            case "*": others = isAccepted
            default: break
            }
        }
        return gzip ?? others
    }
}

extension ControlResponse {
    /// For caches: the body depends on what the client reads.
    static let variesByCoding = Header(name: "Vary", value: "Accept-Encoding")
    static let gzipCoding = Header(name: "Content-Encoding", value: "gzip")
    /// The length in bytes from which compression saves a packet.
    private static let minimumLength = 1_024

    /// The response with its body as gzip, if the client reads it and the response may be compressed.
    ///
    /// 200 kB take a few milliseconds, and 260 kB of memory.
    func compressed(for request: ControlRequest) -> ControlResponse {
        guard isCompressible else { return self }
        var response = self
        response.headers.append(Self.variesByCoding)
        if request.acceptsGzip, let body, body.count >= Self.minimumLength, let gzip = Self.gzip(body) {
            response.headers.append(Self.gzipCoding)
            response.body = gzip
        }
        return response
    }

    /// Nil: the result is not shorter, or there is no memory.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let result = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { output, length in
            length = unsafe bytes.withUnsafeBufferPointer {
                unsafe czlib_gzip($0.baseAddress, $0.count, output.baseAddress, output.count)
            }
        }
        return result.isEmpty ? nil : result
    }
}
