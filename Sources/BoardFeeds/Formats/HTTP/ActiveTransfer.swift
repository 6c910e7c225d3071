import BoardCore
import CCurl

/// A running transfer: the state that libcurl's callbacks write. Used only on libcurl's thread.
@safe
final class ActiveTransfer {
    /// A transfer below this many bytes a second has stalled: GSM's slowest data service carried ten times as many.
    private static let lowestSpeed = 100

    let transfer: QueuedTransfer
    let handle: CurlHandle
    private let clock: any MachineClock
    private let requested: Instant
    private var status = 0
    /// When the last `Date` header arrived.
    private var dateReceived: Instant?
    /// Whether the headers are complete; later header lines are trailers.
    private var isHeadComplete = false
    private var headers: [HTTPResponse.Header] = []
    private var headerBytes = 0
    private var received = 0
    /// Why a callback ended the transfer; libcurl reports only that one did.
    private var reason: HTTPError?
    private let message: UnsafeMutableBufferPointer<CChar>
    /// The request's headers, which libcurl reads until the transfer is done.
    private var lines: UnsafeMutablePointer<curl_slist>?

    init(_ transfer: QueuedTransfer, on handle: CurlHandle, clock: any MachineClock) {
        self.transfer = transfer
        self.handle = handle
        self.clock = clock
        requested = clock.now()
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0)
    }

    deinit {
        unsafe message.deallocate()
        unsafe curl_slist_free_all(lines)
    }

    /// Sets all options of this transfer on the handle; this object must outlive the transfer.
    func configure(_ engine: CurlEngine) -> CURLcode {
        let easy = unsafe handle.easy
        let request = transfer.request
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let isPlain = request.url.scheme == .http
        let userAgent = engine.userAgent + (request.contact.map { " (\($0))" } ?? "")
        var codes: [CURLcode] = [
            unsafe ccurl_set_text(easy, CURLOPT_URL, request.revealedURL),
            unsafe ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, isPlain ? "http" : "https"),
            unsafe ccurl_set_text(easy, CURLOPT_USERAGENT, userAgent),
            // Every coding that this libcurl supports; the body arrives decoded.
            unsafe ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""),
            unsafe ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0), unsafe ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            unsafe ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1),
            unsafe ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2),
            unsafe ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
            // Over TLS, wait for a connection to share by HTTP/2 instead of opening one for each stop.
            unsafe ccurl_set_long(easy, CURLOPT_PIPEWAIT, isPlain ? 0 : 1),
            unsafe ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            unsafe ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.milliseconds),
            unsafe ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, request.timeout.milliseconds),
            unsafe ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, Self.lowestSpeed),
            unsafe ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.stalledAfter.wholeSeconds))),
            unsafe ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limit)),
            unsafe ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message.baseAddress),
            unsafe ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
            unsafe ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION, receiveCurlHeader),
            unsafe ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
            unsafe ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION, receiveCurlBody),
        ]
        codes += setRequest()
        if isPlain && request.url.isLoopback { codes.append(unsafe ccurl_set_text(easy, CURLOPT_NOPROXY, "*")) }
        // By default Debian's libcurl also reads a folder next to the bundle, and with a folder it caches no parsed
        // certificates: each connection parsed all 140 again (19 ms of a PC's CPU) and stored them (0.8 MB). The folder
        // would also be trusted in addition to `certificates`, which must be the only ones.
        _ = unsafe ccurl_set_text(easy, CURLOPT_CAPATH, nil)
        if let file = engine.certificates { codes.append(unsafe ccurl_set_text(easy, CURLOPT_CAINFO, file)) }
        _ = unsafe ccurl_set_quick_exit(easy)
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private func setRequest() -> [CURLcode] {
        let request = transfer.request
        let easy = unsafe handle.easy
        var headers = request.headers.map { ($0.name, $0.value) }
        headers += request.secretHeaders.map { ($0.name, $0.value.revealed) }
        var codes: [CURLcode] = []
        if let content = request.content {
            // libcurl copies the text. An empty `Expect` sends it at once, without waiting for `100-continue`.
            headers += [("Content-Type", content.type), ("Expect", "")]
            codes.append(unsafe ccurl_set_text(easy, CURLOPT_COPYPOSTFIELDS, content.revealed))
        }
        for (name, value) in headers {
            // A line break would begin another header.
            let line = "\(name): \(value)".unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
            guard let longer = unsafe curl_slist_append(lines, String(String.UnicodeScalarView(line))) else {
                return [CURLE_OUT_OF_MEMORY]
            }
            unsafe lines = longer
        }
        if let lines = unsafe lines { codes.append(unsafe ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines)) }
        return codes
    }

    /// Receives a header line; false ends the transfer.
    func receiveHeader(_ line: Span<UInt8>) -> Bool {
        headerBytes += line.count
        guard headerBytes <= HTTPResponse.headerLimit else {
            let limit = HTTPResponse.headerLimit
            reason = failure(.unusable, "more than \(limit) bytes of headers")
            return false
        }
        let text = unsafe line.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        if text.hasPrefix("HTTP/") {
            // The first line of this response; earlier lines belong to an interim one (1xx).
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = []
            dateReceived = nil
            isHeadComplete = false
        } else if isHeadComplete {
            // A trailer field: no operator sends one, and a `Date` in it would not date the start of the body.
            return true
        } else if let header = HTTPResponse.Header(line: text) {
            headers.append(header)
            if header.name.lowercased() == "date" { dateReceived = clock.now() }
        } else if text.trimmingBlanks().isEmpty {
            isHeadComplete = true
        }
        return true
    }

    /// Receives a part of the body; false ends the transfer.
    func receiveBody(_ chunk: Span<UInt8>) -> Bool {
        received += chunk.count
        guard received <= transfer.request.limit else {
            reason = tooLarge
            return false
        }
        do {
            try transfer.body(chunk)
            return true
        } catch {
            reason = failure(.unusable, "the receiver rejected the body: \(error)")
            return false
        }
    }

    /// Resumes the waiting task.
    func end(_ failure: HTTPError?) {
        let response = response
        guard let failure else { return transfer.continuation.resume(returning: .success(response)) }
        transfer.continuation.resume(
            returning: .failure(
                HTTPError(
                    failure.kind, of: failure.url, detail: transfer.request.masking(failure.detail),
                    response: status == 0 ? nil : response)))
    }

    private var response: HTTPResponse {
        let plain = HTTPResponse(status: status, headers: headers, received: clock.reading().wall)
        guard let date = plain.date, let dateReceived, !plain.isCached,
            let sample = DateSample(
                host: transfer.request.url.authority, date: date, requested: requested, received: dateReceived)
        else { return plain }
        // A server on this machine most likely has this machine's clock, which its `Date` cannot confirm.
        let isOwnClock =
            transfer.request.url.isLoopback && sample.agrees(with: plain.received - (clock.now() - dateReceived))
        return HTTPResponse(
            status: status, headers: headers, received: plain.received, dateSample: isOwnClock ? nil : sample)
    }

    func failure(_ kind: HTTPError.Kind, _ detail: String) -> HTTPError {
        HTTPError(kind, of: transfer.request.url, detail: detail)
    }

    /// The failure for a libcurl result; nil for success.
    func failure(_ code: CURLcode) -> HTTPError? {
        if code == CURLE_OK { return nil }
        if let reason { return reason }
        if code == CURLE_FILESIZE_EXCEEDED { return tooLarge }
        let text = unsafe message.baseAddress.map { unsafe String(cString: $0) } ?? ""
        let standard = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "code \(code.rawValue)"
        return failure(unsafe HTTPError.Kind(code, of: handle.easy), text.isEmpty ? standard : text)
    }

    private var tooLarge: HTTPError {
        let limit = transfer.request.limit
        return failure(.unusable, "the body is larger than \(limit) bytes")
    }
}

extension Duration {
    /// Whole milliseconds for libcurl, at least one: to libcurl zero means "no limit".
    fileprivate var milliseconds: Int { max(1, Int(wholeMicroseconds / 1_000)) }
}

private let receiveCurlHeader: ccurl_receiver = { bytes, size, count, context in
    unsafe receive(bytes, size, count, context) { $0.receiveHeader($1) }
}

private let receiveCurlBody: ccurl_receiver = { bytes, size, count, context in
    unsafe receive(bytes, size, count, context) { $0.receiveBody($1) }
}

/// Passes bytes to their transfer; libcurl ends the transfer if the result differs from the number of bytes.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ handle: (ActiveTransfer, Span<UInt8>) -> Bool
) -> Int {
    let length = size * count
    guard let bytes = unsafe bytes, let context = unsafe context else { return length == 0 ? 0 : -1 }
    let activeTransfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: length) { pointer in
        let span = unsafe Span(_unsafeStart: pointer, count: length)
        return handle(activeTransfer, span) ? length : length &+ 1
    }
}
