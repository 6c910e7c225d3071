import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("National Rail's recordings", .needsRecordings)
struct RailRecordedTests {
    /// Every recorded board of OpenLDBWS, with its services and departures: a board of the fastest trains may repeat one for
    /// several places.
    private static let boards: [(name: String, services: Int, departures: Int)] = [
        ("soap_2014-2017/departure-board.xml", 10, 10),
        ("soap_2014-2017/fastest-departures-with-details.xml", 2, 2),
        ("soap_2014-2017/fastest-departures.xml", 2, 2),
        ("soap_2014-2017/next-departures-with-details.xml", 2, 2),
        ("soap_2014-2017/next-departures.xml", 2, 2),
        ("soap_2017-10-01/GetArrBoardWithDetails.xml", 10, 0),
        ("soap_2017-10-01/GetArrDepBoardWithDetails.xml", 10, 10),
        ("soap_2017-10-01/GetArrivalBoard.xml", 62, 0),
        ("soap_2017-10-01/GetArrivalDepartureBoard.xml", 120, 117),
        ("soap_2017-10-01/GetDepBoardWithDetails.xml", 10, 10),
        ("soap_2017-10-01/GetDepartureBoard.xml", 2, 2),
        ("soap_2017-10-01/GetDepartureBoard_no_services_nrcc.xml", 0, 0),
        ("soap_2017-10-01/GetFastestDepartures.xml", 1, 1),
        ("soap_2017-10-01/GetFastestDeparturesWithDetails.xml", 1, 1),
        ("soap_2017-10-01/GetNextDepartures.xml", 1, 1),
        ("soap_2017-10-01/GetNextDeparturesWithDetails.xml", 1, 1),
        ("soap_2021-11-01/GetArrBoardWithDetailsResponse.xml", 2, 0),
        ("soap_2021-11-01/GetArrivalBoardResponse.xml", 3, 0),
        ("soap_2021-11-01/GetArrivalDepartureBoardResponse.xml", 2, 2),
        ("soap_2021-11-01/GetDepBoardWithDetailsResponse.xml", 0, 0),
        ("soap_2021-11-01/GetDepartureBoardResponse.xml", 1, 1),
        ("soap_2021-11-01/GetFastestDeparturesResponse.xml", 1, 1),
        ("soap_2021-11-01/GetFastestDeparturesWithDetailsResponse.xml", 1, 1),
        ("soap_2021-11-01/GetNextDeparturesResponse.xml", 1, 1),
    ]

    @Test("every board of every version is read, including those that are not namespace-well-formed", arguments: boards)
    func board(_ name: String, _ services: Int, _ departures: Int) throws {
        guard let body = Recordings.read("darwin/" + name) else { return }
        let board = try Rail.board(xml: body)
        let response = try Rail.feedResponse(board)
        #expect(board.madeAt != Timestamp(seconds: 7))
        #expect(board.name != nil)
        #expect(board.services.good.count == services)
        #expect(response.departures.count == departures)
    }

