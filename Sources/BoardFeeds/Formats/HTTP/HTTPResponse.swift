public import BoardCore

/// The head of a response.
public struct HTTPResponse: Hashable, Sendable {
    /// The most bytes of headers; no operator sends a tenth of that.
    static let headerLimit = 131_072

    public struct Header: Hashable, Sendable {
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

    /// A sample of the operator's clock from `Date`; nil for a recording, for a response from a cache on the way, and
    /// without a `Date`.
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
    public var date: Timestamp? { self["Date"].flatMap { Timestamp(httpDate: $0) } }

    /// The requested delay before a retry (`Retry-After`, in seconds or as a date), at most a day. Nil if absent, zero
    /// or in the past, so an error response never causes an immediate retry.
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
    var isCached: Bool { self["Age"].isSomeAnd { Int64($0) != 0 } }
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

/// The body of a POST: XML in which keys are separate, so that printed and recorded text never contains one.
public struct HTTPContent: Sendable, CustomStringConvertible {
    public enum Piece: Sendable {
        /// XML.
        case text(String)
        /// A key, escaped as XML when sent.
        case secret(Secret)
        /// XML that differs between equal requests: a timestamp, an identifier, the requestor.
        case variable(String)
    }

    /// The `Content-Type`.
    public let type: String
    public let pieces: [Piece]

    /// The text on one line, with three stars for each key, whatever its length, and each variable: equal requests have
    /// equal descriptions.
    public var description: String {
        text(variable: { _ in "***" }) { _ in "***" }.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.joined(
            separator: " ")
    }

    /// The text as sent, with keys: for libcurl only.
    var revealed: String {
        text(variable: { $0 }) { XMLText.escaped($0.revealed) }
    }

    var secrets: [Secret] {
        pieces.compactMap { piece in
            if case .secret(let secret) = piece { secret } else { nil }
        }
    }

    private func text(variable: (String) -> String, _ reveal: (Secret) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .secret(let secret): reveal(secret)
            case .variable(let text): variable(text)
            }
        }.joined()
    }
}

/// Limits on the content of one response. ``HTTPRequest/limit`` counts bytes, these count decoded values: a response of
/// 4 kB can unpack to a million empty objects, each a row of half a kilobyte.
///
/// Every limit is several times the largest recorded value, and small enough that the worst response of any feed stays
/// far below the `MemoryMax=` of systemd/boardd.service (MemoryLimitTests).
package enum ResponseLimits {
    /// The most rows of one list; further ones count as bad rows. The longest recorded lists have 700 predictions, 290
    /// cancelled trips and 269 visits (a whole day at a busy stop).
    package static let rows = 5_000
    /// The most values of one document in JSON or XML, including members' names. Operators use at least 12 bytes a
    /// value, so this is 2.4 MB; the largest recorded document, 315 kB, has 18,000.
    package static let values = 200_000
    /// The same for a page of an operator's list of stops, of 1,000 entries: 536 recorded ones have 230,000 values.
    package static let listValues = 800_000
}
