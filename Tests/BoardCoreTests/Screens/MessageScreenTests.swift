import BoardCore
import Testing

@Suite("A message")
struct MessageScreenTests {
    /// Answers for a minute, then fails for ever.
    private func fails(after seconds: Int64 = 60, _ kind: FeedFailure.Kind) -> Hallway.Operator {
        { request, time in
            if time - Hallway.start < .seconds(seconds) { return oxford(request, time) }
            return .failure(FeedFailure(kind, detail: "told by a test"))
        }
    }

    @Test(
        "takes the last row while a departure is valid",
        arguments: [
            (FeedFailure.Kind.noNetwork, "No network          "),
            (.timedOut, "No TfL since 12:04  "),
            (.status(500), "TfL error 500 12:04 "),
            (.unreadable, "TfL garbled 12:04   "),
            (.rateLimited(retryAfter: nil), "TfL busy since 12:04"),
            (.certificate, "TfL unsafe 12:04    "),
            (.certificateDate, "TfL unsafe 12:04    "),
            (.keyRejected, "TfL refuses key     "),
            (.keyMissing, "TfL wants a key     "),
            (.unknownStop, "Not a stop of TfL   "),
        ] as [(FeedFailure.Kind, String)])
    func lastRow(kind: FeedFailure.Kind, row: String) {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: fails(kind))
        hallway.wait(.seconds(100))
        #expect(hallway.glass[3] == row)
        #expect(hallway.glass[1] == "390 Archway       3m")
    }

    @Test(
        "has the whole page when no departure is left",
        arguments: [
            (FeedFailure.Kind.noNetwork, ["No network", "", ""]),
            (.timedOut, ["TfL does not answer", "since 12:04", ""]),
            (.status(503), ["TfL has failed since", "12:04 (error 503)", ""]),
            (.unreadable, ["TfL's answers cannot", "be read since 12:04", ""]),
            (.rateLimited(retryAfter: nil), ["TfL wants fewer", "questions since", "12:04"]),
            (.keyRejected, ["TfL refuses the key", "(restart after", "changing it)"]),
            (.keyMissing, ["TfL wants a key", "(restart after", "adding it)"]),
            (.unknownStop, ["TfL does not know", "this stop", ""]),
        ] as [(FeedFailure.Kind, [String])])
    func page(kind: FeedFailure.Kind, rows: [String]) {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: failing(kind))
        hallway.wait(.seconds(3))
        let glass = hallway.glass.dropFirst().map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
        #expect(glass == rows)
        #expect(hallway.glass[0].hasPrefix("Oxford St     12:04"))
    }

    @Test("on two rows takes turns with the second one, four seconds each")
    func turns() {
        var options = BoardOptions()
        options.rotation = .off
        var hallway = Hallway([Favourite(stop: .oxford)], size: .small, options: options, answer: fails(.noNetwork))
        hallway.wait(.seconds(92))
        var seconds: [String: Int] = [:]
        for _ in 0..<16 {
            seconds[hallway.glass[1], default: 0] += 1
            hallway.wait(.seconds(1))
        }
        #expect(seconds.keys.sorted() == ["N73 Waltha?13:11", "No network      "])
        #expect(seconds.values.sorted() == [8, 8])
    }

    @Test("of a single lost answer is not made: the bar alone tells")
    func oneLostAnswer() {
        var hallway = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, time in
                let second = time - Hallway.start
                if second > .seconds(20), second < .seconds(34) { return .failure(FeedFailure(.timedOut, detail: "")) }
                return oxford(request, time)
            })
        hallway.wait(.seconds(33))
        #expect(hallway.glass[0].last == "×")
        #expect(hallway.glass[3].contains("Walthamsto"))
        hallway.wait(.seconds(10))
        #expect(hallway.glass[0].last == "▇")
    }

    @Test("says that the time is waited for while the clock is unsure and certificates fail by date")
    func waitingForTime() {
        let wrong = CorrectedClock.Reading(wall: Timestamp(seconds: 1_600_000_000), isSynchronised: false)
        var hallway = Hallway([Favourite(stop: .oxford)], reading: wrong, answer: failing(.certificateDate))
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |490008660N   12:26?×|
            |Waiting for the time|
            |                    |
            |                    |
            """)
    }

    @Test("says since when a feed is frozen although it answers")
    func frozen() {
        let frozen: Hallway.Operator = { request, _ in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"),
                    departures: [.bus("73", to: "Oxford Circus", in: .seconds(3_000), from: Hallway.start)]))
        }
        var hallway = Hallway([Favourite(stop: .oxford)], answer: frozen)
        hallway.wait(.seconds(280))
        #expect(!hallway.text.contains("frozen"))
        hallway.wait(.seconds(60))
        expectGlass(
            hallway,
            """
            |Oxford Street 12:09▃|
            |73 Oxford Circus?44m|
            |                    |
            |TfL frozen 12:03    |
            """)
    }

    @Test("says at once that a feed is frozen whose newest estimate is more than ten minutes old, and of when it is")
    func frozenAtFirst() throws {
        func answer(_ age: Duration) -> Hallway.Operator {
            { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop, name: "Oxford Street"),
                        departures: [.bus("73", to: "Oxford Circus", in: .seconds(3_000), from: time, age: age)]))
            }
        }
        var hallway = Hallway([Favourite(stop: .oxford)], answer: answer(.seconds(3_600)))
        hallway.wait(.seconds(3))
        #expect(hallway.glass[3] == "TfL frozen 11:04    ", "\(hallway.text)")
        try hallway.restart(after: .seconds(1))
        #expect(hallway.glass[3] == "TfL frozen 11:04    ", "\(hallway.text)")
        // It moves again.
        hallway.answer = answer(.seconds(500))
        hallway.wait(.seconds(40))
        #expect(!hallway.text.contains("frozen"))
    }

    @Test("about a frozen feed is not made because of one estimate from the future")
    func future() {
        var hallway = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, time in
                let wrong = Departure.bus("1", to: "Bow", in: .seconds(600), from: time, age: .seconds(-90_000_000))
                let right = Departure.bus("2", to: "Bow", in: .seconds(600), from: time)
                return .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: time - Hallway.start < .seconds(20) ? [wrong] : [right]))
            })
        hallway.wait(.seconds(1_200))
        #expect(!hallway.text.contains("frozen"))
    }

    @Test("says that it loads, that nothing is predicted, and that there are no favourites")
    func emptiness() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: { _, _ in nil })
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |490008660N    12:04 |
            |Loading             |
            |                    |
            |                    |
            """)
        hallway = Hallway([Favourite(stop: .oxford)])
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |490008660N    12:04█|
            |Nothing predicted   |
            |                    |
            |                    |
            """)
        hallway = Hallway([])
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |All stops     12:04 |
            |No favourites yet:  |
            |boardd favourites   |
            |add STOP            |
            """)
        hallway = Hallway([], size: .wide)
        hallway.wait(.seconds(3))
        expectGlass(
            hallway,
            """
            |No favourites yet: boardd stops search  |
            |NAME, then boardd favourites add STOP   |
            """)
    }

    @Test("says in the language of the glass that a list is withheld, also after a restart, and beside what is told")
    func withheld() throws {
        let options = BoardOptions(language: .german)
        let answer: Hallway.Operator = { request, time in
            let bus = Departure.bus("73", to: "Bow", in: .seconds(610), from: time, stop: request.stop)
            let isTold = time - Hallway.start > .seconds(20)
            return .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"), departures: isTold ? [bus] : [],
                    isWithheld: true))
        }
        var hallway = Hallway([Favourite(stop: .oxford)], options: options, answer: answer)
        hallway.wait(.seconds(3))
        let page = """
            |TfL zeigt hier      |
            |zurzeit keine       |
            |Abfahrten           |
            """
        #expect(hallway.text.hasSuffix(page), "\(hallway.text)")
        try hallway.restart(after: .seconds(1))
        #expect(hallway.text.hasSuffix(page), "\(hallway.text)")
        hallway.send(.woke)
        hallway.wait(.seconds(40))
        #expect(hallway.glass[1].hasPrefix("73 Bow"))
        #expect(hallway.glass[3] == "TfL zeigt nichts an ")
    }

    @Test("says when the first one departs where the last has gone, also after a restart, and not once that is past")
    func lastGone() throws {
        let answer: Hallway.Operator = { request, _ in
            let stop = Stop(id: request.stop, name: "Oxford Street")
            return .success(
                FeedResponse(stop: stop, departures: [], next: .nextDay(Hallway.start + .seconds(5 * 3_600))))
        }
        var hallway = Hallway([Favourite(stop: .oxford)], answer: answer)
        hallway.wait(.seconds(3))
        let page = """
            |Last one gone, first|
            |at 17:04            |
            |                    |
            """
        #expect(hallway.text.hasSuffix(page), "\(hallway.text)")
        try hallway.restart(after: .seconds(1))
        #expect(hallway.text.hasSuffix(page), "\(hallway.text)")
        hallway.wait(.seconds(5 * 3_600))
        #expect(hallway.glass[1] == "Nothing predicted   ")
    }

    @Test("says when the next one departs, and not that the last has gone, where more of this day are to come")
    func nextLater() {
        var hallway = Hallway([Favourite(stop: .oxford)]) { request, _ in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"), departures: [],
                    next: .laterToday(Hallway.start + .seconds(3 * 3_600))))
        }
        hallway.wait(.seconds(3))
        #expect(hallway.glass[1] == "Next one at 15:04   ", "\(hallway.text)")
    }

    @Test(
        "says when the operator's timetable ended, also after a restart, and on the overview beside what others tell",
        arguments: [
            (Panel.Size.usual, ["TfL's timetable", "ended on 1 Mar", ""]),
            (.small, ["TfL's timetable", "ended on 1 Mar"]),
        ])
    func timetableEnded(size: Panel.Size, page: [String]) throws {
        // The board begins on 2 March at 12:04.
        let end = try #require(Timestamp(rfc3339: "2026-03-02T00:00:00Z"))
        let other = StopID(feed: StopID.oxford.feed, code: "other")
        let answer: Hallway.Operator = { request, time in
            if request.stop == other { return oxford(request, time) }
            return .success(
                FeedResponse(stop: Stop(id: request.stop, name: "Oxford Street"), departures: [], timetableEndsAt: end))
        }
        var options = BoardOptions()
        options.rotation = .off
        var hallway = Hallway([Favourite(stop: .oxford)], size: size, options: options, answer: answer)
        hallway.wait(.seconds(3))
        func rows() -> [String] {
            hallway.glass.suffix(page.count).map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
        }
        #expect(rows() == page)
        try hallway.restart(after: .seconds(1))
        #expect(rows() == page)
        options.home = .overview
        var both = Hallway(
            [Favourite(stop: .oxford), Favourite(stop: other)], size: size, options: options, answer: answer)
        both.wait(.seconds(3))
        let rows = Set(
            [
                both.glass,
                {
                    both.wait(.seconds(4)); return both.glass
                }(),
            ].compactMap(\.last))
        #expect(rows.contains { $0.hasPrefix("Timetable ended 1") || $0.hasPrefix("Data to 1 Mar") }, "\(rows)")
    }

    @Test("nothing is said of the end before it, and it is said at that very moment; rows that are left count more")
    func timetableEnds() {
        let end = Hallway.start + .seconds(600)
        var hallway = Hallway([Favourite(stop: .oxford)]) { request, time in
            let bus = Departure.bus("73", to: "Bow", in: .seconds(1_200), from: time, stop: request.stop)
            let isLate = time >= Hallway.start + .seconds(900)
            return .success(
                FeedResponse(stop: Stop(id: request.stop), departures: isLate ? [bus] : [], timetableEndsAt: end))
        }
        hallway.wait(.seconds(500))
        #expect(hallway.glass[1] == "Nothing predicted   ")
        hallway.wait(.seconds(101))
        #expect(hallway.glass[1].hasPrefix("TfL's timetable"))
        hallway.wait(.seconds(340))
        #expect(hallway.glass[1].hasPrefix("73 Bow") && hallway.glass[3] == "                    ")
    }

    @Test("names the day of a first departure that is further away than a night, and the time when it is near")
    func notBefore() {
        let first = Hallway.start + .seconds(21 * 86_400)
        func glass(_ time: Timestamp) -> [String] {
            var hallway = Hallway([Favourite(stop: .oxford)], at: time) { request, _ in
                .success(FeedResponse(stop: Stop(id: request.stop), departures: [], next: .nextDay(first)))
            }
            hallway.wait(.seconds(3))
            return Array(hallway.glass.dropFirst())
        }
        #expect(glass(Hallway.start) == ["Nothing runs before ", "23 Mar              ", "                    "])
        #expect(glass(first - .seconds(23 * 3_600)).first == "Nothing runs before ")
        #expect(glass(first - .seconds(21 * 3_600)).first == "Last one gone, first")
    }

    @Test("a part of an answer that a key is wanted for is said beside the departures")
    func refusedPart() {
        let answer: Hallway.Operator = { request, time in
            let bus = Departure.bus("73", to: "Bow", in: .seconds(610), from: time, stop: request.stop)
            return .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Street"), departures: [bus],
                    partialFailure: FeedFailure(.keyMissing, detail: "a key is wanted")))
        }
        var hallway = Hallway([Favourite(stop: .oxford)], answer: answer)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[1].hasPrefix("73 Bow"))
        #expect(hallway.glass[3] == "TfL wants a key     ", "\(hallway.text)")
    }

    @Test("about a faulty configuration names the place and goes when the file is mended")
    func faultyConfiguration() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: oxford)
        hallway.wait(.seconds(3))
        hallway.send(.faultyConfiguration(FilePosition(file: "/etc/boardd/boardd.toml", line: 12)))
        #expect(hallway.glass[3] == "boardd.toml line 12 ")
        #expect(hallway.glass[1] == "73  Oxford Cir   due")
        hallway.send(.configured(hallway.setup))
        #expect(hallway.glass[3].contains("Walthamsto"))
    }

    @Test("never empties the board: unreadable rows leave the old ones to age")
    func unreadableRows() {
        var hallway = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, time in
                if time - Hallway.start < .seconds(20) { return oxford(request, time) }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [], badRows: 9))
            })
        hallway.wait(.seconds(100))
        #expect(hallway.glass[1] == "390 Archway       3m")
        #expect(hallway.glass[3] == "TfL garbled 12:04   ")
    }

    @Test("at start names the operators' data for two seconds")
    func attribution() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: oxford)
        expectGlass(
            hallway,
            """
            |boardd              |
            |Powered by TfL Open |
            |Data                |
            |                    |
            """)
        hallway.wait(.seconds(2))
        #expect(!hallway.text.contains("Powered"))
    }

    @Test("is the last thing on the glass when the program ends")
    func farewell() {
        let hallway = Hallway([Favourite(stop: .oxford)], answer: oxford)
        #expect(
            hallway.board.shutdownFrame(at: hallway.now).lines.prefix(2) == [
                "boardd stopped at   ", "12:04               ",
            ])
    }
}
