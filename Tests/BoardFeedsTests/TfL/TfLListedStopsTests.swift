import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Stops of TfL's list, from invented entries")
struct TfLListedStopsTests {
    /// A bus stop of the list, with other or more fields at the end.
    private func pole(_ fields: String = "") -> String {
        #"""
        {"$type":"…","naptanId":"490000001N","indicator":"Stop N","stopLetter":"N","modes":["bus"],"smsCode":"51234",
        "stopType":"NaptanPublicBusCoachTram","stationNaptan":"490G00000001","hubNaptanCode":"HUBLRH",
        "lines":[{"id":"n73","name":"N73","crowding":{}},{"id":"390","name":"390"}],
        "lineGroup":[{"naptanIdReference":"490000001N","stationAtcoCode":"490G00000001","lineIdentifier":["n73","390"]}],
        "lineModeGroups":[{"modeName":"bus","lineIdentifier":["n73","390"]}],"status":true,"id":"490000001N",
        "commonName":"Larch Street","additionalProperties":[{"category":"Direction","key":"CompassPoint","value":"NW"},
        {"category":"Direction","key":"Towards","value":"  Mill Lane  Or Archway "}],"children":[],"lat":51.5,"lon":-0.125
        \#(fields)}
        """#
    }

    /// A bus stop in which one text replaces another.
    private func pole(_ this: String, as that: String) -> String {
        pole().split(separator: this, omittingEmptySubsequences: false).joined(separator: that)
    }

    private func stops(_ entries: String...) throws -> [ListedStop] {
        try listed(Array("{\"stopPoints\":[\(entries.joined(separator: ","))]}".utf8)).stops
    }

    private func stop(_ entry: String) throws -> ListedStop {
        let all = try stops(entry)
        #expect(all.count == 1)
        return try #require(all.first)
    }

    @Test("a bus stop has its letter, direction, lines with their mode, short code, coordinates and area")
    func whole() throws {
        #expect(
            try stop(pole())
                == ListedStop(
                    id: .tfl("490000001N"), kind: .pole, name: "Larch Street", letter: "N",
                    towards: "Mill Lane Or Archway", modes: ["bus"],
                    lines: [
                        ListedLine(Line(id: "n73", name: "N73"), mode: "bus", colour: "DC241F"),
                        ListedLine(Line(id: "390", name: "390"), mode: "bus", colour: "DC241F"),
                    ],
                    coordinates: Coordinates(latitude: 51.5, longitude: -0.125), parent: .tfl("490G00000001"),
                    shortCode: "51234"))
    }

    @Test("arrows and names are not letters; if the letter is missing, it comes from the indicator")
    func letters() throws {
        let letter = "\"stopLetter\":\"N\""
        #expect(try stop(pole(letter, as: "\"stopLetter\":\"->SE\"")).letter == "N")
        #expect(try stop(pole(letter, as: "\"stopLetter\":\"entrance\"")).letter == "N")
        #expect(try stop(pole(letter, as: "\"stopLetter\":\"KX1\"")).letter == "KX1")
        let none = { (indicator: String) in
            pole("\"indicator\":\"Stop N\",\"stopLetter\":\"N\"", as: "\"indicator\":\"\(indicator)\"")
        }
        #expect(try stop(none("Stop 20")).letter == "20")
        #expect(try stop(none("Stand R")).letter == "R")
        for indicator in ["Stop", "->SE", "E-bound", "Arrivals", "Stop ->N", "Stop opposite", ""] {
            #expect(try stop(none(indicator)).letter == nil, "\(indicator)")
        }
    }

    @Test("unknown values are nil: coordinates of 0,0, an invalid short code, an absent direction")
    func unknown() throws {
        #expect(try stop(pole("51.5,\"lon\":-0.125", as: "0.0,\"lon\":0.0")).coordinates == nil)
        #expect(try stop(pole("51.5", as: "151.5")).coordinates == nil)
        #expect(try stop(pole("51.5", as: "null")).coordinates == nil)
        #expect(try stop(pole("51.5,\"lon\":-0.125", as: "51.5,\"lon\":0.0")).coordinates?.longitude == 0)
        for code in ["5123", "512345", "5123a", "NONE", ""] {
            #expect(try stop(pole("51234", as: code)).shortCode == nil)
        }
        #expect(try stop(pole("\"Towards\"", as: "\"Away\"")).towards == nil)
        #expect(try stop(pole(" Mill Lane  Or Archway ", as: " ")).towards == nil)
    }

    @Test("names have no repeated blanks, line breaks or control characters")
    func names() throws {
        #expect(try stop(pole("Larch Street", as: #" Larch \r\n  Street\u00a0\u0007"#)).name == "Larch Street")
        #expect(try stop(pole("Larch Street", as: "King's Cross  é")).name == "King's Cross é")
    }

    @Test("the parent of a stop is its station or area, else its interchange, never itself")
    func parents() throws {
        #expect(try stop(pole("490G00000001\",\"hub", as: "490000001N\",\"hub")).parent == .tfl("HUBLRH"))
        #expect(
            try stop(pole("\"stationNaptan\":\"490G00000001\",\"hubNaptanCode\":\"HUBLRH\",", as: "")).parent == nil)
    }

    /// A station with a child of each form.
    private let station = #"""
        {"naptanId":"910GLARCHH","modes":["bus","overground"],"stopType":"NaptanRailStation","stationNaptan":"910GLARCHH",
        "hubNaptanCode":"HUBLRH","commonName":"Larch Hill Rail Station","lines":[{"id":"mildmay","name":"Mildmay"},
        {"id":"n73","name":"N73"},{"id":"390","name":"390"}],"lineGroup":[
        {"stationAtcoCode":"910GLARCHH","lineIdentifier":["mildmay"]},
        {"naptanIdReference":"490000001N","stationAtcoCode":"490G00000001","lineIdentifier":["390","n73"]},
        {"naptanIdReference":"490000001S","stationAtcoCode":"490G00000001","lineIdentifier":["390","x9"]}],
        "lineModeGroups":[{"modeName":"overground","lineIdentifier":["mildmay"]},
        {"modeName":"bus","lineIdentifier":["n73","390"]}],"lat":51.5,"lon":-0.1,"children":[
        {"naptanId":"4900LARCHH1","stopType":"NaptanRailEntrance","commonName":"Larch Hill","stopLetter":"1","children":[]},
        {"naptanId":"9100LARCHH","stopType":"NaptanRailAccessArea","commonName":"Larch Hill","children":[
        {"naptanId":"490000001S","stopType":"NaptanPublicBusCoachTram","commonName":"Larch Hill","modes":["bus"],
        "stationNaptan":"490G00000007","lines":[],"lineGroup":[],"lat":0.0,"lon":0.0}]},
        {"naptanId":"490G00000001","stopType":"NaptanOnstreetBusCoachStopPair","stationNaptan":"490G00000001",
        "commonName":"Larch Hill","modes":["bus"],"lines":[],"children":[
        {"id":"490000001N","stopType":"NaptanPublicBusCoachTram","stationNaptan":"490G00000009","commonName":"Larch Hill",
        "lines":[]}]},17,
        {"naptanId":"910GLARCHL","stopType":"NaptanRailStation","stationNaptan":"910GLARCHL","commonName":"Larch Low Level"}
        ]}
        """#

    @Test("the parts of a station follow it, with the lines that the station assigns to them; entrances are left out")
    func children() throws {
        let body = Array("{\"stopPoints\":[\(station)]}".utf8)
        let (page, all) = try listed(body)
        #expect(all.map(\.id.code) == ["910GLARCHH", "490000001S", "490G00000001", "490000001N", "910GLARCHL"])
        #expect(all.map(\.kind) == [.station, .pole, .area, .pole, .station])
        #expect(
            all.map { $0.lines.map(\.line.name) } == [
                ["Mildmay"], ["390", "X9"], ["390", "N73", "X9"], ["390", "N73"], [],
            ])
        #expect(all[3].lines.map(\.mode) == ["bus", "bus"])
        #expect(all.map(\.modes) == [["overground"], ["bus"], ["bus"], ["bus"], []])
        #expect(all.map(\.parent?.code) == ["HUBLRH", "490G00000007", "910GLARCHH", "490G00000001", "910GLARCHH"])
        #expect(page == StopPage(entries: 1, badRows: 1), "the child 17 is the bad row")
    }

    @Test("an interchange and an area have all lines of their parts, a bus station those of its stands")
    func groups() throws {
        let hub = pole("NaptanPublicBusCoachTram", as: "TransportInterchange")
        #expect(try stop(hub).lines.count == 2)
        let cluster = pole("NaptanPublicBusCoachTram", as: "NaptanOnstreetBusCoachStopCluster")
        #expect(try stop(cluster).lines.count == 2)
        let buses = try stop(pole("NaptanPublicBusCoachTram", as: "NaptanBusCoachStation"))
        #expect(buses.kind == .station)
        #expect(buses.lines.count == 2)
        #expect(buses.letter == nil)
    }

    @Test(
        "an entry without departures of its own is left out, and its children are not",
        arguments: [
            "NaptanRailEntrance", "NaptanMetroAccessArea", "NaptanMetroPlatform", "NaptanTaxiRank", "Tomorrow's", "",
        ])
    func leftOut(kind: String) throws {
        let entry = pole("\"children\":[]", as: "\"children\":[\(pole("0001N", as: "0002N"))]")
        let written = try stops(entry.replacing("NaptanPublicBusCoachTram", with: kind, maxReplacements: 1))
        #expect(written.map(\.id.code) == ["490000002N"])
    }

    @Test("a malformed entry costs only itself and is counted")
    func bad() throws {
        let entries = [
            "17", "null", "[]", "\"stop\"", "{}", pole("Larch Street", as: " "),
            pole("490000001N", as: "490/../1"), pole(), "{\"naptanId\":\"\u{FFFE}\"}",
        ]
        let (page, stops) = try listed(Array("{\"total\":10,\"stopPoints\":[\(entries.joined(separator: ","))]}".utf8))
        #expect(stops.count == 1)
        #expect(page == StopPage(entries: 9, badRows: 7, total: 10))
    }

    @Test("nested children are read twelve levels deep")
    func deep() throws {
        var entry = pole()
        for _ in 0..<40 { entry = pole("\"children\":[]", as: "\"children\":[\(entry)]") }
        let count = try stops(entry).count
        #expect((2...13).contains(count), "\(count)")
    }
}
