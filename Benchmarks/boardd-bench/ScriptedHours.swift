internal import BoardCore
internal import BoardSimulation

/// Bad hours, each lived through in virtual time: what the clock on the glass missed, and how long until all is right.
enum ScriptedHours {
    private static let before = Duration.seconds(600)

    /// Writes the rows.
    static func report() {
        feed("a feed that accepts and never answers, 3 h", for: .seconds(3 * 3_600)) { nil }
        feed("no network, 1 h", for: .seconds(3_600)) { .failure(FeedFailure(.noNetwork, detail: "")) }
        silentBus()
    }

    private static func feed(
        _ name: String, for duration: Duration, _ fault: @escaping () -> Swift.Result<FeedAnswer, FeedFailure>?
    ) {
        let begin = London.start + before
        let end = begin + duration
        var hallway = VirtualHallway([London.oxford, London.euston]) { question, time in
            begin <= time && time < end ? fault() : .success(London.answer(question, at: time))
        }
        hallway.wait(before + duration)
        let healed = hallway.wait(.seconds(1_800)) { hallway in
            // Three rows of departures, none of them aged, no message.
            hallway.isGlassRight
                && hallway.frame.lines.dropFirst().allSatisfy { row in
                    row.contains("3") && !row.contains("?")
                        && (row.contains("m ") || row.hasSuffix("m") || row.hasSuffix("due"))
                }
        }
        write(name, hallway, healed)
    }

    /// Ten seconds in which the expander acknowledges nothing, across a change of the minute.
    private static func silentBus() {
        var hallway = VirtualHallway([London.oxford, London.euston]) { question, time in
            .success(London.answer(question, at: time))
        }
        hallway.wait(before + .seconds(55))
        hallway.bus.refuseAddress(for: .seconds(10))
        hallway.wait(.seconds(10))
        let healed = hallway.wait(.seconds(60)) { $0.isGlassRight }
        hallway.wait(.seconds(600))
        write("a display with 10 s of NAKs over a minute's change", hallway, healed)
    }

    /// Whatever ends the board, a trap or a wait for ever, ends this program too: a line that is there had no restart.
    private static func write(_ name: String, _ hallway: VirtualHallway, _ healed: Duration) {
        let missed = hallway.minutes.missed
        Result(
            what: name,
            measured: "missed \(missed), restarts 0, right again after \(healed.inSeconds.text(1)) s, "
                + "a minute at most \(hallway.minutes.latest.inSeconds.text(2)) s late",
            goal: "missed 0, restarts 0", isMet: missed == 0
        ).write()
    }
}
