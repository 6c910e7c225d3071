internal import BoardCore
internal import BoardFormats

/// The parsed settings of an operator.
struct SIRIConfiguration: Sendable {
    /// The HTTP method and the format of the content.
    enum RequestFormat: String, CaseIterable, Sendable {
        case get, xml, soap
    }

    let title: String
    let url: HTTPURL
    let requestFormat: RequestFormat
    let parameters: SIRIParameters
    let stopParameter: String
    let requestor: String
    let key: APIKeyPlacement
    let window: Duration
    let options: SIRIResponse.Options

    /// Parses the settings of ``SIRIFeed/family``.
    ///
    /// - Throws: ``FeedSettingFailure`` without a URL, or for an invalid setting.
    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        title = settings.nonEmptyText("title") ?? String(name.description.dropFirst(SIRIFeed.familyName.count + 1))
        let rule =
            "must be the https address of the operator's Stop Monitoring, such as https://example.org/siri/sm.json"
        guard let address = settings.nonEmptyText("url") else { throw FeedSettingFailure(setting: "url", detail: rule) }
        url = try context.address(
            "url", address,
            rule: rule + "; put further parameters into parameters, a key into keys.env")
        requestFormat = try Self.choice("request", settings.nonEmptyText("request") ?? SIRIFeed.defaultRequest)
        parameters = try SIRIParameters(settings.nonEmptyText("parameters") ?? "", isElements: requestFormat != .get)
        stopParameter = settings.nonEmptyText("stop_parameter") ?? SIRIFeed.defaultStopParameter
        requestor = settings.nonEmptyText("requestor") ?? SIRIFeed.defaultRequestor
        key = APIKeyPlacement(
            settings, of: name,
            place: requestFormat == .get
                ? "key_header or key_parameter" : "key_header, key_parameter or requestor")
        window = settings.duration("window") ?? SIRIFeed.defaultWindow
        let zone: Zone? = if let name = settings.nonEmptyText("zone") { try context.zone(name) } else { nil }
        options = SIRIResponse.Options(
            zone: zone,
            lines: SIRILineNames(
                configured: try Self.names(settings.nonEmptyText("line_names") ?? ""),
                element: try Self.choice(
                    "line_element", settings.nonEmptyText("line_element") ?? SIRIFeed.defaultLineElement)),
            language: settings.nonEmptyText("language") ?? SIRIFeed.defaultLanguage,
            interval: settings.duration("interval") ?? SIRIFeed.defaultInterval)
    }

    /// The case named by a setting.
    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: String, _ text: String
    ) throws(FeedSettingFailure) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw FeedSettingFailure(
                setting: setting,
                detail: "\"\(text)\" must be " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Parses "STIF:Line::C01727:=C, STIF:Line::C01737:=H".
    private static func names(_ text: String) throws(FeedSettingFailure) -> [String: String] {
        var names: [String: String] = [:]
        for part in text.split(separator: ",") {
            // A reference may contain an equals sign, a name for the display does not.
            guard let sign = part.lastIndex(of: "="), sign != part.startIndex else {
                throw FeedSettingFailure(
                    setting: "line_names",
                    detail: "\"\(part.trimmingBlanks())\" must be a line's reference and what you call it, such as "
                        + "STIF:Line::C01727:=C, several with commas between them")
            }
            names[part[..<sign].trimmingBlanks()] = part[part.index(after: sign)...].trimmingBlanks()
        }
        return names
    }
}
