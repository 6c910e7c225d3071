internal import BoardCore

/// What LA Metro's old API, or what stands in its place, says when it refuses.
enum LAMetroStatusPolicy {
    private static let longestMessage = 200

    /// The words of a refusal; nil where there are none.
    private static func message(in body: [UInt8]) -> String? {
        guard let row = try? JSONDocument(body).row() else { return nil }
        return row.text("message") ?? row.text("detail") ?? row.text("error")
    }

    /// The operator's words as the end of a sentence.
    static func operatorMessage(_ body: [UInt8], _ request: HTTPRequest) -> String {
        message(in: body).map { "; it says: " + request.quoting($0, upTo: longestMessage) } ?? ""
    }

    /// That there is nobody to ask.
    static let noAddress = FeedFailure(
        .unknownStop,
        detail:
            "LA Metro's own address of this API, api.metro.net, was retired: set url in boardd.toml, [feed.lametro], to "
            + "what still speaks it, or use LA Metro's GTFS ([feed.gtfs.lametro], see docs/cities.md)",
        requests: 0)
}

extension FeedFailure {
    /// What a status other than 200 means.
    ///
    /// - Parameters:
    ///   - setting: the setting that names the address.
    ///   - stop: the stop that was asked about; nil: the question was about something else.
    init(
        laMetroStatusOf request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8], setting: String,
        stop: LAMetroStopCode?
    ) {
        let kind: Kind
        let advice: String
        switch response.status {
        case 404 where stop != nil:
            kind = .unknownStop
            advice =
                "it knows no stop \(stop?.code ?? ""), or does not speak LA Metro's old API: check the code in "
                + "favourites.toml, and \(setting) in boardd.toml, [feed.lametro]"
        case 429:
            kind = .rateLimited(retryAfter: response.retryAfter)
            advice = "too many requests: poll less often or have fewer favourites"
        case 500...:
            kind = .status(response.status)
            advice = "it is out of order: boardd goes on asking"
        default:
            kind = .status(response.status)
            advice = "check \(setting) in boardd.toml, [feed.lametro]"
        }
        self.init(
            kind,
            detail:
                "\(request.url): status \(response.status), \(advice)\(LAMetroStatusPolicy.operatorMessage(body, request))",
            retryAfter: response.retryAfter)
    }

    /// An answer that is not what the format promises.
    init(
        laMetroUnreadable fault: JSONFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse,
        setting: String
    ) {
        self.init(
            .unreadable,
            detail: "\(request.url): \(fault.masked(in: body, of: request)); if that stays so, check \(setting) in "
                + "boardd.toml, [feed.lametro]\(LAMetroStatusPolicy.operatorMessage(body, request))")
    }
}
