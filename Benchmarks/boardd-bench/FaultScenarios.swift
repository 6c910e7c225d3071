internal import BoardCore
internal import BoardSimulation

/// Bad hours, each lived through in virtual time: what the clock on the glass missed, and how long until all is right.
enum FaultScenarios {
    private static let before = Duration.seconds(600)

    /// Writes the rows.
    static func report() {
        feed("a feed that accepts and never answers, 3 h", for: .seconds(3 * 3_600)) { nil }
        feed("no network, 1 h", for: .seconds(3_600)) { .failure(FeedFailure(.noNetwork, detail: "")) }
        silentBus()
    }

    /// Lives through the fault ten times with other lengths, since how long a board takes to notice its end depends on
    /// when the end falls between two polls.
    private static func feed(
        _ name: String, for duration: Duration, _ fault: @escaping () -> Swift.Result<FeedResponse, FeedFailure>?
    ) {
        let begin = London.start + before
        let lives = (0..<10).map { index in
            let whole = duration + .seconds(index * 37)
            let end = begin + whole
            var hallway = VirtualBoard([London.oxford, London.euston]) { question, time in
                begin <= time && time < end ? fault() : .success(London.answer(question, at: time))
            }
            hallway.wait(before + whole)
            let healed = hallway.wait(.seconds(1_800)) { $0.isDisplayCorrect && hasOnlyLiveRows($0.frame) }
            return Outcome(hallway, healed)
        }
        write(name, lives)
    }

    /// Whether below the header are departures alone: no message, none of them aged.
    private static func hasOnlyLiveRows(_ frame: Frame) -> Bool {
        frame.lines.dropFirst().allSatisfy { row in
            London.lines.contains { row.hasPrefix($0 + " ") } && (row.hasSuffix("m") || row.hasSuffix("due"))
                && !row.contains("?")
        }
    }

    /// Ten seconds in which the expander acknowledges nothing, across a change of the minute.
    private static func silentBus() {
        var hallway = VirtualBoard([London.oxford, London.euston]) { question, time in
            .success(London.answer(question, at: time))
        }
        hallway.wait(before + .seconds(55))
        hallway.bus.nackAddress(for: .seconds(10))
        hallway.wait(.seconds(10))
        let healed = hallway.wait(.seconds(60)) { $0.isDisplayCorrect }
        hallway.wait(.seconds(600))
        write("a display with 10 s of NAKs over a minute's change", [Outcome(hallway, healed)])
    }

    /// What is told of one life.
    private struct Outcome {
        let missed: Int
        let latest: Duration
        let healed: Duration

        init(_ hallway: VirtualBoard, _ healed: Duration) {
            missed = hallway.minutes.missed
            latest = hallway.minutes.latest
            self.healed = healed
        }
    }

    /// Whatever ends the board, a trap or a wait for ever, ends this program too: a line that is there had no restart.
    private static func write(_ name: String, _ lives: [Outcome]) {
        let missed = lives.reduce(0) { $0 + $1.missed }
        let healed = lives.map(\.healed.inSeconds).sorted()
        let times =
            healed.count == 1
            ? "\(healed[0].text(1)) s"
            : "\(healed[healed.count / 2].text(0)) s (median; max \((healed.last ?? 0).text(0)))"
        let latest = lives.map(\.latest.inSeconds).max() ?? 0
        Result(
            what: lives.count == 1 ? name : "\(name), \(lives.count) times",
            measured: "missed \(missed), restarts 0, right again after \(times), a minute <= \(latest.text(2)) s late",
            goal: "missed 0, restarts 0", isMet: missed == 0
        ).write()
    }
}
