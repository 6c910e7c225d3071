internal import BoardCore
internal import BoardFormats

/// The configured request parameters beside the stop: "version=2, OperatorRef=MTA".
struct SIRIParameters: Sendable {
    /// Endings of parameter names that are keys, lower case and letters only: they belong in keys.env.
    private static let keys = ["key", "token", "secret", "password", "requestorref"]
    /// The elements of a request in the order of its schema, which is a sequence (SIRI 1.0 to 2.1).
    private static let elements = [
        "PreviewInterval", "StartTime", "MonitoringRef", "OperatorRef", "LineRef", "DirectionRef", "DestinationRef",
        "StopVisitTypes", "Language", "MaximumStopVisits", "MinimumStopVisitsPerLine", "MinimumStopVisitsPerLineVia",
        "MaximumTextLength", "StopMonitoringDetailLevel", "IncludeSituations",
    ]

    private(set) var items: [(name: String, value: String)]

    /// Parses the setting. A value may have blanks or percent-encoding, as in copied URLs: "MTA NYCT_B63" or
    /// "MTA%20NYCT_B63".
    ///
    /// - Throws: ``FeedSettingFailure`` if it is malformed or contains a key.
    init(_ text: String, isElements: Bool) throws(FeedSettingFailure) {
        items = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !part.contains("&"), let bytes = PercentEncoding.decoded(pair[1].trimmingBlanks()),
                let value = String(validating: bytes, as: UTF8.self)
            else {
                // The part may be a key: the message must not repeat it.
                throw Self.failure(
                    "found a part that is not name=value; write version=2, OperatorRef=MTA with a comma between two, not &"
                )
            }
            let name = pair[0].trimmingBlanks()
            guard !Self.keys.contains(where: name.lowercased().filter(\.isLetter).hasSuffix) else {
                throw Self.failure(
                    "\"\(name)\" is a key: put it into keys.env, and its name into key_parameter")
            }
            guard !isElements || name == "version" || Self.elements.contains(name) && name != "MonitoringRef" else {
                throw Self.failure(
                    "\"\(name)\" is not an element of an XML request, which are: version, "
                        + Self.elements.filter { $0 != "MonitoringRef" }.joined(separator: ", "))
            }
            // A query may repeat a name.
            guard !isElements || self[name] == nil else {
                throw Self.failure("\"\(name)\" is there twice, but an XML request has it once; leave one")
            }
            items.append((name, value))
        }
    }

    subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// A copy with one more parameter, unless it is configured.
    func adding(_ name: String, _ value: String) -> SIRIParameters {
        var more = self
        if self[name] == nil { more.items.append((name, value)) }
        return more
    }

    /// The parameters as XML elements in the order of the schema.
    func xml(prefix: String) -> String {
        Self.elements.flatMap { element in
            items.filter { $0.name == element }.map { item in
                "<\(prefix)\(element)>\(XMLText.escaped(item.value))</\(prefix)\(element)>"
            }
        }.joined()
    }

    private static func failure(_ detail: String) -> FeedSettingFailure {
        FeedSettingFailure(setting: "parameters", detail: detail)
    }
}
