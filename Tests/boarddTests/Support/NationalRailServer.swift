import BoardCore
import BoardIO
import FoundationEssentials
import LoopbackServer
import Testing

@testable import boardd

/// National Rail on this machine: both of its services, with trains that leave in the next minutes.
final class NationalRailServer: Sendable {
    let server: LoopbackServer
    /// The simulated service, and its key.
    let service: RailService

    /// Starts one service; it has only the station AMB, and accepts only the right key.
    init(_ service: RailService) throws {
        self.service = service
        let key = service.key.value
        let zone = try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0")
        // The trains of the moment at which it opens, so that they come nearer.
        let opened = SystemClock().reading().wall
        server = try LoopbackServer { request in
            let timetable = Timetable(opened: opened, madeAt: SystemClock().reading().wall, zone: zone)
            return [
                service == .marketplace
                    ? Self.marketplace(request, key: key, timetable) : Self.darwin(request, key: key, timetable)
            ]
        }
    }

    deinit { server.stop() }

    /// The configuration of a board that polls it for Ambridge.
    ///
    /// - Parameter keys: keys.env; nil: the right key in its field.
    func files(keys: String? = nil, stop: String = "AMB") -> [String: String] {
        [
            "boardd.toml": """
            [feed.rail]
            board_url = "\(server.url("/board"))"
            details_url = "\(server.url("/details"))"
            darwin_url = "\(server.url("/ldb12.asmx"))"
            """,
            "favourites.toml": "[[stop]]\nid = \"rail:\(stop)\"\n",
            "keys.env": keys ?? rightKeys,
        ]
    }

    /// Every key that the service needs.
    private var rightKeys: String {
        let key = service.key
        return "\(key.name)=\(key.value)\n" + (service == .marketplace ? "RDM_DETAILS_KEY=\(key.value)\n" : "")
    }

    private static func marketplace(_ request: String, key: String, _ timetable: Timetable) -> LoopbackServer.Step {
        let lines = request.split(separator: "\r\n").map(String.init)
        guard lines.contains("x-apikey: \(key)") else {
            let fault =
                "{\"fault\":{\"faultstring\":\"Invalid ApiKey\",\"detail\":{\"errorcode\":\"oauth.v2.InvalidApiKey\"}}}"
            return .reply(403, text: fault)
        }
        guard lines.contains(where: { $0.hasPrefix("User-Agent: boardd/") }) else {
            return .reply(403, ["Content-Type: text/html"], text: "<html><body>Access Denied</body></html>")
        }
        if lines[0].hasPrefix("GET /board/GetDepartureBoard/AMB?") { return .reply(text: timetable.boardJSON) }
        if lines[0].hasPrefix("GET /details/GetServiceDetails/1001AMBRDGE_ ") {
            return .reply(text: timetable.detailsJSON)
        }
        return .reply(400, text: "{\"Message\":\"Invalid crs code supplied\"}")
    }

    private static func darwin(_ request: String, key: String, _ timetable: Timetable) -> LoopbackServer.Step {
        let headers = ["Content-Type: text/xml; charset=utf-8"]
        let isPost = request.hasPrefix("POST /ldb12.asmx HTTP/1.1\r\n") && request.hasSuffix("</soap:Envelope>")
        guard isPost else { return .reply(415) }
        guard request.contains("<typ:TokenValue>\(key)</typ:TokenValue>") else { return .reply(401) }
        if request.contains("<ldb:serviceID>1001AMBRDGE_</ldb:serviceID>") {
            return .reply(200, headers, text: timetable.detailsXML)
        }
        if request.contains("<ldb:crs>AMB</ldb:crs>") { return .reply(200, headers, text: timetable.boardXML) }
        return .reply(
            500, headers,
            text: Timetable.enveloped(
                "<soap:Fault><faultcode>soap:Server</faultcode>"
                    + "<faultstring>Unexpected server error</faultstring></soap:Fault>"))
    }
}

/// The trains of Ambridge from a moment on: one in some minutes, one late with no estimate, one cancelled.
private struct Timetable {
    let opened: Timestamp
    let madeAt: Timestamp
    let zone: Zone

    /// London's clock time in so many minutes.
    private func clock(_ minutes: Int64) -> String {
        String((opened + .seconds(60 * minutes) + zone.offset(at: opened)).rfc3339.dropFirst(11).prefix(5))
    }

    var boardJSON: String {
        func row(_ id: String, _ minutes: Int64, _ status: String, to destination: String, _ more: String = "")
            -> String
        {
            """
            {"std":"\(clock(minutes))","etd":"\(status)","operator":"Vale Railways","operatorCode":"VR","serviceType":"train",
            "serviceID":"\(id)","destination":[{"locationName":"\(destination)"}]\(more)}
            """
        }
        return """
            {"Xmlns":{"Count":8},"generatedAt":"\(madeAt.rfc3339)","locationName":"Ambridge","crs":"AMB","filterType":"to",
            "platformAvailable":true,"areServicesAvailable":true,"nrccMessages":[{"Value":"\\n<p>Lifts are out of order.</p>"}],
            "trainServices":[
            \(row("1001AMBRDGE_", 12, "On time", to: "Ashcombe", ",\"platform\":\"3\",\"length\":8")),
            \(row("1002AMBRDGE_", 20, "Delayed", to: "Seaholme")),
            \(row("1003AMBRDGE_", 30, "Cancelled", to: "Weir", ",\"isCancelled\":true"))]}
            """
    }

