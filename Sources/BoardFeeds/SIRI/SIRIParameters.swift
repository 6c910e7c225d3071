internal import BoardCore

/// What an operator is asked beside the stop: "version=2, OperatorRef=MTA".
struct SIRIParameters: Sendable {
    /// How the names of parameters end that are keys, in small letters and without signs: they belong into keys.env.
    private static let keys = ["key", "token", "secret", "password", "requestorref"]
    /// The elements of a question in the order of its schema, which is a sequence (SIRI 1.0 to 2.1).
    private static let elements = [
        "PreviewInterval", "StartTime", "MonitoringRef", "OperatorRef", "LineRef", "DirectionRef", "DestinationRef",
        "StopVisitTypes", "Language", "MaximumStopVisits", "MinimumStopVisitsPerLine", "MinimumStopVisitsPerLineVia",
        "MaximumTextLength", "StopMonitoringDetailLevel", "IncludeSituations",
    ]

    private(set) var items: [(name: String, value: String)]

    /// Reads the setting. Blanks and percent signs in a value are taken as people copy them, "MTA NYCT_B63" or
    /// "MTA%20NYCT_B63".
    ///
    /// - Throws: ``FeedSettingFailure`` where it cannot be read, or holds a key.
    init(_ text: String, isElements: Bool) throws(FeedSettingFailure) {
        items = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !part.contains("&"), let value = Self.decoded(pair[1].trimmingBlanks()) else {
                // It may be a key, and is not repeated.
                throw Self.failure(
                    "found a part that is not name=value; write version=2, OperatorRef=MTA with a comma between two, not &"
                )
            }
            let name = pair[0].trimmingBlanks()
            guard !Self.keys.contains(where: name.lowercased().filter(\.isLetter).hasSuffix) else {
                throw Self.failure(
                    "\"\(name)\" is a key: put it into keys.env, and say in key_parameter what it is called")
            }
            guard !isElements || name == "version" || Self.elements.contains(name) && name != "MonitoringRef" else {
                throw Self.failure(
                    "\"\(name)\" is no element of a question in XML, which are: version, "
                        + Self.elements.filter { $0 != "MonitoringRef" }.joined(separator: ", "))
            }
            // Of a query several of a name may be meant.
            guard !isElements || self[name] == nil else {
                throw Self.failure("\"\(name)\" is there twice, and a question in XML has it once; leave one")
            }
            items.append((name, value))
        }
    }

    /// The value of a parameter; nil: it is not among them.
    subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// The same with one more, unless a person wrote it.
    func adding(_ name: String, _ value: String) -> SIRIParameters {
        var more = self
        if self[name] == nil { more.items.append((name, value)) }
        return more
    }

    /// As elements of XML in the order of the schema.
    func written(_ prefix: String) -> String {
        Self.elements.flatMap { element in
            items.filter { $0.name == element }.map { item in
                "<\(prefix)\(element)>\(XMLText.escaped(item.value))</\(prefix)\(element)>"
            }
        }.joined()
    }

    private static func failure(_ detail: String) -> FeedSettingFailure {
        FeedSettingFailure(setting: "parameters", detail: detail)
    }

    /// Text with what is written as %XX (RFC 3986 §2.1); nil where it is none.
    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let number = UInt8(String(Substring(digits)), radix: 16) else { return nil }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
