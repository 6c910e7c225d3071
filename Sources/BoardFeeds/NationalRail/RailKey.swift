internal import BoardCore

/// The keys of the two services, which users confuse since both come from National Rail.
enum RailKey: CaseIterable, Hashable, Sendable {
    case board, details, darwin

    /// The shortest text recognised as a consumer key of the Rail Data Marketplace; real ones have 48 and more characters.
    private static let shortestConsumerKey = 40
    /// The groups of a Darwin token, which has the form of a UUID.
    private static let tokenGroups = [8, 4, 4, 4, 12]

    /// The name in keys.env.
    var name: String {
        switch self {
        case .board: NationalRailFeed.boardKey
        case .details: NationalRailFeed.detailsKey
        case .darwin: NationalRailFeed.darwinToken
        }
    }

    /// Advice to the user after a rejection, as the end of a sentence.
    func advice(onRejectionOf secret: Secret?) -> String {
        if let misplaced = secret.flatMap(misplaced) { return misplaced }
        switch self {
        case .board, .details:
            let product = self == .board ? "Live Departure Board" : "Service Details"
            return
                "key rejected: check \(name) in keys.env; it must be the consumer key (not the secret) of your "
                + "subscription to \(product) at raildata.org.uk; then restart boardd"
        case .darwin:
            return
                "token rejected: check \(name) in keys.env and restart boardd; new tokens are no longer given, "
                + "a key for \(NationalRailFeed.boardKey) is free at raildata.org.uk"
        }
    }

    /// A warning if the key has the format of another one, without the key; else nil.
    func misplaced(_ secret: Secret) -> String? {
        switch self {
        case .board, .details:
            guard Self.isDarwinToken(secret.revealed) else { return nil }
            return "\(name) looks like a Darwin token: put it into \(NationalRailFeed.darwinToken)"
        case .darwin:
            guard Self.isConsumerKey(secret.revealed) else { return nil }
            return "\(name) looks like a consumer key of the Rail Data Marketplace: put it into "
                + NationalRailFeed.boardKey
        }
    }

    static func isDarwinToken(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == tokenGroups
            && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }

    static func isConsumerKey(_ text: String) -> Bool {
        text.utf8.count >= shortestConsumerKey && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
