import BoardCore
import Testing

@testable import BoardFeeds

@Suite("What a board of National Rail means")
struct RailBoardTests {
    private func answers(towards: String? = nil) throws -> [FeedAnswer] {
        let told = try Rail.board(xml: Fixtures.own("rail_board.xml"))
        let xml = try #require(told)
        let json = try RailBoard(marketplace: Fixtures.own("rail_board.json"), withCalls: false)
        return try [Rail.answer(xml, towards: towards), Rail.answer(json, towards: towards)]
    }

    @Test("of a notice the first 2,000 letters are kept")
    func longNotice() {
        let board = RailBoard(messages: [String(repeating: "a", count: 2_001)])
        #expect(board.alerts.map(\.text.count) == [2_000])
    }

    @Test("of the places that a train goes to 16 are named")
    func manyPlaces() throws {
        var train = RailService()
        train.scheduled = "12:00"
        train.destinations = "ABCDEFGHIJKLMNOPQRST".map { RailPlace(name: String($0)) }
        let answer = try Rail.answer(RailBoard(services: [train]))
        #expect(
            answer.departures.map(\.destination) == ["A & B & C & D & E & F & G & H & I & J & K & L & M & N & O & P"])
    }

    @Test("both transports tell the same")
    func same() throws {
        let answers = try answers()
        #expect(answers[0] == answers[1])
    }

    @Test(
        "a night's board: late, uncertain, cancelled, short of plan, a bus in its place, in the operator's order")
    func night() throws {
        for answer in try answers() {
            #expect(
                picture(answer, try Rail.zone()) == [
                    "23:41 Ashcombe & Seaholme [3] VR: expected 00:07, via Harefield, 8 coaches",
                    "23:58 Ashcombe [13A] VR: expected 23:58",
                    "00:04 Seaholme [] CL: delayed",
                    "00:12 Seaholme [] CL: cancelled, from Harefield",
                    "00:20 Seaholme [1] CL: expected 00:22, as far as Harefield",
                    "00:35 Seaholme [1] CL: expected 00:35",
                    "00:15 Ashcombe [] VR: expected 00:15, bus",
                ])
            #expect(answer.stop.name == "Ambridge")
            // It only arrives.
            #expect(answer.badRows == 1)
        }
    }

    @Test("a train that does not call where a person goes is cancelled for that person")
    func passes() throws {
        for answer in try answers(towards: "SHM") {
            #expect(answer.departures.last { $0.journey?.isReplacement != true }?.status == .cancelled)
        }
    }

    @Test("an estimate is made when the board was, and void two minutes after the latest time that is told")
    func life() throws {
        let answers = try answers()
        let rows = try #require(answers.first).departures
        let made = try Rail.time("2026-03-02T23:50:10.123456Z")
        #expect(rows.allSatisfy { $0.made == made })
        #expect(try rows[0].void == Rail.time("2026-03-03T00:09:00Z"))
        #expect(try rows[1].void == Rail.time("2026-03-03T00:00:00Z"))
        #expect(try rows[2].void == Rail.time("2026-03-03T00:06:00Z"))
        #expect(try rows[3].void == Rail.time("2026-03-03T00:14:00Z"))
    }

    @Test("a train stays as long as boards list it, though its time has passed")
    func lingering() throws {
        var board = RailBoard(made: try Rail.time("2026-03-02T12:10:00Z"))
        board.services = [
            RailService(scheduled: "11:30", estimated: "Delayed"),
            RailService(scheduled: "12:00", estimated: "On time"),
        ]
        let rows = try Rail.answer(board).departures
        #expect(try rows.map(\.void) == [Rail.time("2026-03-02T12:15:00Z"), Rail.time("2026-03-02T12:12:00Z")])
        #expect(rows.map(\.status) == [.delayed, .expected(try Rail.time("2026-03-02T12:00:00Z"))])
    }

    @Test("a train that is hours late is today's, and leaves the glass soon after the boards")
    func hoursLate() throws {
        var board = RailBoard(made: try Rail.time("2026-03-02T12:30:00Z"))
        board.services = [
            RailService(scheduled: "10:00", estimated: "12:45"), RailService(scheduled: "10:02", estimated: "Delayed"),
            RailService(scheduled: "10:05", estimated: "Cancelled"), RailService(scheduled: "10:10"),
        ]
        let rows = try Rail.answer(board).departures
        #expect(
            try rows.map(\.booked)
                == ["10:00", "10:02", "10:05", "10:10"].map { try Rail.time("2026-03-02T\($0):00Z") })
        #expect(try rows.first?.status == .expected(Rail.time("2026-03-02T12:45:00Z")))
        #expect(
            try rows.map(\.void)
                == ["12:47", "12:35", "12:32", "12:32"].map { try Rail.time("2026-03-02T\($0):00Z") })
    }

    @Test("reasons are told, and say nothing of the state")
    func reasons() throws {
        let answers = try answers()
        let rows = try #require(answers.first).departures
        // Running, with the reason of a cancellation that did not come about.
        #expect(rows[1].journey?.reason == nil)
        #expect(rows[0].journey?.reason == "This train has been delayed by a tree on the line")
        #expect(rows[3].journey?.reason == "This train has been cancelled because of a shortage of train crew")
        #expect(rows[4].journey?.reason == "This train has been cancelled because of a points failure")
    }

    @Test("notices of the station are alerts: without HTML, each once")
    func notices() throws {
        for answer in try answers() {
            #expect(
                answer.alerts == [
                    Alert("Trains through Harefield are delayed. More in Latest Travel News."),
                    Alert("Lifts at Ambridge are out of order & will be until Friday."),
                ])
        }
    }

    @Test("where platforms may not be shown there are none")
    func noPlatforms() throws {
        var board = RailBoard(made: try Rail.time("2026-03-02T12:00:00Z"), showsPlatforms: false)
        board.services = [RailService(scheduled: "12:10", estimated: "On time", platform: "4")]
        #expect(try Rail.answer(board).departures.first?.platform == nil)
    }

    @Test("a list that the operator withholds is said, and does not look like a night without trains")
    func withheld() throws {
        for body in [
            #"{"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","areServicesAvailable":false}"#,
            #"{"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","areServicesAvailable":"false","trainServices":null}"#,
        ] {
            let board = try RailBoard(marketplace: Array(body.utf8), withCalls: false)
            let answer = try Rail.answer(board)
            #expect(answer.isWithheld && answer.shifted(by: .seconds(1)).isWithheld)
            #expect(answer.alerts.isEmpty)
        }
    }

    @Test("a row that cannot be read costs that row")
    func badRows() throws {
        let body = """
            {"generatedAt":"2026-03-02T12:00:00Z","crs":"AMB","nrccMessages":["plain",{"value":"lower"},7],"trainServices":[
            7,null,{"std":"25:00","etd":"On time"},{"std":"12:05","etd":"On time","destination":[{"locationName":"A"},5]},
            {"std":"12:07","etd":"whenever","length":"6","serviceType":1,"operator":"Only Name"}],"busServices":{"a":1}}
            """
        let answer = try Rail.answer(RailBoard(marketplace: Array(body.utf8), withCalls: false))
        #expect(
            picture(answer, try Rail.zone()) == [
                "12:05 A [] : expected 12:05", "12:07  [] Only Name: timetabled 12:07, 6 coaches, bus",
            ])
        #expect(answer.badRows == 4)
        #expect(answer.alerts.map(\.text) == ["plain", "lower"])
    }
}
