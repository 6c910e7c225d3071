internal import BoardCore
internal import BoardFormats

/// A Stop Monitoring request, in the configured format.
struct SIRIRequest: Sendable {
    /// The most bytes of a response; the largest recorded one, a whole day at a busy stop, has 803 kB.
    private static let responseLimit = 2_000_000
    /// The content type of SOAP 1.1, which all of SIRI's services support (SIRI 2.0, part 2, WSDL).
    private static let type = "text/xml; charset=utf-8"
    private static let soap = "http://schemas.xmlsoap.org/soap/envelope/"
    private static let services = "http://wsdl.siri.org.uk"
    private static let schema = "http://www.siri.org.uk/siri"
    /// The name space of version 1.0, which Traveline still uses.
    private static let firstSchema = "http://www.siri.org.uk/"
    private static let defaultVersion = "2.0"

    let configuration: SIRIConfiguration
    /// The operator's code of the stop.
    let stop: String
    /// Whether the calls before and after the stop are requested.
    var withCalls = false
    /// The request's timestamp, which does not identify it.
    let moment: Timestamp

    var request: HTTPRequest {
        let key = configuration.key
        var parameters = configuration.parameters
        if withCalls { parameters = parameters.adding("StopMonitoringDetailLevel", "calls") }
        guard configuration.requestFormat != .get else {
            let query = parameters.items + [(configuration.stopParameter, stop)]
            return HTTPRequest(
                configuration.url.appending([], query: query), secrets: key.items, secretHeaders: key.headers,
                limit: Self.responseLimit)
        }
        let minutes = configuration.window.components.seconds / 60
        parameters = parameters.adding("PreviewInterval", "PT\(minutes)M").adding("MonitoringRef", stop)
        let isSOAP = configuration.requestFormat == .soap
        return HTTPRequest(
            configuration.url, secrets: key.items,
            headers: isSOAP ? [.init("SOAPAction", "\"GetStopMonitoring\"")] : [], secretHeaders: key.headers,
            content: HTTPContent(type: Self.type, isSOAP ? envelope(parameters) : plain(parameters)),
            limit: Self.responseLimit)
    }

    private func plain(_ parameters: SIRIParameters) -> [HTTPContent.Piece] {
        let version = XMLText.escaped(parameters["version"] ?? Self.defaultVersion)
        let schema = version.hasPrefix("1.0") ? Self.firstSchema : Self.schema
        return [.text("<Siri xmlns=\"\(schema)\" version=\"\(version)\"><ServiceRequest>")]
            + head("", withIdentifier: false)
            + [.text("<StopMonitoringRequest version=\"\(version)\">")]
            + stamps("")
            + [.text(parameters.xml(prefix: "") + "</StopMonitoringRequest></ServiceRequest></Siri>")]
    }

    private func envelope(_ parameters: SIRIParameters) -> [HTTPContent.Piece] {
        let version = XMLText.escaped(parameters["version"] ?? Self.defaultVersion)
        return [
            .text(
                "<soap:Envelope xmlns:soap=\"\(Self.soap)\"><soap:Body><sw:GetStopMonitoring xmlns:sw=\"\(Self.services)\" "
                    + "xmlns:siri=\"\(Self.schema)\"><ServiceRequestInfo>")
        ] + head("siri:", withIdentifier: true)
            + [.text("</ServiceRequestInfo><Request version=\"\(version)\">")]
            + stamps("siri:")
            + [
                .text(
                    parameters.xml(prefix: "siri:")
                        + "</Request><RequestExtension/></sw:GetStopMonitoring></soap:Body></soap:Envelope>")
            ]
    }

    /// The timestamp and the requestor, with the identifier if demanded.
    private func head(_ prefix: String, withIdentifier: Bool) -> [HTTPContent.Piece] {
        let requestor: HTTPContent.Piece =
            if let secret = configuration.key.secret, !configuration.key.isConfigured {
                .secret(secret)
            } else {
                .variable(XMLText.escaped(configuration.requestor))
            }
        return [
            .text("<\(prefix)RequestTimestamp>"), .variable(moment.rfc3339),
            .text("</\(prefix)RequestTimestamp><\(prefix)RequestorRef>"), requestor,
            .text("</\(prefix)RequestorRef>"),
        ] + (withIdentifier ? identifier(prefix) : [])
    }

    private func stamps(_ prefix: String) -> [HTTPContent.Piece] {
        [
            .text("<\(prefix)RequestTimestamp>"), .variable(moment.rfc3339), .text("</\(prefix)RequestTimestamp>"),
        ] + identifier(prefix)
    }

    private func identifier(_ prefix: String) -> [HTTPContent.Piece] {
        [
            .text("<\(prefix)MessageIdentifier>"), .variable("boardd-\(moment.microseconds)"),
            .text("</\(prefix)MessageIdentifier>"),
        ]
    }
}
