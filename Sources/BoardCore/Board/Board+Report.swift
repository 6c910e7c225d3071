extension Board {
    /// What somebody who is not in front of the glass wants to know of the board.
    public struct Report: Hashable, Sendable {
        /// What is on the glass.
        public let frame: Frame
        /// What time it is.
        public let moment: Timestamp
        /// Whom the time comes from.
        public let timeSource: CorrectedClock.Source
        /// The stop whose page is in view; nil: the overview.
        public let stopInView: StopID?
        /// The screen of that page, from 0.
        public let screen: Int
        /// How many screens that page has.
        public let screens: Int
        /// How many screens the overview has.
        public let overviewScreens: Int
        /// The favourites, in the order of their pages.
        public let stops: [StopReport]
        /// Where the newest configuration's first fault is, if it has one.
        public let configurationFault: FilePosition?
    }

    /// What is known of one favourite.
    public struct StopReport: Hashable, Sendable {
        /// How its operator stands with us.
        public enum Status: Hashable, Sendable {
            /// Nothing was heard yet.
            case loading
            /// The last question was answered, and estimates move on.
            case live
            /// Answers come, but their newest timestamp stands still since then.
            case frozen(since: Timestamp)
            /// The last questions failed: how, in which words, when the last one did, and how many in a row.
            case failing(FeedFailure.Kind, detail: String, at: Timestamp, count: Int)
        }

        /// What a person wants of the stop.
        public let favourite: Favourite
        /// What its operator says of it.
        public let stop: Stop
        /// What the glass calls it, in full.
        public let title: String
        /// How its operator stands with us.
        public let status: Status
        /// Departures that have not left the board.
        public let departures: Int
        /// How many screens its page has.
        public let screens: Int
        /// When the last answer came; nil: none yet.
        public let lastResponseAt: Timestamp?
        /// When the newest of its estimates was made; nil: there is none.
        public let newestEstimate: Timestamp?
        /// Until when the operator's timetable reaches; nil: it has none, or does not say.
        public let timetableEndsAt: Timestamp?
        /// Why a part of the last answer is missing; nil: nothing is, or the last question failed.
        public let partialFailure: FeedFailure?
        /// When its operator will be asked next; nil: it is being asked, or about to be.
        public let nextPoll: Timestamp?
    }

    /// The board at `now`, for people who ask about it.
    public func report(at now: Instant) -> Report {
        Report(
            frame: render(at: now).frame, moment: clock.timestamp(at: now), timeSource: clock.source,
            stopInView: favouriteInView?.favourite.stop, screen: view.screen, screens: screenCount(at: now),
            overviewScreens: screenCount(ofRows: favourites.count, at: now),
            stops: favourites.map { report(on: $0, at: now) }, configurationFault: configurationFault)
    }

    private func report(on favourite: FavouriteState, at now: Instant) -> StopReport {
        let rows = favourite.visible(at: clock.timestamp(at: now))
        let drawing = Drawing(of: self, at: now)
        let status: StopReport.Status
        switch favourite.status {
        case .loading:
            status = .loading
        case .responding:
            status = favourite.freezeDetector.frozenSince.map { .frozen(since: $0) } ?? .live
        case .failing(let kind, let count):
            status = .failing(
                kind, detail: favourite.failure?.detail ?? "",
                at: clock.timestamp(at: favourite.failure?.at ?? favourite.lastResponseAt), count: count)
        }
        return StopReport(
            favourite: favourite.favourite, stop: favourite.stop,
            title: drawing.title(of: favourite), status: status, departures: rows.count,
            screens: screenCount(ofRows: rows.count, at: now),
            lastResponseAt: favourite.hasResponded ? clock.timestamp(at: favourite.lastResponseAt) : nil,
            newestEstimate: rows.map(\.departure.madeAt).max(), timetableEndsAt: favourite.timetableEndsAt,
            partialFailure: favourite.status == .responding ? favourite.partialFailure : nil,
            nextPoll: plan.wait(of: favourite.favourite.stop, at: now).map { clock.timestamp(at: $0.until) })
    }
}