    var detailsJSON: String {
        """
        {"generatedAt":"\(madeAt.rfc3339)","locationName":"Ambridge","crs":"AMB","std":"\(clock(12))","etd":"On time","platform":"3",
        "operator":"Vale Railways","operatorCode":"VR","serviceType":"train",
        "previousCallingPoints":[{"callingPoint":[{"locationName":"Northgate","crs":"NGT","st":"\(clock(-9))","at":"On time"}]}],
        "subsequentCallingPoints":[{"callingPoint":[{"locationName":"Pond End","crs":"PEN","st":"\(clock(31))","et":"On time"},
        {"locationName":"Ashcombe","crs":"ASC","st":"\(clock(44))","et":"On time"}]}]}
        """
    }

    var boardXML: String {
        func row(_ id: String, _ minutes: Int64, _ status: String, to destination: String, _ more: String = "")
            -> String
        {
            """
            <t:service><t:std>\(clock(minutes))</t:std><t:etd>\(status)</t:etd><t:operator>Vale Railways</t:operator>
            <t:operatorCode>VR</t:operatorCode><t:serviceType>train</t:serviceType><t:serviceID>\(id)</t:serviceID>\(more)
            <t:destination><t:location><t:locationName>\(destination)</t:locationName></t:location></t:destination></t:service>
            """
        }
        return Self.enveloped(
            """
            <GetDepartureBoardResponse xmlns="\(Self.schema)/"><GetStationBoardResult xmlns:t="\(Self.schema)/types">
            <t:generatedAt>\(madeAt.rfc3339)</t:generatedAt><t:locationName>Ambridge</t:locationName><t:crs>AMB</t:crs>
            <t:nrccMessages><t:message>&lt;p&gt;Lifts are out of order.&lt;/p&gt;</t:message></t:nrccMessages>
            <t:platformAvailable>true</t:platformAvailable><t:trainServices>
            \(row("1001AMBRDGE_", 12, "On time", to: "Ashcombe", "<t:platform>3</t:platform><t:length>8</t:length>"))
            \(row("1002AMBRDGE_", 20, "Delayed", to: "Seaholme"))
            \(row("1003AMBRDGE_", 30, "Cancelled", to: "Weir", "<t:isCancelled>true</t:isCancelled>"))
            </t:trainServices></GetStationBoardResult></GetDepartureBoardResponse>
            """)
    }

    var detailsXML: String {
        func call(_ name: String, _ code: String, _ minutes: Int64, _ status: String) -> String {
            "<t:callingPoint><t:locationName>\(name)</t:locationName><t:crs>\(code)</t:crs><t:st>\(clock(minutes))</t:st>"
                + "\(status)</t:callingPoint>"
        }
        return Self.enveloped(
            """
            <GetServiceDetailsResponse xmlns="\(Self.schema)/"><GetServiceDetailsResult xmlns:t="\(Self.schema)/types">
            <t:generatedAt>\(madeAt.rfc3339)</t:generatedAt><t:serviceType>train</t:serviceType><t:locationName>Ambridge</t:locationName>
            <t:crs>AMB</t:crs><t:operator>Vale Railways</t:operator><t:operatorCode>VR</t:operatorCode><t:platform>3</t:platform>
            <t:std>\(clock(12))</t:std><t:etd>On time</t:etd><t:previousCallingPoints><t:callingPointList>
            \(call("Northgate", "NGT", -9, "<t:at>On time</t:at>"))</t:callingPointList></t:previousCallingPoints>
            <t:subsequentCallingPoints><t:callingPointList>\(call("Pond End", "PEN", 31, "<t:et>On time</t:et>"))
            \(call("Ashcombe", "ASC", 44, "<t:et>On time</t:et>"))</t:callingPointList></t:subsequentCallingPoints>
            </GetServiceDetailsResult></GetServiceDetailsResponse>
            """)
    }

    private static let schema = "http://thalesgroup.com/RTTI/2021-11-01/ldb"

    static func enveloped(_ body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\">"
            + "<soap:Body>\(body)</soap:Body></soap:Envelope>"
    }
}

/// The keys of one of National Rail's two services.
enum RailService: CaseIterable, Sendable {
    case marketplace, darwin

    var key: (name: String, value: String) {
        switch self {
        case .marketplace: ("RDM_BOARD_KEY", String(repeating: "aB3", count: 16))
        case .darwin: ("DARWIN_TOKEN", "0a1b2c3d-1111-2222-3333-0123456789ab")
        }
    }
}
