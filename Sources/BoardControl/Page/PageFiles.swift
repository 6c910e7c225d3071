import BoardIO
import BoardService
import Glibc
import NIOCore
import NIOHTTP1

/// The files of the page, in a folder that may change while the daemon runs.
struct PageFiles: Sendable {
    let folder: String

    private static let maximumSize = 1_000_000
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "webmanifest": "application/manifest+json",
        "png": "image/png", "svg": "image/svg+xml",
    ]

    /// The types of files that are no documents of their own.
    static let partTypes = Set(["css", "js", "webmanifest", "png"].compactMap { types[$0] })

    /// The template of index.html.
    func template() async throws(ServiceError) -> String {
        guard let bytes = try await read("index.html") else {
            throw ServiceError(.failed, "\(folder)/index.html is missing: install the package boardd again")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The response to a request for a file, NAME or its gzip NAME.gz; 404 if there is none.
    func response(_ name: String, _ request: ControlRequest) async throws(ServiceError) -> ControlResponse {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, let type = Self.types[String(parts[1])], parts[1] != "html", Self.isPlain(parts[0]) {
            // The package has no compressed file of a picture.
            let coding = parts[1] == "png" ? [] : [ControlResponse.variesByCoding]
            if request.acceptsGzip, !coding.isEmpty, let bytes = try await read(name + ".gz") {
                return Self.response(bytes, type: type, coding: coding + [ControlResponse.gzipCoding], to: request)
            }
            if let bytes = try await read(name) {
                return Self.response(bytes, type: type, coding: coding, to: request)
            }
        }
        throw ServiceError(.notFound, "the page has no file \"\(RequestTarget.quoted(name))\"")
    }

    /// A response that the browser stores; its later requests have the tag, so that the same file is not sent again.
    private static func response(
        _ bytes: [UInt8], type: String, coding: [ControlResponse.Header], to request: ControlRequest
    ) -> ControlResponse {
        let digest = SHA256.hash(bytes).prefix(8).map { byte in
            String(UInt16(byte) + 0x100, radix: 16).dropFirst()
        }.joined()
        let tag = "\"\(digest)\""
        let headers = [.init(name: "ETag", value: tag), .init(name: "Cache-Control", value: "no-cache")] + coding
        let known = request.headers[canonicalForm: "if-none-match"].map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0 }
        if known.contains(where: { $0 == tag || $0 == "*" }) { return ControlResponse(status: 304, headers: headers) }
        return ControlResponse(status: 200, headers: headers, body: bytes, contentType: type)
    }

    private static func isPlain(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Nil: there is no such file.
    private func read(_ name: String) async throws(ServiceError) -> [UInt8]? {
        let path = "\(folder)/\(name)"
        return try await DedicatedThread.attempt("page") {
            do throws(FileError) {
                return try SmallFile.read(path, limit: Self.maximumSize).bytes
            } catch {
                guard error.number == ENOENT else { throw ServiceError(.failed, "\(path) cannot be read: \(error)") }
                return nil
            }
        }
    }
}
