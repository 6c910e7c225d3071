import BoardCore

/// A feed that gives the same answers whatever it is asked.
struct ScriptedAnswers: DepartureFeed {
    let profile: FeedProfile
    var answer: FeedAnswer
    var run: Service?
    var lines: [Line] = []

    func departures(_ question: FeedQuestion) async throws(FeedFailure) -> FeedAnswer { answer }
    func service(of departure: Departure) async throws(FeedFailure) -> Service? { run }
    func lines(at stop: StopID) async throws(FeedFailure) -> [Line] { lines }
}
