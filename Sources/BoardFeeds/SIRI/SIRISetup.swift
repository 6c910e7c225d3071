internal import BoardCore

/// What a person configured of an operator, read.
struct SIRISetup: Sendable {
    /// How an operator is asked.
    enum Form: String, CaseIterable, Sendable {
        case get, xml, soap
    }

    let title: String
    let url: HTTPURL
    let form: Form
    let parameters: SIRIParameters
    let stopParameter: String
    let requestor: String
    let key: PlacedKey
    let window: Duration
    let reading: SIRIAnswer.Reading

    /// Reads the settings of ``SIRIFeed/family``.
    ///
    /// - Throws: ``FeedSettingFailure`` where there is no address, or something cannot be read.
    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        func written(_ name: String) -> String? { settings.text(name).flatMap { $0.isEmpty ? nil : $0 } }
        title = written("title") ?? String(name.description.dropFirst(SIRIFeed.familyName.count + 1))
        let rule =
            "must be the https address of the operator's Stop Monitoring, such as https://example.org/siri/sm.json"
        guard let address = written("url") else { throw FeedSettingFailure(setting: "url", detail: rule) }
        url = try context.address(
            "url", address,
            rule: rule + "; what else is asked goes into parameters, a key into keys.env")
        form = try Self.choice("request", written("request") ?? SIRIFeed.defaultRequest)
        parameters = try SIRIParameters(written("parameters") ?? "", isElements: form != .get)
        stopParameter = written("stop_parameter") ?? SIRIFeed.defaultStopParameter
        requestor = written("requestor") ?? SIRIFeed.defaultRequestor
        key = PlacedKey(settings, of: name)
        window = settings.duration("window") ?? SIRIFeed.defaultWindow
        let zone: Zone? = if let name = written("zone") { try context.zone(name) } else { nil }
        reading = SIRIAnswer.Reading(
            zone: zone,
            lines: SIRILineNames(
                configured: try Self.names(written("line_names") ?? ""),
                element: try Self.choice("line_element", written("line_element") ?? SIRIFeed.defaultLineElement)),
            language: written("language") ?? SIRIFeed.defaultLanguage,
            interval: settings.duration("interval") ?? SIRIFeed.defaultInterval)
    }

    /// The case that a setting names.
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

    /// Reads "STIF:Line::C01727:=C, STIF:Line::C01737:=H".
    private static func names(_ text: String) throws(FeedSettingFailure) -> [String: String] {
        var names: [String: String] = [:]
        for part in text.split(separator: ",") {
            // A reference may have an equals sign, a name for the glass has none.
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
