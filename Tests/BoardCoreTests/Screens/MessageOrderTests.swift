import Testing

@testable import BoardCore

@Suite("The order of messages")
struct MessageOrderTests {
    /// Why there is something to say, the gravest first.
    enum Trouble: Int, CaseIterable, CustomTestStringConvertible {
        case noNetwork, waitingForTime, faultyConfiguration, keyRejected, keyMissing, unknownStop, failing, frozen
        case withheld, timetableEnded, loading

        var testDescription: String { "\(self)" }

        /// What the operator does with a question; nil: nothing in ten seconds.
        func answer(_ request: FeedRequest, _ time: Timestamp) -> Result<FeedResponse, FeedFailure>? {
            func fails(_ kind: FeedFailure.Kind) -> Result<FeedResponse, FeedFailure> {
                .failure(FeedFailure(kind, detail: "in a test"))
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
                    FeedResponse(stop: stop, departures: [], timetableEndsAt: Hallway.start - .seconds(86_400)))
            case .loading: return nil
            }
        }
    }

    /// The last row of an overview of two stops with these troubles.
    private func message(_ first: Trouble, _ second: Trouble) -> String {
        var options = BoardOptions()
        options.home = .overview
        let troubles = [first, second]
        // A faulty configuration is no stop's: both stops have the other trouble.
        let ofStops = troubles.filter { $0 != .faultyConfiguration }
        let isUncertain = troubles.contains(.waitingForTime)
        var hallway = Hallway(
            [Favourite(stop: .oxford), Favourite(stop: .euston)], options: options,
            reading: CorrectedClock.Reading(wall: Hallway.start, isSynchronised: !isUncertain)
        ) { request, time in
            let partialFailure = (request.stop == .oxford ? ofStops.first : ofStops.last) ?? .faultyConfiguration
            return partialFailure.answer(request, time)
        }
        if troubles.contains(.faultyConfiguration) {
            hallway.send(.faultyConfiguration(FilePosition(file: "/etc/boardd/boardd.toml", line: 12)))
        }
        hallway.wait(.seconds(3))
        return hallway.glass[3]
    }

    @Test(
        "of two neighbours the graver one is shown, whichever stop it is about",
        arguments: zip(Trouble.allCases, Trouble.allCases.dropFirst()))
    func neighbours(graver: Trouble, other: Trouble) {
        let alone = message(graver, graver)
        #expect(alone.contains { $0 != " " } && alone != message(other, other))
        #expect(message(graver, other) == alone)
        #expect(message(other, graver) == alone)
    }

    @Test("is the same of all messages: those that need the whole page come last")
    func whole() {
        let stop = Stop(id: .oxford)
        let moment = Hallway.start
        let notices: [Notice] = [
            .noNetwork, .waitingForTime, .faultyConfiguration(FilePosition(file: "boardd.toml", line: 1)),
            .keyRejected("TfL"), .keyMissing("TfL"), .unknownStop("TfL"), .failing("TfL", .noResponse, since: moment),
            .frozen("TfL", since: moment), .withheld("TfL"), .timetableEnded("TfL", moment, at: stop), .loading,
            .noFavourites, .nothingToCatch, .next(.nextDay(moment), from: stop), .notBefore(moment, from: stop),
            .nothingPredicted,
        ]
        for (graver, other) in zip(notices, notices.dropFirst()) {
            #expect(graver.order < other.order, "\(graver) before \(other)")
        }
        #expect(notices.map(\.accompaniesRows) == notices.indices.map { $0 < 10 })
    }
}
