public import BoardCore

/// What stood before the body.
public struct HTTPResponse: Hashable, Sendable {
    /// The most bytes of header lines that are taken; no operator sends a tenth of it.
    static let headerLimit = 131_072

    /// One header line.
    public struct Header: Hashable, Sendable {
        /// The name as received.
        public let name: String
        /// The value without white space around it.
        public let value: String

        /// A header line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status code: 200, 404 and so on.
    public let status: Int
    /// The header lines in their order.
    public let headers: [Header]
    /// This machine's wall clock when the last byte had come; of a recording, the clock of then.
    public let received: Timestamp

    /// When the operator said which `Date` it is; nil for a recording, for a response out of a cache on the way, and without a
    /// `Date`.
    public let dateSample: DateSample?

    /// A response.
    public init(status: Int, headers: [Header] = [], received: Timestamp, dateSample: DateSample? = nil) {
        self.status = status
        self.headers = headers
        self.received = received
        self.dateSample = dateSample
    }

    /// The first header of this name, in any case; nil when there is none.
    public subscript(name: String) -> String? {
        let folded = name.lowercased()
        return headers.first { $0.name.lowercased() == folded }?.value
    }

    /// The operator's clock (`Date`), ± 1 s; nil when it did not say.
    public var date: Timestamp? {
        self["Date"].flatMap { Timestamp(httpDate: $0) }
    }

    /// How long the operator asks to wait (`Retry-After`, in seconds or as a date), at most a day. Nil when it
    /// does not say, and when that time is zero or past: an operator that refuses is not asked again at once.
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
    /// Whether a cache on the way answered: `Date` is then as old as `Age` says (RFC 9111 §5.1).
    var isCached: Bool { self["Age"].map { Int64($0) != 0 } ?? false }
}

extension HTTPResponse.Header {
    /// Reads "Name: value"; nil where there is no colon, or nothing before it.
    init?(line: some StringProtocol) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
        self.init(line[..<colon].trimmingBlanks(), line[line.index(after: colon)...].trimmingBlanks())
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    func trimmingBlanks() -> String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}
