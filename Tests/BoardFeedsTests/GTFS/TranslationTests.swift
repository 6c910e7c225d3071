import BoardCore
import BoardDisplays
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

/// From the archive to the rows of a stop and the stop directory.
@Suite("Names in other languages (translations.txt)", .endsHangs)
struct TranslationTests {
    private static let lcd = DisplayWiring(driver: .hd44780).drawnText
    private static let header = "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"

    /// The park is 公園, the quay 港, line 1 is 一番; the names are translated for each record but for the headsign.
    private static func japan(_ translations: String) -> GTFSFixture {
        var fixture = GTFSFixture()
        for (file, changes) in [
            "stops.txt": ["P,Park": "P,公園", "Q,Quay": "Q,港", "R,Ridge": "R,みね"],
            "routes.txt": ["1,1,First": "1,一番,First"],
            "trips.txt": ["a,Quay via Park": "a,公園経由港"], "stop_times.txt": [",20,Quay,": ",20,,"],
        ] {
            for (old, new) in changes { fixture.files[file] = fixture.files[file]?.replacing(old, with: new) }
        }
        fixture.files["translations.txt"] = translations
        return fixture
    }

    private static let everything =
        header + """
            stops,stop_name,en,Park,P,,
            stops,stop_name,de,Stadtpark,P,,
            stops,stop_name,ja,公園,P,,
            stops,stop_name,ja-Hrkt,こうえん,P,,
            stops,stop_name,ja-Hrkt,ミナトばし,Q,,
            routes,route_short_name,en,No. 1,1,,
            trips,trip_headsign,en,Quay via Park,,,公園経由港
            feed_info,feed_publisher_name,en,Operator,,,

            """

    private func response(_ fixture: GTFSFixture, _ names: NameChoice, at stop: String = "P") async throws -> String {
        let feed = try GTFSTestServer(fixture).feed(names: names)
        let response = try await feed.departures(FeedRequest(stop: Town.stop(stop)))
        return (response.stop.name ?? "-") + ": " + (GTFSTestServer.rows(response).first ?? "-")
    }

    @Test("the board's language comes first, the operator's own name next; a line that can be drawn keeps its own")
    func language() async throws {
        let fixture = Self.japan(Self.everything)
        #expect(try await response(fixture, NameChoice(language: .english)) == "Park: 一番 Quay via Park *08:11")
        #expect(try await response(fixture, NameChoice(language: .german)) == "Stadtpark: 一番 公園経由港 *08:11")
    }

    @Test("a display that cannot draw a name has the English one, else another that it can draw")
    func drawable() async throws {
        let names = NameChoice(language: .german, drawn: Self.lcd.text)
        let fixture = Self.japan(Self.everything)
        #expect(try await response(fixture, names) == "Stadtpark: No. 1 Quay via Park *08:11")
        #expect(try await response(fixture, names, at: "Q") == "ﾐﾅﾄﾊ゛ｼ: Second ﾐﾈ *09:00")
    }

    @Test("kana without a translation are in half-width katakana where the display has those")
    func kana() async throws {
        let fixture = Self.japan(Self.header)
        #expect(try await response(fixture, NameChoice(drawn: Self.lcd.text), at: "R") == "ﾐﾈ: -")
        let european = DisplayWiring(driver: .hd44780, panel: Panel(size: DisplaySize(columns: 20, rows: 4), rom: .a02))
            .drawnText
        #expect(try await response(fixture, NameChoice(drawn: european.text), at: "R") == "みね: -")
    }

    @Test(
        "a headsign that is the name of a stop has the stop's translation, and so has the last stop of a trip without a headsign"
    )
    func headsign() async throws {
        var fixture = Self.japan(Self.header + "stops,stop_name,en,The Quay,Q,,\nstops,stop_name,en,The Ridge,R,,\n")
        fixture.files["trips.txt"] = fixture.files["trips.txt"]?.replacing("公園経由港", with: "港")
        #expect(try await response(fixture, NameChoice()) == "公園: 一番 The Quay *08:11")
        #expect(try await response(fixture, NameChoice(), at: "Q") == "The Quay: Second The Ridge *09:00")
    }

    @Test("a trip's own translation comes before that of its headsign, and a call's headsign has its own")
    func records() async throws {
        var fixture = Self.japan(
            Self.header + """
                trips,trip_headsign,en,Every Quay,,,公園経由港
                trips,trip_headsign,en,This Quay,a,,
                stop_times,stop_headsign,en,Quay Only,,,港のみ

                """)
        #expect(try await response(fixture, NameChoice()) == "公園: 一番 This Quay *08:11")
        fixture.files["stop_times.txt"] = fixture.files["stop_times.txt"]?.replacing("P,20,,", with: "P,20,港のみ,")
        #expect(try await response(fixture, NameChoice()) == "公園: 一番 Quay Only *08:11")
    }

    @Test("the form of before 2020 is read; a file that is none costs no departures, and is counted")
    func forms() async throws {
        let old = Self.japan("trans_id,lang,translation\n公園,en,Park\n公園経由港,en,Quay via Park\n")
        #expect(try await response(old, NameChoice()) == "Park: 一番 Quay via Park *08:11")
        let none = Self.japan("what,is,this\n1,2,3\n")
        #expect(try await response(none, NameChoice()) == "公園: 一番 公園経由港 *08:11")
        #expect(try none.read(["P"]).report.badRows[.translations]?.count == 1)
    }

    @Test("the setting language comes before the board's, for alerts and names")
    func setting() async throws {
        for (display, name) in [(DrawnText.any, "こうえん"), (Self.lcd, "ｺｳｴﾝ")] {
            let feed = try GTFSTestServer(Self.japan(Self.everything))
                .feed(settings: ["language": "ja-Hrkt"], names: NameChoice(drawn: display.text))
            #expect(try await feed.departures(FeedRequest(stop: Town.stop("P"))).stop.name == name)
        }
    }

    @Test("the stop directory has the name that the board shows, and every other one for a search")
    func directory() async throws {
        let catalogue = try GTFSTestServer(Self.japan(Self.everything)).catalogue(names: NameChoice(language: .german))
        let found = Mutex<[ListedStop]>([])
        _ = try await catalogue.stops(page: 1) { stop in found.withLock { $0.append(stop) } }
        let park = try #require(found.withLock { $0.first { $0.id.code == "P" } })
        #expect(park.name == "Stadtpark")
        #expect(park.otherNames == ["公園", "Park", "こうえん"])
        #expect(park.lines.map(\.line.name) == ["一番", "Second"])
        #expect(
            try await catalogue.route(of: "1")?.directions.first?.branches.first?.stops.map(\.name).contains(
                "Stadtpark") == true)
    }

    @Test("a file with more languages than there are is read as far as a timetable has some")
    func bounded() throws {
        let rows = (0..<1_000).map { "stops,stop_name,x\($0),Name \($0),P,,\n" }.joined()
        let read = try Self.japan(Self.header + rows).read(["P"])
        #expect(read.timetable.places.contains { $0.name == "公園" })
        var translations = Translations(NameChoice())
        try translations.read(GTFSFixture.archive(Self.japan(Self.header + rows).zip().bytes))
        #expect(translations.others(than: "", of: "公園", .stopName, of: "P").count == 33)
    }
}
