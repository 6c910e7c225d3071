internal import BoardCore
internal import CCurl

/// One transfer as libcurl carries it out: what its callbacks write into. Lives on the thread of libcurl alone.
@safe
final class ActiveTransfer {
    /// A transfer of fewer bytes a second is stalled: GSM's slowest data service carried ten times as many.
    private static let lowestSpeed = 100

    let transfer: QueuedTransfer
    let handle: CurlHandle
    private let clock: any MachineClock
    private let requested: Instant
    private var status = 0
    /// When the last `Date` line arrived.
    private var dateReceived: Instant?
    /// Whether the headers are complete; lines after that are trailers.
    private var isHeadComplete = false
    private var headers: [HTTPResponse.Header] = []
    private var headerBytes = 0
    private var received = 0
    /// Why a callback ended the transfer; libcurl itself only knows that it did.
    private var reason: HTTPFailure?
    /// Where libcurl writes what went wrong.
    private let message: UnsafeMutableBufferPointer<CChar>
    /// The request's header lines, which libcurl reads until the transfer is done.
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

    /// Writes everything about this transfer into the handle; the exchange must outlive the transfer.
    func configure(_ options: CurlEngine.Options) -> CURLcode {
        let easy = unsafe handle.easy
        let request = transfer.request
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let isLocal = request.url.scheme == .http
        let userAgent = options.userAgent + (request.contact.map { " (\($0))" } ?? "")
        var codes: [CURLcode] = [
            unsafe ccurl_set_text(easy, CURLOPT_URL, request.revealedURL),
            unsafe ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, isLocal ? "http" : "https"),
            unsafe ccurl_set_text(easy, CURLOPT_USERAGENT, userAgent),
            // Every coding that this libcurl was built with; the body comes decoded.
            unsafe ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""),
            unsafe ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            unsafe ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            unsafe ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1),
            unsafe ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2),
            unsafe ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
            // Over TLS, wait for a connection that HTTP/2 may share instead of opening one a stop.
            unsafe ccurl_set_long(easy, CURLOPT_PIPEWAIT, isLocal ? 0 : 1),
            unsafe ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            unsafe ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.milliseconds),
            unsafe ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, request.timeout.milliseconds),
            unsafe ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, Self.lowestSpeed),
            unsafe ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, Int(request.stalledAfter.wholeSeconds))),
            unsafe ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limit)),
            unsafe ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, message.baseAddress),
            unsafe ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
            unsafe ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION, takeCurlHeader),
            unsafe ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
            unsafe ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION, takeCurlBody),
        ]
        codes += sent()
        if isLocal { codes.append(unsafe ccurl_set_text(easy, CURLOPT_NOPROXY, "*")) }
        // Debian's libcurl looks into a folder beside the bundle unless told otherwise, and with a folder it keeps no parsed
        // certificates: each connection read all 140 anew (19 ms of a PC's CPU) and held them (0.8 MB). The folder would
        // also be trusted beside `certificates`, which are to stand alone.
        _ = unsafe ccurl_set_text(easy, CURLOPT_CAPATH, nil)
        if let file = options.certificates { codes.append(unsafe ccurl_set_text(easy, CURLOPT_CAINFO, file)) }
        _ = unsafe ccurl_set_quick_exit(easy)
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// Writes the request's header lines and what it posts into the handle.
    private func sent() -> [CURLcode] {
        let request = transfer.request
        let easy = unsafe handle.easy
        var headers = request.headers.map { ($0.name, $0.value) }
        headers += request.secretHeaders.map { ($0.name, $0.value.revealed) }
        var codes: [CURLcode] = []
        if let content = request.content {
            // libcurl copies the text, and sends it at once instead of asking whether it may (`Expect: 100-continue`).
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

    /// Takes one header line; false ends the transfer.
    func takeHeader(_ line: Span<UInt8>) -> Bool {
        headerBytes += line.count
        guard headerBytes <= HTTPResponse.headerLimit else {
            let limit = HTTPResponse.headerLimit
            reason = failure(.tooLarge(limit: limit), "more than \(limit) bytes of headers")
            return false
        }
        let text = unsafe line.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        if text.hasPrefix("HTTP/") {
            // The first line of this response; what came before was an interim one (1xx).
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = []
            dateReceived = nil
            isHeadComplete = false
        } else if isHeadComplete {
            // A trailer field: no operator sends one, and a `Date` in it would say nothing of the start of the body.
            return true
        } else if let header = HTTPResponse.Header(line: text) {
            headers.append(header)
            if header.name.lowercased() == "date" { dateReceived = clock.now() }
        } else if text.trimmingBlanks().isEmpty {
            isHeadComplete = true
        }
        return true
    }

    /// Takes a piece of the body; false ends the transfer.
    func takeBody(_ chunk: Span<UInt8>) -> Bool {
        received += chunk.count
        guard received <= transfer.request.limit else {
            reason = tooLarge
            return false
        }
        do {
            try transfer.body(chunk)
            return true
        } catch {
            reason = failure(.bodyRejected, "the body was refused: \(error)")
            return false
        }
    }

    /// Answers the task.
    func end(_ failure: HTTPFailure?) {
        let response = response
        guard let failure else { return transfer.continuation.resume(returning: .success(response)) }
        transfer.continuation.resume(
            returning: .failure(
                HTTPFailure(
                    failure.kind, of: failure.url, detail: transfer.request.masking(failure.detail),
                    response: status == 0 ? nil : response)))
    }

    /// What came before the body.
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

    /// The failure of a transfer that somebody ended.
    func cancelled(_ detail: String) -> HTTPFailure {
        failure(.cancelled, detail)
    }

    /// A failure of this transfer.
    func failure(_ kind: HTTPFailure.Kind, _ detail: String) -> HTTPFailure {
        HTTPFailure(kind, of: transfer.request.url, detail: detail)
    }

    /// What a result of libcurl means for this transfer; nil for success.
    func failure(_ code: CURLcode) -> HTTPFailure? {
        if code == CURLE_OK { return nil }
        if let reason { return reason }
        if code == CURLE_FILESIZE_EXCEEDED { return tooLarge }
        let text = unsafe message.baseAddress.map { unsafe String(cString: $0) } ?? ""
        let standard = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "code \(code.rawValue)"
        return failure(unsafe HTTPFailure.Kind(code, of: handle.easy), text.isEmpty ? standard : text)
    }

    private var tooLarge: HTTPFailure {
        let limit = transfer.request.limit
        return failure(.tooLarge(limit: limit), "the body is larger than \(limit) bytes")
    }
}

extension Duration {
    /// Whole milliseconds for libcurl, at least one: to it, zero means "for ever".
    fileprivate var milliseconds: Int {
        max(1, Int(wholeMicroseconds / 1_000))
    }
}

/// libcurl's call with one header line.
private let takeCurlHeader: ccurl_receiver = { bytes, size, count, context in
    unsafe hand(bytes, size, count, context) { $0.takeHeader($1) }
}

/// libcurl's call with a piece of the body.
private let takeCurlBody: ccurl_receiver = { bytes, size, count, context in
    unsafe hand(bytes, size, count, context) { $0.takeBody($1) }
}

/// Hands bytes to their exchange; libcurl ends the transfer when fewer bytes are taken than there were.
private func hand(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
    to receive: (ActiveTransfer, Span<UInt8>) -> Bool
) -> Int {
    let length = size * count
    guard let bytes = unsafe bytes, let context = unsafe context else { return length == 0 ? 0 : -1 }
    let activeTransfer = unsafe Unmanaged<ActiveTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: length) { pointer in
        let span = unsafe Span(_unsafeStart: pointer, count: length)
        return receive(activeTransfer, span) ? length : length &+ 1
    }
}
