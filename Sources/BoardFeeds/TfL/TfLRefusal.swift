internal import BoardCore

/// What TfL, or a gateway before it, says when it refuses.
enum TfLRefusal {
    /// How much of a message goes into a log line.
    private static let longestMessage = 200

    /// The `message` of an ApiError or of the gateway's own error; nil where the body is no such object.
    static func message(in body: [UInt8]) -> String? {
        var reader = JSONReader(body)
        var message: String?
        do throws(JSONError) {
            guard try reader.kind() == .object else { return nil }
            try reader.members { name, reader throws(JSONError) in
                if name == "message" { message = try reader.text() }
            }
        } catch {
            return nil
        }
        return message.map { String($0.prefix(longestMessage)) }
    }

    /// N of "Rate limit is exceeded. Try again in N seconds.", the words of Azure's gateway; nil where there are none.
    static func delay(in message: String) -> Duration? {
        let words = message.split(separator: " ")
        guard let unit = words.firstIndex(where: { $0.lowercased().hasPrefix("second") }), unit > words.startIndex,
            let seconds = Int64(words[words.index(before: unit)]), seconds >= 0
        else { return nil }
        return .seconds(min(seconds, 86_400))
    }

    /// What a body is that is not what was expected, by its first bytes.
    static func description(of body: [UInt8]) -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = body.dropFirst(body.starts(with: mark) ? 3 : 0).drop { $0 <= 0x20 }
        switch content.first {
        case nil: return "found an empty answer where JSON was expected"
        case UInt8(ascii: "<"): return "found HTML or XML where JSON was expected"
        case UInt8(ascii: "{"):
            let message = message(in: body).map { " that says \"\($0)\"" } ?? ""
            return "found a JSON object\(message) that is not as expected"
        case UInt8(ascii: "["): return "found a JSON array that is broken or cut short"
        case 0x1F: return "found compressed bytes where JSON was expected"
        default:
            let start = content.prefix(20).map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?" }
            return "found \"\(String(start))\" where JSON was expected"
        }
    }
}

extension FeedFailure {
    /// What a status other than 200 means.
    ///
    /// A refusal by 401 or 403 without a key is a missing one; with a key it is a wrong one. A 404 is final. A 429 waits
    /// as long as `Retry-After` says, else as the body's words say, else as the policy decides.
    init(refusalOf request: HTTPRequest, _ response: HTTPResponse, body: [UInt8], hasKey: Bool) {
        let message = TfLRefusal.message(in: body)
        let kind: Kind =
            switch response.status {
            case 401, 403: hasKey ? .keyRefused : .keyMissing
            case 404: .unknownStop
            case 429: .throttled(retryAfter: response.retryAfter ?? message.flatMap(TfLRefusal.delay))
            default: .status(response.status)
            }
        let said = message.map { ": " + request.masking($0) } ?? ""
        self.init(kind, detail: "\(request.url): status \(response.status)\(said)", date: response.date)
    }
}
