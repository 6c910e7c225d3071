import BoardCore
import Testing

@testable import BoardFeeds

@Suite("The times of a replay")
struct ReplayedFeedTests {
    private func departure(at start: Timestamp) -> Departure {
        Departure(
            stop: StopID(feed: FeedName("tfl"), code: "1"), line: Line(id: "73", name: "73"), destination: "Malaga",
            booked: start, status: .expected(start + .seconds(9)),
            attributes: TripAttributes(returnTrip: .init(at: start + .seconds(99), utcOffset: 60)),
            fare: Fare(hundredths: 7_200, currency: "EUR"), utcOffset: 60, madeAt: start - .seconds(40),
            isRenewed: false, staleAt: start + .seconds(60), expiresAt: start + .seconds(90))
    }

    @Test("every time of a departure is moved to the present, also that of its return, and nothing else")
    func departure() {
        let start = Timestamp(seconds: 1_000)
        let moved = departure(at: start).shifted(by: .seconds(60))
        #expect(moved == departure(at: start + .seconds(60)))
        #expect(moved.shifted(by: .seconds(-60)) == departure(at: start))
    }
}
