import BoardCore

extension FormatError {
    /// How much of a text that is neither JSON nor XML is read for its message: more than is quoted, so that no part of
    /// a key remains at the end.
    private static let maximumTextSize = 2_000

    /// The fault of a body that begins with neither JSON nor XML; nil otherwise.
    init?(siri body: [UInt8]) {
        guard let fault = FormatError(body: body, expecting: .jsonOrXML) else { return nil }
        // Some gateways send an error as a line of text.
        let text = String(validating: body.prefix(Self.maximumTextSize), as: UTF8.self)?.trimmingBlanks()
        self.init(fault.description, message: text.flatMap { $0.isEmpty ? nil : $0 })
    }
}

struct SIRIErrorCondition {
    enum Kind {
        case access, reference, noInformation, usage, unavailable, other
    }

    var kind = Kind.other
    var text: String?
}

extension SIRIErrorCondition {
    init(_ value: JSONValue) {
        let kinds: [(String, Kind)] = [
            ("AccessNotAllowedError", .access), ("InvalidDataReferencesError", .reference),
            ("NoInfoForTopicError", .noInformation), ("AllowedResourceUsageExceededError", .usage),
            ("ServiceNotAvailableError", .unavailable),
        ]
        let texts = ["ErrorText", "faultstring", "Text", "Description", "ErrorDescription"].flatMap(value.descendants)
            .compactMap(\.text)
        kind = kinds.first { !value.descendants($0.0).isEmpty }?.1 ?? .other
        // Some have a number where others have a sentence.
        text = texts.first { $0.contains(where: \.isLetter) } ?? texts.first
    }

    /// Words that indicate a key problem, in lower case.
    private static let keyWords = [
        "api key", "apikey", "api-key", "not authori", "unauthori", "access denied", "forbidden", "requestor",
        "authentication", "credential",
    ]
    /// Terms for a stop, each a whole word; `unknownWords` indicate an unknown one.
    private static let stopWords = [
        "stop", "stopcode", "stopid", "stoppoint", "stoppointref", "monitoringref", "monitoring ref",
        "monitoring point",
        "arrêt",
    ]
    private static let unknownWords = [
        "no such", "unknown", "not found", "invalid", "not valid", "does not exist", "doesn't exist", "not exist",
        "n'existe pas", "inconnu",
    ]

    /// Words soon after one of `noWords`, which begins a sentence saying that nothing is due.
    private static let dueWords = [
        "expected", "scheduled", "departure", "arrival", "visit", "information", "passage", "prévu", "abfahrt",
        "salida",
    ]
    private static let noWords = [
        "no", "aucun", "aucune", "pas", "keine", "ninguna", "ningún", "nothing", "rien", "nichts",
    ]

    /// The kind, derived from the text if the operator sends no specific one (`OtherError`, gateways).
    var meaning: Kind {
        guard kind == .other, let text = text?.lowercased() else { return kind }
        if Self.keyWords.contains(where: text.contains) { return .access }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        // The service's own name contains "stop".
        let others = zip(words, words.dropFirst() + [""]).filter { $0 != "stop" || $1 != "monitoring" }
        let line = " \(others.map { String($0.0) }.joined(separator: " ")) "
        let isStop = Self.stopWords.contains { line.contains(" \($0) ") }
        if isStop, Self.unknownWords.contains(where: text.contains) { return .reference }
        let isNothing = words.first.isSomeAnd { Self.noWords.contains(String($0)) }
        let isDue = words.dropFirst().prefix(3).contains { word in Self.dueWords.contains { word.hasPrefix($0) } }
        return isNothing && isDue && !words.contains("service") ? .noInformation : .other
    }

    /// The condition for a gateway's message and status. A server error is the gateway's own, not about keys or stops.
    init(gateway message: String?, _ response: HTTPResponse) {
        self.init(kind: ResponseError(status: response.status).isOfServer ? .unavailable : .other, text: message)
    }

    /// The error, from its meaning and the status of its response.
    func error(in response: HTTPResponse) -> ResponseError {
        let status = ResponseError(status: response.status)
        return switch (status, meaning) {
        case (.rateLimited, _), (_, .usage): .rateLimited
        case (.unauthorized, _), (_, .access), (.forbidden, .other): .unauthorized
        case (_, .reference): .unknownStop
        case (_, .noInformation) where !status.isOfServer: .unknownStop
        case (.notFound, _), (.redirect, _): status
        case (_, .unavailable): .unavailable
        default: response.isOK ? .serverError : status
        }
    }
}
