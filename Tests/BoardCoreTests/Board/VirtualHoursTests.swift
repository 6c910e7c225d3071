import BoardCore
import Testing

@Suite("Hours in the hallway")
struct VirtualHoursTests {
    /// Buses that come and go all day, each estimate wandering a little, as a function of the time alone.
    private static let life: Hallway.Operator = { request, time in
        let departures = (0..<12).map { index -> Departure in
            // A bus every 4 minutes and a half, from wherever the day stands.
            let period: Int64 = 270
            let number = time.seconds / period + Int64(index)
            let wobble = (number &* 7_919 &+ time.seconds / 30 &* 104_729) % 50
            let due = Timestamp(seconds: number * period + wobble)
            return Departure(
                stop: request.stop, line: Line(id: "73", name: number % 2 == 0 ? "73" : "N73"),
                destination: "Stoke Newington", vehicle: "V\(number)", status: .expected(due),
                madeAt: time - .seconds(35),
                expiresAt: due + .seconds(30))
        }
        return .success(
            FeedResponse(
                stop: Stop(id: request.stop, name: "Oxford Street"),
                departures: departures.filter { $0.expiresAt > time }))
    }

    @Test("show no frame for longer than it is true, and none that was promised to change and is the same for ever")
    func untilIsTrue() {
        var options = BoardOptions()
        options.rotation = .every(.seconds(6))
        options.quiet = [WeeklyWindow(from: 12 * 60 + 30, to: 12 * 60 + 45)]
        for size in [Panel.Size.small, .usual] {
            var hallway = Hallway(
                [Favourite(stop: .oxford), Favourite(stop: .euston)], size: size, options: options, answer: Self.life)
            for _ in 0..<120 {
                let picture = hallway.board.render(at: hallway.now)
                let until = picture.until ?? hallway.now + .seconds(60)
                #expect(until > hallway.now)
                // Nothing happens in between: at every instant before the promised one the frame is the same.
                for part in 1...7 {
                    let between = hallway.now + (until - hallway.now) * part / 8
                    #expect(hallway.board.render(at: between).frame == picture.frame)
                }
                #expect(hallway.board.render(at: until - .microseconds(1)).frame == picture.frame)
                hallway.wait(until - hallway.now + .milliseconds(1))
            }
        }
    }

    @Test("never miss a minute of the clock while a feed accepts and never answers, and the presses go on")
    func silentFeed() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: { _, _ in nil })
        hallway.wait(.seconds(3))
        for minute in 0..<(3 * 60) {
            let expected = "\(12 + (4 + minute) / 60):\((4 + minute) % 60 < 10 ? "0" : "")\((4 + minute) % 60)"
            #expect(hallway.glass[0].contains(expected))
            hallway.press()
            hallway.wait(.milliseconds(59_900))
        }
        // Every question gets its 20 s, then a wait of 5 minutes and a quarter at most.
        #expect(hallway.asked.count > 3 * 3_600 / 395)
    }

    @Test("without a network let the rows age and go, and are right again within one wait of its return")
    func noNetwork() {
        let hour: Int64 = 3_600
        let network: Hallway.Operator = { request, time in
            let second = (time - Hallway.start).wholeSeconds
            if second > 600, second < 600 + hour { return .failure(FeedFailure(.noNetwork, detail: "")) }
            return Self.life(request, time)
        }
        var hallway = Hallway([Favourite(stop: .oxford)], answer: network)
        hallway.wait(.seconds(900))
        #expect(hallway.text.contains("?"))
        #expect(hallway.glass[3] == "No network          ")
        hallway.wait(.seconds(3_000))
        #expect(hallway.glass[1] == "No network          ")
        // The network came back at second 4200.
        hallway.wait(.seconds(300))
        let back = hallway.now
        while !hallway.glass[1].contains("73"), hallway.now - back < .seconds(400) { hallway.wait(.seconds(1)) }
        #expect(hallway.now - back <= .seconds(376))
    }

    @Test("wake the board less than once a second")
    func wakeUps() {
        var hallway = Hallway([Favourite(stop: .oxford), Favourite(stop: .euston)], answer: Self.life)
        hallway.wait(.seconds(3_600))
        #expect(hallway.turns < 3_600)
    }

    @Test("wake the board for the rows that are seen: sixty more on other screens cost next to nothing")
    func busyStop() {
        let rows = { (count: Int) -> Hallway.Operator in
            { request, time in
                let departures = (0..<count).map { index in
                    Departure.bus("73", to: "Archway", in: .seconds(200 + 47 * index), from: time, vehicle: "V\(index)")
                }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: departures))
            }
        }
        var few = Hallway([Favourite(stop: .oxford)], answer: rows(3))
        var many = Hallway([Favourite(stop: .oxford)], answer: rows(63))
        few.wait(.seconds(3_600))
        many.wait(.seconds(3_600))
        #expect(many.turns < few.turns * 3 / 2)
    }

    @Test("begin with a clock two years off, and are put right by the first answer without an emptied board")
    func clockYearsOff() {
        let wrong = CorrectedClock.Reading(wall: Hallway.start - .seconds(63_072_000), isSynchronised: false)
        var hallway = Hallway([Favourite(stop: .oxford)], reading: wrong, sendsDates: true, answer: Self.life)
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0].contains("12:04"))
        #expect(!hallway.glass[0].contains("?"))
        let before = hallway.glass
        // Then the kernel's clock is stepped to the truth: nothing moves.
        hallway.send(.clock(.init(wall: hallway.time, isSynchronised: true)))
        #expect(hallway.glass == before)
    }

    @Test("of two days run in seconds, and the board says the right minute at their end")
    func days() {
        var hallway = Hallway([Favourite(stop: .oxford)], answer: Self.life)
        let days = 2
        hallway.wait(.seconds(days * 86_400))
        #expect(hallway.glass[0].contains("12:04"))
        #expect(hallway.asked.count > days * 86_400 / 34)
    }
}