    @Test(
        "a board of 2019: late, cancelled, with reasons that do not determine the status, and without unknown platforms"
    )
    func croydon() throws {
        guard let body = Recordings.read("darwin/soap_2017-10-01/GetDepBoardWithDetails.xml") else { return }
        let board = try Rail.board(xml: body)
        #expect(
            picture(try Rail.feedResponse(board, of: "ECR"), try Rail.zone()) == [
                "22:15 Peterborough [1] TL: expected 22:23, 12 coaches",
                "22:18 London Bridge [4] SN: expected 22:18, 10 coaches",
                "22:19 Brighton [] TL: cancelled",
                "22:19 London Victoria [1] SN: expected 22:19, 8 coaches",
                "22:21 Bedford [2] TL: expected 22:21, via London Bridge, 12 coaches",
                "22:22 London Bridge [4] SN: expected 22:22, via Norbury, 8 coaches",
                "22:22 Uckfield [6] SN: expected 22:22, 6 coaches",
                "22:23 Chichester & Bognor Regis [3] SN: expected 22:23, via Horsham, 12 coaches",
                "22:24 Caterham [5] SN: expected 22:24",
                "22:24 London Victoria [1] SN: expected 22:24, 8 coaches",
            ])
    }

    @Test("a disrupted morning from the marketplace: part-cancelled trains start elsewhere")
    func wellingborough() throws {
        guard let body = Recordings.read("rdm/getDepBoardWithDetails_WEL_20260319_disrupted.json") else { return }
        let response = try Rail.feedResponse(RailBoard(marketplace: body, Rail.response), of: "WEL")
        #expect(
            picture(response, try Rail.zone()) == [
                "10:41 London St Pancras (Intl) [2] EM: expected 10:41",
                "10:57 London St Pancras (Intl) [] EM: cancelled",
                "11:07 Corby [] EM: cancelled",
                "11:12 London St Pancras (Intl) [2] EM: expected 11:12",
                "11:16 Nottingham [1] EM: expected 11:19",
                "11:27 London St Pancras (Intl) [] EM: cancelled, as far as Kettering",
                "11:37 Corby [] EM: cancelled, from Kettering",
                "11:42 London St Pancras (Intl) [2] EM: expected 11:42",
                "11:56 London St Pancras (Intl) [] EM: cancelled",
                "12:07 Corby [] EM: cancelled",
            ])
        #expect(
            response.alerts == [
                Alert(
                    "East Midlands Railway services to / from London St Pancras International may be cancelled, delayed by "
                        + "up to 50 minutes or revised. Latest information can be found in Status and Disruptions.")
            ])
        #expect(response.badRows == 0)
    }

    @Test("a quiet station from the marketplace is an empty board")
    func leaBridge() throws {
        guard let body = Recordings.read("rdm/empty_board_LEB.json") else { return }
        let response = try Rail.feedResponse(RailBoard(marketplace: body, Rail.response), of: "LEB")
        #expect(response.departures.isEmpty && response.alerts.isEmpty && response.badRows == 0)
        #expect(response.stop.name == "Lea Bridge")
    }

    @Test(
        "services with their calling points: whole, divided, and after midnight",
        arguments: [
            ("soap_2014-2017/service-details.xml", []),
            ("soap_2014-2017/service-details-splits-after.xml", ["Barnham: Bognor Regis"]),
            (
                "soap_2017-10-01/GetServiceDetails.xml",
                [
                    "Purley: Reedham (Surrey), Coulsdon Town, Woodmansterne, Chipstead, Kingswood, Tadworth, Tattenham Corner"
                ]
            ), ("soap_2021-11-01/GetServiceDetailsResponse.xml", []),
        ])
    func details(_ name: String, _ portions: [String]) throws {
        guard let body = Recordings.read("darwin/" + name) else { return }
        guard case .details(let details?) = try DarwinResponse(body, Rail.response) else {
            Issue.record("no service")
            return
        }
        let departure = Departure(
            stop: .rail("AMB"), line: Line(id: "", name: ""), destination: "", status: .delayed,
            madeAt: Timestamp(seconds: 0), expiresAt: Timestamp(seconds: 0))
        let reported = details.tripDetails(of: departure, in: try Rail.zone())
        let trip = try #require(reported)
        #expect(trip.calls.count > 5)
        #expect(trip.portions.map { "\($0.at): \($0.calls.map(\.name).joined(separator: ", "))" } == portions)
        // Every call is after the one before it, within a day.
        let times = trip.calls.compactMap(\.booked)
        #expect(times == times.sorted())
        #expect(times.count == trip.calls.count)
        let last = try #require(times.last)
        #expect(last - times[0] < .seconds(86_400))
    }

    @Test("a fault is a fault in both versions of SOAP, and no other recording is a board")
    func others() throws {
        for name in ["faults/soap12_unexpected_server_error.xml", "soap_2021-11-01/UnexpectedServerError.xml"] {
            guard let body = Recordings.read("darwin/" + name) else { return }
            guard case .fault("Unexpected server error") = try DarwinResponse(body, Rail.response) else {
                Issue.record("\(name) is no fault")
                continue
            }
        }
        for name in [
            "requests_2016/getDepartureBoard.xml", "requests_2016/getServiceDetails.xml", "stations_kb/ABE.xml",
            "stations_kb/CDF.xml", "stations_kb/NWP.xml", "stations_kb/ABE.json", "station_codes_huxley2.csv",
        ] {
            guard let body = Recordings.read("darwin/" + name) else { return }
            #expect(throws: FormatError.self, "\(name)") { try DarwinResponse(body, Rail.response) }
            #expect(throws: FormatError.self, "\(name)") { try RailBoard(marketplace: body, Rail.response) }
        }
    }

    @Test("the list of all stations is read completely")
    func stations() throws {
        guard let body = Recordings.read("darwin/station_codes_huxley2.csv") else { return }
        let (stations, page) = try RailCatalogue.read(body, from: "list")
        #expect(page == StopPage(entries: 2_897, badRows: 0, total: 2_897))
        #expect(stations.first { $0.id == .rail("PAD") }?.name == "London Paddington")
        #expect(stations.allSatisfy { $0.kind == .station && $0.modes == ["train"] && $0.coordinates == nil })
    }
}
