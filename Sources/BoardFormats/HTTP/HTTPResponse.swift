public import BoardCore

/// The head of a response.
public struct HTTPResponse: Hashable, Sendable {
    /// The most bytes of headers; no operator sends a tenth of it.
    static let headerLimit = 131_072

    public struct Header: Hashable, Sendable {
        /// The name as received.
        public let name: String
        /// The value without surrounding white space.
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public let status: Int
    public let headers: [Header]
    /// This machine's wall clock at the last byte; for a recording, the clock of that time.
    public let received: Timestamp

    /// A sample of the operator's clock from `Date`; nil for a recording, for a response from a cache on the way, and without
    /// a `Date`.
    public let dateSample: DateSample?

    public init(status: Int, headers: [Header] = [], received: Timestamp, dateSample: DateSample? = nil) {
        self.status = status
        self.headers = headers
        self.received = received
        self.dateSample = dateSample
    }

    /// The first header of this name, ignoring case; nil if absent.
    public subscript(name: String) -> String? {
        let folded = name.lowercased()
        return headers.first { $0.name.lowercased() == folded }?.value
    }

    /// The operator's clock (`Date`), ± 1 s; nil if absent.
    public var date: Timestamp? {
        self["Date"].flatMap { Timestamp(httpDate: $0) }
    }

    /// The requested delay before a retry (`Retry-After`, in seconds or as a date), at most a day. Nil if absent, zero or in
    /// the past, so that an error response never causes an immediate retry.
    public var retryAfter: Duration? {
        guard let text = self["Retry-After"] else { return nil }
        let longest: Duration = .seconds(86_400)
        let wait: Duration
        if let seconds = Int64(text) {
            wait = .seconds(min(seconds, longest.components.seconds))
        } else if let until = Timestamp(httpDate: text) {
            wait = min(until - (date ?? received), longest)
        } else {
            return nil
        }
        return wait > .zero ? wait : nil
    }
}

extension HTTPResponse {
    /// Whether a cache on the way sent the response: `Date` then has the age that `Age` reports (RFC 9111 §5.1).
    var isCached: Bool { self["Age"].map { Int64($0) != 0 } ?? false }
}

extension HTTPResponse.Header {
    /// Parses "Name: value"; nil without a colon or a name.
    init?(line: some StringProtocol) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
        self.init(line[..<colon].trimmingBlanks(), line[line.index(after: colon)...].trimmingBlanks())
    }
}

extension StringProtocol {
    package func trimmingBlanks() -> String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}
