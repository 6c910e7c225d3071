internal import BoardCore

/// The keys of the two services, by their names in keys.env. Users confuse them since both come from National Rail.
enum RailKey: String, CaseIterable, Sendable {
    case board = "RDM_BOARD_KEY"
    case details = "RDM_DETAILS_KEY"
    case darwin = "DARWIN_TOKEN"

    /// The shortest text recognised as a consumer key of the Rail Data Marketplace; real ones have 48 and more characters.
    private static let shortestConsumerKey = 40
    /// The groups of a Darwin token, which has the form of a UUID.
    private static let tokenGroups = [8, 4, 4, 4, 12]

    /// Advice to the user after a rejection, as the end of a sentence.
    func advice(onRejectionOf secret: Secret?) -> String {
        if let misplaced = secret.flatMap(misplaced) { return misplaced }
        switch self {
        case .board, .details:
            let product = self == .board ? "Live Departure Board" : "Service Details"
            return
                "key rejected: check \(rawValue) in keys.env; it must be the consumer key (not the secret) of your "
                + "subscription to \(product) at raildata.org.uk; then restart boardd"
        case .darwin:
            return
                "token rejected: check \(rawValue) in keys.env and restart boardd; new tokens are no longer given, "
                + "a key for \(Self.board.rawValue) is free at raildata.org.uk"
        }
    }

    /// A warning if the key has the format of another one, without the key; else nil.
    func misplaced(_ secret: Secret) -> String? {
        switch self {
        case .board, .details:
            guard Self.isDarwinToken(secret.revealed) else { return nil }
            return "\(rawValue) looks like a Darwin token: put it into \(Self.darwin.rawValue)"
        case .darwin:
            guard Self.isConsumerKey(secret.revealed) else { return nil }
            return "\(rawValue) looks like a consumer key of the Rail Data Marketplace: put it into "
                + Self.board.rawValue
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
