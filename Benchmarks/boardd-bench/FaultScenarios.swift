internal import BoardCore
internal import PanelModel

/// Faults in virtual time: the minutes that the clock on the display missed, and the time to recovery.
enum FaultScenarios {
    private static let before = Duration.seconds(600)

    /// Writes the rows.
    static func report() {
        feed("a feed that accepts connections and does not respond, 3 h", for: .seconds(3 * 3_600)) { nil }
        feed("no network, 1 h", for: .seconds(3_600)) { .failure(FeedFailure(.noNetwork, detail: "")) }
        unresponsiveBus()
    }

    /// Simulates the fault ten times with different lengths, because the time to recovery depends on
    /// when the fault ends between two polls.
    private static func feed(
        _ name: String, for duration: Duration, _ fault: @escaping () -> Result<FeedResponse, FeedFailure>?
    ) {
        let begin = SampleOperator.start + before
        let outcomes = (0..<10).map { index in
            let whole = duration + .seconds(index * 37)
            let end = begin + whole
            var simulation = VirtualBoard([SampleOperator.oxford, SampleOperator.euston]) { request, time in
                begin <= time && time < end ? fault() : .success(SampleOperator.response(to: request, at: time))
            }
            simulation.wait(before + whole)
            let recovered = simulation.wait(.seconds(1_800)) { $0.isDisplayCorrect && hasOnlyLiveRows($0.frame) }
            return Outcome(simulation, recovered)
        }
        write(name, outcomes)
    }

    /// Whether the rows below the header are all departures, and none is stale.
    private static func hasOnlyLiveRows(_ frame: Frame) -> Bool {
        frame.lines.dropFirst().allSatisfy { row in
            SampleOperator.lines.contains { row.hasPrefix($0 + " ") } && (row.hasSuffix("m") || row.hasSuffix("due"))
                && !row.contains("?")
        }
    }

    /// Ten seconds without acknowledges from the expander, across a change of the minute.
    private static func unresponsiveBus() {
        var simulation = VirtualBoard([SampleOperator.oxford, SampleOperator.euston]) { request, time in
            .success(SampleOperator.response(to: request, at: time))
        }
        simulation.wait(before + .seconds(55))
        simulation.bus.nackAddress(for: .seconds(10))
        simulation.wait(.seconds(10))
        let recovered = simulation.wait(.seconds(60)) { $0.isDisplayCorrect }
        simulation.wait(.seconds(600))
        write("a display with 10 s of NAKs over a minute's change", [Outcome(simulation, recovered)])
    }

    private struct Outcome {
        let missed: Int
        let latest: Duration
        let recovered: Duration

        init(_ simulation: VirtualBoard, _ recovered: Duration) {
            missed = simulation.minutes.missed
            latest = simulation.minutes.latest
            self.recovered = recovered
        }
    }

    /// A trap or an endless wait of the board also ends this program: a printed row had no restart.
    private static func write(_ name: String, _ outcomes: [Outcome]) {
        let missed = outcomes.reduce(0) { $0 + $1.missed }
        let recovered = outcomes.map(\.recovered.inSeconds).sorted()
        let times =
            recovered.count == 1
            ? "\(recovered[0].text(1)) s"
            : "\(recovered[recovered.count / 2].text(0)) s (median; max \((recovered.last ?? 0).text(0)))"
        let latest = outcomes.map(\.latest.inSeconds).max() ?? 0
        BenchmarkRow(
            what: outcomes.count == 1 ? name : "\(name), \(outcomes.count) times",
            measured: "missed \(missed), restarts 0, recovered after \(times), a minute <= \(latest.text(2)) s late",
            goal: "missed 0, restarts 0", isMet: missed == 0
        ).write()
    }
}
