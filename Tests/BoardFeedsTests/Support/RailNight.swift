import BoardCore

/// The trains of an invented station in one night, and the operator's boards for them.
struct RailNight: Sendable {
    /// A simulated train, with the operator's reports.
    struct Train: Sendable {
        /// Its destination, which is unique in the night.
        let destination: String
        let platform: String?
        let isBus: Bool
        let booked: Timestamp
        /// The reports, each with its start, in order.
        let reports: [(from: Timestamp, report: Report)]
        /// When it leaves; a cancelled train leaves the boards then.
        let goes: Timestamp

        /// The report at a moment.
        func report(at moment: Timestamp) -> Report { reports.last { $0.from <= moment }?.report ?? .onTime }
    }

    /// The operator's report of a train.
    enum Report: Hashable, Sendable {
        case onTime, delayed, cancelled
        case expected(Timestamp)
    }

    /// How far ahead boards reach.
    private static let window: Duration = .seconds(120 * 60)
    /// How long a train is on the boards after it left.
    private static let lingering: Duration = .seconds(60)
    private static let apart: Duration = .seconds(11 * 60)

    let zone: Zone
    let start: Timestamp
    let end: Timestamp
    let trains: [Train]

    /// A night with a train every eleven minutes: on time, late and later still, late without an estimate, cancelled.
    init(from start: Timestamp, to end: Timestamp, in zone: Zone) {
        self.start = start
        self.end = end
        self.zone = zone
        let names = ["Ba", "De", "Fi", "Go", "Hu", "Ja", "Ke"].flatMap { head in
            ["ford", "ham", "ley", "ton", "wick", "by"].map { head + $0 }
        }
        var trains: [Train] = []
        var booked = start + .seconds(120)
        for (index, name) in names.enumerated() where booked < end + Self.window {
            func later(_ minutes: Int64) -> Timestamp { booked + .seconds(60 * minutes) }
            let reports: [(Timestamp, Report)]
            var goes = booked
            switch index % 6 {
            case 1:
                goes = later(23)
                reports = [(later(-25), .expected(later(9))), (later(2), .expected(goes))]
            case 3:
                goes = later(19)
                reports = [(later(-30), .delayed), (later(13), .expected(goes))]
            case 4: reports = [(later(-45), .cancelled)]
            default: reports = []
            }
            trains.append(
                Train(
                    destination: name, platform: index % 5 == 0 ? nil : "\(index % 12 + 1)", isBus: index % 12 == 2,
                    booked: booked, reports: reports, goes: goes))
            booked = booked + Self.apart
        }
        self.trains = trains
    }

    /// The trains of a board made at a moment, in the operator's order.
    func listed(at moment: Timestamp) -> [Train] {
        trains.filter { $0.goes + Self.lingering > moment && $0.booked - moment <= Self.window }
    }

    /// The time of day in London, as "01:30".
    func clock(_ moment: Timestamp) -> String { String(local(moment).dropFirst(11).prefix(5)) }

    /// The board in the Rail Data Marketplace's format.
    func json(at moment: Timestamp) -> String {
        let (trains, buses) = lists(at: moment) { train, report in
            let platform = train.platform.map { "\"platform\":\"\($0)\"," } ?? ""
            return """
                {"origin":[{"locationName":"Weir","crs":"WEI"}],"destination":[{"locationName":"\(train.destination)"}],
                "std":"\(clock(train.booked))","etd":"\(report)",\(platform)"operator":"Vale Railways","operatorCode":"VR",
                "isCancelled":\(report == "Cancelled"),"serviceType":"\(train.isBus ? "bus" : "train")",
                "serviceID":"\(train.destination)VR__"}
                """
        }
        func list(_ name: String, _ rows: [String]) -> String {
            rows.isEmpty ? "" : ",\"\(name)\":[\(rows.joined(separator: ","))]"
        }
        return """
            {"generatedAt":"\(written(moment))","locationName":"Ambridge","crs":"AMB","filterType":"to",
            "platformAvailable":true,"areServicesAvailable":true\(list("trainServices", trains))\(list("busServices", buses))}
            """
    }

    /// The board in OpenLDBWS's format.
    func xml(at moment: Timestamp) -> String {
        let (trains, buses) = lists(at: moment) { train, report in
            let platform = train.platform.map { "<p:platform>\($0)</p:platform>" } ?? ""
            return """
                <p:service><p:std>\(clock(train.booked))</p:std><p:etd>\(report)</p:etd>\(platform)
                <p:operator>Vale Railways</p:operator><p:operatorCode>VR</p:operatorCode>
                \(report == "Cancelled" ? "<p:isCancelled>true</p:isCancelled>" : "")
                <p:serviceType>\(train.isBus ? "bus" : "train")</p:serviceType><p:serviceID>\(train.destination)VR__</p:serviceID>
                <p:origin><p:location><p:locationName>Weir</p:locationName></p:location></p:origin>
                <p:destination><p:location><p:locationName>\(train.destination)</p:locationName></p:location></p:destination>
                </p:service>
                """
        }
        func list(_ name: String, _ rows: [String]) -> String {
            rows.isEmpty ? "" : "<p:\(name)>\(rows.joined())</p:\(name)>"
        }
        return """
            <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>
            <GetDepartureBoardResponse xmlns="http://thalesgroup.com/RTTI/2021-11-01/ldb/">
            <GetStationBoardResult xmlns:p="http://thalesgroup.com/RTTI/2021-11-01/ldb/types">
            <p:generatedAt>\(written(moment))</p:generatedAt><p:locationName>Ambridge</p:locationName><p:crs>AMB</p:crs>
            <p:platformAvailable>true</p:platformAvailable>\(list("trainServices", trains))\(list("busServices", buses))
            </GetStationBoardResult></GetDepartureBoardResponse></soap:Body></soap:Envelope>
            """
    }

    private func lists(
        at moment: Timestamp, _ row: (Train, String) -> String
    ) -> (trains: [String], buses: [String]) {
        let listed = listed(at: moment).map { train in
            let report =
                switch train.report(at: moment) {
                case .onTime: "On time"
                case .delayed: "Delayed"
                case .cancelled: "Cancelled"
                case .expected(let time): clock(time)
                }
            return (isBus: train.isBus, text: row(train, report))
        }
        return (listed.filter { !$0.isBus }.map(\.text), listed.filter(\.isBus).map(\.text))
    }

    /// With seven digits of the second and the offset, as the operator sends it.
    private func written(_ moment: Timestamp) -> String {
        let hours = zone.offset(at: moment).components.seconds / 3_600
        return "\(local(moment).dropLast()).0000000+0\(hours):00"
    }

    private func local(_ moment: Timestamp) -> String {
        (Timestamp(seconds: moment.seconds) + zone.offset(at: moment)).rfc3339
    }
}
