internal import BoardCore

/// The keys of the two transports, which people mix up since both come from National Rail.
enum RailKey: CaseIterable, Hashable, Sendable {
    case board, details, darwin

    /// The shortest consumer key of the Rail Data Marketplace that is recognised; real ones have 48 and more.
    private static let shortestConsumerKey = 40
    /// The groups of a Darwin token, which is written as a UUID is.
    private static let tokenGroups = [8, 4, 4, 4, 12]

    /// The name in keys.env.
    var name: String {
        switch self {
        case .board: NationalRailFeed.boardKey
        case .details: NationalRailFeed.detailsKey
        case .darwin: NationalRailFeed.darwinToken
        }
    }

    /// What a person can do when the operator refuses the key, as the end of a sentence.
    func advice(onRejectionOf secret: Secret?) -> String {
        if let misplaced = secret.flatMap(misplaced) { return misplaced }
        switch self {
        case .board, .details:
            let product = self == .board ? "Live Departure Board" : "Service Details"
            return
                "it refuses the key: check \(name) in keys.env; it must be the consumer key (not the secret) of your "
                + "subscription to \(product) at raildata.org.uk; then restart boardd"
        case .darwin:
            return
                "it refuses the token: check \(name) in keys.env and restart boardd; new tokens are no longer given, "
                + "a key for \(NationalRailFeed.boardKey) is free at raildata.org.uk"
        }
    }

    /// What the look of a key says against its being this one, without the key; nil where nothing does.
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

    /// Whether a text is written as Darwin's tokens are: 8-4-4-4-12 hexadecimal digits.
    static func isDarwinToken(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == tokenGroups
            && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }

    /// Whether a text is written as the consumer keys of the Rail Data Marketplace are: many letters and digits.
    static func isConsumerKey(_ text: String) -> Bool {
        text.utf8.count >= shortestConsumerKey && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
