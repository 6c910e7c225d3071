import BoardCore
import BoardIO
import FoundationEssentials
import LoopbackServer
import Synchronization
import Testing

@testable import boardd

/// A server that responds like TfL, with a few stops, lines, buses and a route.
final class TfLServer: Sendable {
    /// The operator's stop list: pages of entries as JSON.
    struct StopList: Sendable {
        var pages: [[String]]

        /// Two sides of a road, a station of two lines, and a distant pole.
        static let usual = StopList(pages: [
            [
                Self.pole(
                    "490000001A", "High Street", "A", towards: "Old Bridge", lines: ["7", "N7"], at: (51.5010, -0.1010),
                    sms: "50001"),
                Self.pole(
                    "490000001B", "High Street", "B", towards: "Town Hall", lines: ["7", "88"], at: (51.5011, -0.1012),
                    sms: "50002"),
                Self.station("940GZZLUTWN", "Town Hall Underground Station", lines: ["ring"], at: (51.5030, -0.1000)),
            ],
            [
                Self.pole(
                    "490000002A", "St James's Park", "A", towards: "High Street", lines: ["88"], at: (51.6000, -0.2000),
                    sms: "50003")
            ],
        ])

        static func pole(
            _ id: String, _ name: String, _ letter: String, towards: String, lines: [String], at: (Double, Double),
            sms: String
        ) -> String {
            """
            {"naptanId":"\(id)","id":"\(id)","stopType":"NaptanPublicBusCoachTram","commonName":"\(name)",
            "indicator":"Stop \(letter)","stopLetter":"\(letter)","smsCode":"\(sms)","modes":["bus"],"status":true,
            "lines":[\(lines.map { "{\"id\":\"\($0.lowercased())\",\"name\":\"\($0)\"}" }.joined(separator: ","))],
            "lineModeGroups":[{"modeName":"bus","lineIdentifier":[\(lines.map { "\"\($0.lowercased())\"" }.joined(separator: ","))]}],
            "additionalProperties":[{"category":"Direction","key":"Towards","value":"\(towards)"}],
            "children":[],"lat":\(at.0),"lon":\(at.1)}
            """
        }

        static func station(_ id: String, _ name: String, lines: [String], at: (Double, Double)) -> String {
            """
            {"naptanId":"\(id)","id":"\(id)","stopType":"NaptanMetroStation","commonName":"\(name)","modes":["tube"],
            "status":true,"lines":[\(lines.map { "{\"id\":\"\($0)\",\"name\":\"\($0.capitalized)\"}" }.joined(separator: ","))],
            "lineModeGroups":[{"modeName":"tube","lineIdentifier":[\(lines.map { "\"\($0)\"" }.joined(separator: ","))]}],
            "additionalProperties":[],"children":[],"lat":\(at.0),"lon":\(at.1)}
            """
        }
    }

    let server: LoopbackServer

    /// - Parameters:
    ///   - list: its list of stops.
    ///   - page: overrides the response to a page of the list; nil from it: the default.
    init(_ list: StopList = .usual, page: @escaping @Sendable (Int) -> [LoopbackServer.Step]? = { _ in nil }) throws {
        server = try LoopbackServer { head in
            let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            let (path, query) = Self.parts(of: target)
            let steps = path.split(separator: "/").map(String.init)
            switch (steps.first, steps.count) {
            case ("StopPoint", 3) where steps[1] == "Mode":
                let number = Self.number(of: "page", in: query) ?? 1
                if let other = page(number) { return other }
                let entries = list.pages.indices.contains(number - 1) ? list.pages[number - 1] : []
                let total = list.pages.reduce(0) { $0 + $1.count }
                return [
                    .reply(
                        text:
                            "{\"stopPoints\":[\(entries.joined(separator: ","))],\"pageSize\":1000,\"total\":\(total),\"page\":\(number)}"
                    )
                ]
            case ("StopPoint", 3) where steps[2] == "Arrivals":
                return [.reply(text: Self.arrivals(at: steps[1]))]
            case ("StopPoint", 3) where steps[2] == "Disruption":
                return [.reply(text: "[]")]
            case ("Line", 3) where steps[2] == "Status":
                return [.reply(text: Self.goodService(on: steps[1].split(separator: ",")))]
            case ("StopPoint", 2):
                let entry = list.pages.joined().first { $0.contains("\"id\":\"\(steps[1])\"") }
                return entry.map { [.reply(text: $0)] } ?? Self.notFound(steps[1])
            case ("Line", 5) where steps[1] == "7" && steps[3] == "Sequence":
                return [.reply(text: Self.route)]
            default:
                return Self.notFound(target)
            }
        }
    }

