import Testing

@testable import BoardCore

@Suite("The priority of messages")
struct MessageOrderTests {
    /// The causes of messages, highest priority first.
    enum Cause: Int, CaseIterable, CustomTestStringConvertible {
        case noNetwork, waitingForTime, faultyConfiguration, keyRejected, keyMissing, unknownStop, failing, frozen
        case withheld, timetableEnded, loading

        var testDescription: String { "\(self)" }

        /// The operator's response to a request; nil: none within ten seconds.
        func respond(_ request: FeedRequest, _ time: Timestamp) -> Result<FeedResponse, FeedError>? {
            func fails(_ kind: FeedError.Kind) -> Result<FeedResponse, FeedError> {
                .failure(FeedError(kind, detail: "in a test"))
            }
            let stop = Stop(id: request.stop)
            switch self {
            case .noNetwork: return fails(.noNetwork)
            case .waitingForTime: return fails(.certificateDate)
            case .keyRejected: return fails(.keyRejected)
            case .keyMissing: return fails(.keyMissing)
            case .unknownStop: return fails(.unknownStop)
            case .failing: return fails(.timedOut)
            case .faultyConfiguration: return .success(FeedResponse(stop: stop, departures: []))
            case .frozen:
                let old = Departure.bus(
                    "73", to: "Bow", in: .seconds(3_000), from: time, age: .seconds(3_600), stop: request.stop)
                return .success(FeedResponse(stop: stop, departures: [old]))
            case .withheld: return .success(FeedResponse(stop: stop, departures: [], isWithheld: true))
            case .timetableEnded:
                return .success(
                    FeedResponse(stop: stop, departures: [], timetableEndsAt: SimulatedBoard.start - .seconds(86_400)))
            case .loading: return nil
            }
        }
    }

    /// What an overview of two stops says, one with each cause; nil: a stop with a departure.
    private func message(_ first: Cause?, _ second: Cause?) -> Set<String> {
        let causes = [first, second]
        // A faulty configuration belongs to no stop: both stops have the other cause.
        let ofStops = causes.filter { $0 != .faultyConfiguration }
        let isUncertain = causes.contains(.waitingForTime)
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: .euston)], after: .zero, options: .with { $0.home = .overview },
            reading: CorrectedClock.Reading(wall: SimulatedBoard.start, isSynchronised: !isUncertain)
        ) { request, time in
            guard let cause = (request.stop == .oxford ? ofStops.first : ofStops.last) ?? .faultyConfiguration else {
                let bus = Departure.bus("8", to: "Bow", in: .seconds(600), from: time, stop: request.stop)
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: [bus]))
            }
            return cause.respond(request, time)
        }
        if causes.contains(.faultyConfiguration) {
            simulation.send(.faultyConfiguration(FilePosition(file: "/etc/boardd/boardd.toml", line: 12)))
        }
        simulation.wait(.seconds(3))
        let said = Set(simulation.firstRows().filter { !$0.hasPrefix("Mon 2 Mar") })
        // The reason for no departures at all is a page.
        return said.isEmpty ? [String(simulation.rows[1].reversed().drop { $0 == " " }.reversed())] : said
    }

    @Test(
        "of two neighbours the one with the higher priority is shown, whichever stop it is about",
        arguments: zip(Cause.allCases, Cause.allCases.dropFirst()))
    func neighbours(higher: Cause, lower: Cause) {
        let alone = message(higher, nil)
        #expect(alone.contains { !$0.isEmpty } && alone != message(lower, nil))
        #expect(message(higher, lower) == alone)
        #expect(message(lower, higher) == alone)
    }

    @Test("messages that need the whole page have the lowest priorities")
    func whole() {
        let stop = Stop(id: .oxford)
        let moment = SimulatedBoard.start
        let notices: [Notice] = [
            .noNetwork(since: moment), .waitingForTime,
            .faultyConfiguration(FilePosition(file: "boardd.toml", line: 1)), .keyRejected("TfL"), .keyMissing("TfL"),
            .unknownStop("TfL"), .failing("TfL", .timedOut, since: moment), .frozen("TfL", since: moment),
            .withheld("TfL"), .hoursUnknown, .timetableEnded("TfL", moment, at: stop), .loading, .noFavourites,
            .nothingToCatch, .next(.nextDay(moment), from: stop), .notBefore(moment, from: stop), .otherDirections,
            .nothingPredicted,
        ]
        for (higher, lower) in zip(notices, notices.dropFirst()) {
            #expect(higher.order < lower.order, "\(higher) before \(lower)")
        }
        #expect(notices.map(\.accompaniesRows) == notices.indices.map { $0 < 11 })
    }
}
