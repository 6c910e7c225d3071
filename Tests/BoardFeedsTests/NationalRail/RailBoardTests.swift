import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Interpretation of National Rail's boards")
struct RailBoardTests {
    private func responses(towards: String? = nil) throws -> [FeedResponse] {
        let xml = try Rail.board(xml: Fixtures.own("rail_board.xml"))
        let json = try RailBoard(marketplace: Fixtures.own("rail_board.json"), Rail.response)
        return try [Rail.feedResponse(xml, towards: towards), Rail.feedResponse(json, towards: towards)]
    }

    @Test("an alert has the first 2,000 characters of its message")
    func longAlert() throws {
        let message = String(repeating: "a", count: 2_001)
        let board = try Rail.board(at: "12:00", more: #","nrccMessages":["\#(message)"]"#)
        #expect(board.alerts.map(\.text.count) == [2_000])
    }

    @Test("of a train's destinations the first 16 are named")
    func manyDestinations() throws {
        let places = "ABCDEFGHIJKLMNOPQRST".map { #"{"locationName":"\#($0)"}"# }.joined(separator: ",")
        let response = try Rail.feedResponse(Rail.board(at: "12:00", #"{"std":"12:00","destination":[\#(places)]}"#))
        #expect(
            response.departures.map(\.destination) == ["A & B & C & D & E & F & G & H & I & J & K & L & M & N & O & P"])
    }

    @Test("both services give the same response")
    func same() throws {
        let responses = try responses()
        #expect(responses[0] == responses[1])
    }

    @Test("a night's board: late, uncertain, cancelled, part-cancelled, a replacement bus, in the operator's order")
    func night() throws {
        for response in try responses() {
            #expect(
                picture(response, try Rail.zone()) == [
                    "23:41 Ashcombe & Seaholme [3] VR: expected 00:07, via Harefield, 8 coaches",
                    "23:58 Ashcombe [13A] VR: expected 23:58",
                    "00:04 Seaholme [] CL: delayed",
                    "00:12 Seaholme [] CL: cancelled, from Harefield",
                    "00:20 Harefield [1] CL: expected 00:22, as far as Harefield",
                    "00:35 Seaholme [1] CL: expected 00:35",
                    "00:15 Ashcombe [] VR: expected 00:15, bus",
                ])
            #expect(response.stop.name == "Ambridge")
            #expect(
                response.departures.allSatisfy { $0.mode == ($0.attributes?.isReplacement == true ? .bus : .train) })
            // It only arrives.
            #expect(response.badRows == 1)
        }
    }

    @Test("with a destination filter, a train that does not call there is cancelled")
    func passes() throws {
        for response in try responses(towards: "SHM") {
            #expect(response.departures.last { $0.attributes?.isReplacement != true }?.status == .cancelled)
        }
    }

    @Test("an estimate was made with the board, and expires two minutes after the latest of its times")
    func life() throws {
        let responses = try responses()
        let rows = try #require(responses.first).departures
        let madeAt = try Rail.time("2026-03-02T23:50:10.123456Z")
        #expect(rows.allSatisfy { $0.madeAt == madeAt })
        #expect(try rows[0].expiresAt == Rail.time("2026-03-03T00:09:00Z"))
        #expect(try rows[1].expiresAt == Rail.time("2026-03-03T00:00:00Z"))
        #expect(try rows[2].expiresAt == Rail.time("2026-03-03T00:06:00Z"))
        #expect(try rows[3].expiresAt == Rail.time("2026-03-03T00:14:00Z"))
    }

    @Test("a train stays as long as boards list it, even past its time")
    func lingering() throws {
        let board = try Rail.board(
            at: "12:10", #"{"std":"11:30","etd":"Delayed"}"#, #"{"std":"12:00","etd":"On time"}"#)
        let rows = try Rail.feedResponse(board).departures
        #expect(try rows.map(\.expiresAt) == [Rail.time("2026-03-02T12:15:00Z"), Rail.time("2026-03-02T12:12:00Z")])
        #expect(rows.map(\.status) == [.delayed, .expected(try Rail.time("2026-03-02T12:00:00Z"))])
    }

    @Test("a train that is hours late is today's, and expires soon after the boards drop it")
    func hoursLate() throws {
        let board = try Rail.board(
            at: "12:30", #"{"std":"10:00","etd":"12:45"}"#, #"{"std":"10:02","etd":"Delayed"}"#,
            #"{"std":"10:05","etd":"Cancelled"}"#, #"{"std":"10:10"}"#)
        let rows = try Rail.feedResponse(board).departures
        #expect(
            try rows.map(\.booked)
                == ["10:00", "10:02", "10:05", "10:10"].map { try Rail.time("2026-03-02T\($0):00Z") })
        #expect(try rows.first?.status == .expected(Rail.time("2026-03-02T12:45:00Z")))
        #expect(
            try rows.map(\.expiresAt)
                == ["12:47", "12:35", "12:32", "12:32"].map { try Rail.time("2026-03-02T\($0):00Z") })
    }

    @Test("reasons are included, and do not determine the status")
    func reasons() throws {
        let responses = try responses()
        let rows = try #require(responses.first).departures
        // Running, with the reason of a cancellation that was withdrawn.
        #expect(rows[1].attributes?.reason == nil)
        #expect(rows[0].attributes?.reason == "This train has been delayed by a tree on the line")
        #expect(rows[3].attributes?.reason == "This train has been cancelled because of a shortage of train crew")
        #expect(rows[4].attributes?.reason == "This train has been cancelled because of a points failure")
    }

    @Test("messages of the station are alerts: without HTML, each once")
    func notices() throws {
        for response in try responses() {
            #expect(
                response.alerts == [
                    Alert("Trains through Harefield are delayed. More in Latest Travel News."),
                    Alert("Lifts at Ambridge are out of order & will be until Friday."),
                ])
        }
    }

    @Test("platforms that may not be shown are left out")
    func noPlatforms() throws {
        let board = try Rail.board(
            at: "12:00", #"{"std":"12:10","etd":"On time","platform":"4"}"#, more: #","platformAvailable":false"#)
        #expect(try Rail.feedResponse(board).departures.first?.platform == nil)
    }

    @Test("a withheld list is reported, and not taken for a night without trains")
    func withheld() throws {
        for body in [
            #"{"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","areServicesAvailable":false}"#,
            #"{"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","areServicesAvailable":"false","trainServices":null}"#,
        ] {
            let board = try RailBoard(marketplace: Array(body.utf8), Rail.response)
            let response = try Rail.feedResponse(board)
            #expect(response.isWithheld && response.shifted(by: .seconds(1)).isWithheld)
            #expect(response.alerts.isEmpty)
        }
    }

    @Test("a malformed row costs only itself")
    func badRows() throws {
        let body = """
            {"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","nrccMessages":["plain",{"value":"lower"},7],"trainServices":[
            7,null,{"std":"25:00","etd":"On time"},{"std":"12:05","etd":"On time","destination":[{"locationName":"A"},5]},
            {"std":"12:07","etd":"whenever","length":"6","serviceType":1,"operator":"Only Name"}],"busServices":{"a":1}}
            """
        let response = try Rail.feedResponse(RailBoard(marketplace: Array(body.utf8), Rail.response))
        #expect(
            picture(response, try Rail.zone()) == [
                "12:05 A [] : expected 12:05", "12:07  [] Only Name: timetabled 12:07, 6 coaches, bus",
            ])
        #expect(response.badRows == 4)
        #expect(response.alerts.map(\.text) == ["plain", "lower"])
    }
}