    deinit { server.stop() }

    /// The configuration of a board that polls it.
    func files(favourites: String = "", board: String = "") -> [String: String] {
        ["boardd.toml": "[feed.tfl]\nurl = \"\(server.url())\"\n\(board)", "favourites.toml": favourites]
    }

    /// How often a page of the list was requested.
    func requestCount(page: Int) -> Int {
        server.requests.filter {
            $0.contains("/StopPoint/Mode/") && $0.contains("page=\(page) ") || $0.contains("page=\(page)&")
        }.count
    }
}

extension TfLServer {
    private static func parts(of target: String) -> (path: String, query: String) {
        guard let mark = target.firstIndex(of: "?") else { return (target, "") }
        return (String(target[..<mark]), String(target[target.index(after: mark)...]))
    }

    private static func number(of name: String, in query: String) -> Int? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    private static func notFound(_ what: String) -> [LoopbackServer.Step] {
        let message = "The following stop point is not recognised: \(what)"
        return [.reply(404, text: "{\"httpStatusCode\":404,\"message\":\"\(message)\"}")]
    }

    /// Good service on these lines.
    private static func goodService(on lines: [Substring]) -> String {
        let rows = lines.map { line in
            """
            {"id":"\(line)","name":"\(line.uppercased())","modeName":"bus","lineStatuses":[{"statusSeverity":10,
            "statusSeverityDescription":"Good Service","validityPeriods":[]}]}
            """
        }
        return "[\(rows.joined(separator: ","))]"
    }

    /// One bus of each of two lines, 4 and 9 minutes from now.
    private static func arrivals(at stop: String) -> String {
        let now = SystemClock().reading().wall
        let rows = [("7", "Old Bridge", 240), ("88", "Town Hall", 540)].map { line, destination, seconds in
            """
            {"id":"\(line)\(stop)","operationType":1,"vehicleId":"V\(line)","naptanId":"\(stop)","stationName":"High Street",
            "lineId":"\(line)","lineName":"\(line)","platformName":"A","direction":"outbound","destinationName":"\(destination)",
            "timestamp":"\(now.rfc3339)","timeToStation":\(seconds),"expectedArrival":"\((now + .seconds(seconds)).rfc3339)",
            "timeToLive":"\((now + .seconds(seconds + 30)).rfc3339)","modeName":"bus"}
            """
        }
        return "[\(rows.joined(separator: ","))]"
    }

    /// Line 7: out along the High Street, and back on the other side.
    private static let route: String = {
        func call(_ id: String, _ name: String, _ letter: String) -> String {
            "{\"id\":\"\(id)\",\"name\":\"\(name)\",\"stopLetter\":\"\(letter)\",\"lat\":51.5,\"lon\":-0.1}"
        }
        func branch(_ direction: String, _ id: Int, _ calls: [String]) -> String {
            """
            {"lineId":"7","lineName":"7","direction":"\(direction)","branchId":\(id),"nextBranchIds":[],"prevBranchIds":[],
            "serviceType":"Regular","stopPoint":[\(calls.joined(separator: ","))]}
            """
        }
        let out = branch(
            "outbound", 0, [call("490000001A", "High Street", "A"), call("490000003A", "Old Bridge", "A")])
        let back = branch(
            "inbound", 1, [call("490000003B", "Old Bridge", "B"), call("490000001B", "High Street", "B")])
        return """
            {"lineId":"7","lineName":"7","direction":"all","isOutboundOnly":false,"mode":"bus","lineStrings":[],"stations":[],
            "stopPointSequences":[\(out),\(back)],"orderedLineRoutes":[]}
            """
    }()
}
