import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("TfL's arrivals")
struct TfLArrivalsTests {
    private let pole = StopID(feed: TfLFeed.name, code: "490099901X")
    private let tube = StopID(feed: TfLFeed.name, code: "940GZZLUXXA")
    private let eight = Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0)

    private func read(
        _ body: [UInt8], at stop: StopID, date: String? = "Mon, 02 Mar 2026 08:00:30 GMT"
    ) throws -> TfLDepartures {
        let response = HTTPResponse(
            status: 200, headers: date.map { [.init("Date", $0)] } ?? [], received: eight + .seconds(31))
        return try TfLDepartures(arrivals: body, at: stop.code, for: stop, response)
    }

    private func read(_ json: String) throws -> TfLDepartures { try read(Array(json.utf8), at: tube) }

    @Test("a bus has all its properties and timestamps")
    func bus() throws {
        let part = try read(Fixtures.own("arrivals_bus.json"), at: pole)
        #expect(part.name == "Larch Street / Mill Lane")
        #expect(part.letter == "X")
        #expect(part.badRows == 0)
        #expect(
            part.departures.first
                == Departure(
                    stop: pole, line: Line(id: "73", name: "73"), lineColour: "DC241F", mode: .bus,
                    destination: "Harbour Green", vehicle: "ZZ71ABC",
                    platform: "X", direction: "outbound", status: .expected(eight + .seconds(300)),
                    madeAt: eight + .microseconds(123_456), expiresAt: eight + .seconds(330)))
        #expect(part.departures.map(\.line.name) == ["73", "N109", "390"])
    }

    @Test(
        "a line has the colour of TfL's colour standard, and a prediction the mode",
        arguments: [
            ("n73", "bus", "DC241F", .bus), ("victoria", "tube", "039BE5", .metro), ("dlr", "dlr", "00AFAD", .metro),
            ("tram", "tram", "5FB526", .tram), ("rb1", "river-bus", nil, .ferry),
            ("london-cable-car", "cable-car", "734FA0", nil),
        ] as [(String, String, String?, TransitMode?)])
    func look(_ line: String, _ mode: String, _ colour: String?, _ expected: TransitMode?) throws {
        let row = #"{"lineId":"\#(line)","modeName":"\#(mode)","destinationName":"Park","timeToStation":60}"#
        let departure = try #require(try read("[\(row)]").departures.first)
        #expect(departure.lineColour == colour)
        #expect(departure.mode == expected)
    }

    @Test("of one vehicle's predictions the newest counts")
    func duplicates() throws {
        let part = try read(Fixtures.own("arrivals_bus.json"), at: pole)
        let bus = try #require(part.departures.first { $0.line.id == "390" })
        #expect(bus.madeAt == eight + .milliseconds(20_500))
        #expect(bus.status == .expected(eight + .seconds(90)))
    }

    @Test("odd rows: valid ones are shown, terminating ones are not, incomplete ones are counted")
    func odd() throws {
        let part = try read(Fixtures.own("arrivals_tube_odd.json"), at: tube)
        // Bad: null, 17, "row", []; no time; no line.
        #expect(part.badRows == 6)
        let byVehicle = Dictionary(grouping: part.departures, by: \.vehicle)
        #expect(byVehicle["112"]?.first?.destination == "Mill Park Underground Station")
        #expect(byVehicle["112"]?.first?.platform == "4")
        #expect(byVehicle["113"]?.first?.destination == "Check Front of Train")
        #expect(byVehicle["113"]?.first?.direction == "Southbound")
        #expect(byVehicle["114"]?.first?.destination == "", "the board has its own word for it")
        #expect(byVehicle["115"] == nil, "a train that ends here does not depart")
        #expect(byVehicle["118"] == nil, "operationType 2 deletes")
        #expect(byVehicle["000"] == nil, "a set number of zeros names no train")
        // Two trains without a set number, and one call twice without a vehicle.
        #expect(byVehicle[""]?.count == 3)
        #expect(byVehicle["116"]?.first?.platform == nil)
        #expect(byVehicle["116"]?.first?.direction == nil)
        #expect(byVehicle["116"]?.first?.status == .expected(eight + .microseconds(90_123_456)))
        #expect(byVehicle["117"]?.first?.madeAt == eight + .seconds(30), "no timestamp: the operator's clock")
        #expect(
            byVehicle["117"]?.first?.expiresAt == eight + .seconds(660), "no time to live: a train's is its arrival")
        #expect(byVehicle["121"]?.first?.status == .expected(eight + .microseconds(600_123_456)))
        #expect(byVehicle["121"]?.first?.line == Line(id: "harbour", name: "harbour"))
        #expect(part.departures.count == 9)
    }

    @Test("a bus without a time to live expires 30 s after its estimate")
    func busLife() throws {
        let part = try read(
            #"[{"lineId":"73","modeName":"bus","timestamp":"2026-03-02T08:00:00Z","expectedArrival":"2026-03-02T08:05:00Z"}]"#
        )
        #expect(part.departures.first?.expiresAt == eight + .seconds(330))
    }

    @Test("without a Date the estimate was made at receipt")
    func noDate() throws {
        let body = Array(#"[{"lineId":"73","timeToStation":60}]"#.utf8)
        let departure = try #require(try read(body, at: pole, date: nil).departures.first)
        #expect(departure.madeAt == eight + .seconds(31))
        #expect(departure.status == .expected(eight + .seconds(91)))
    }

    @Test(
        "platform names",
        arguments: [
            ("N", true, "N", "N", nil), ("null", true, "null", nil, nil),
            ("Northbound - Platform 4", false, "4", nil, "Northbound"), ("Platform Unknown", false, nil, nil, nil),
            ("Unknown", false, nil, nil, nil),
            ("Platform 2", false, "2", nil, nil), ("Eastbound", false, nil, nil, "Eastbound"),
            ("Eastbound Platform", false, nil, nil, "Eastbound"), ("Platform", false, "Platform", nil, nil),
            ("Westbound Platform 1", false, "1", nil, "Westbound"),
            ("Stop towards the river", true, "Stop towards the river", nil, nil),
        ] as [(String, Bool, String?, String?, String?)])
    func platforms(name: String, isBus: Bool, platform: String?, letter: String?, direction: String?) {
        let read = TfLPlatform(name == "null" ? nil : name, isBus: isBus)
        #expect(read.platform == (name == "null" ? nil : platform))
        #expect(read.letter == letter)
        #expect(read.direction == direction)
    }

    @Test("recorded: buses of 2017 and 2026, a tube station of 2026, an empty response", .needsRecordings)
    func recorded() throws {
        for (name, code, count, letter) in [
            ("arrivals_bus_fsaar_2017", "490007960P", 2, "P"),
            ("arrivals_bus_towards_walthamstow_2026", "490009131E", 4, "LF"),
            ("arrivals_tube_oxford_circus_2026", "940GZZLUOXC", 15, nil), ("arrivals_none", "940GZZLUOXC", 0, nil),
        ] as [(String, String, Int, String?)] {
            guard let body = Recordings.read("tfl/\(name).json") else { continue }
            let part = try read(body, at: StopID(feed: TfLFeed.name, code: code))
            #expect(part.departures.count == count, "\(name)")
            #expect(part.badRows == 0, "\(name)")
            #expect(part.letter == letter, "\(name)")
            #expect(part.departures.allSatisfy { $0.expiresAt >= $0.due && $0.madeAt < $0.due }, "\(name)")
        }
    }
}
