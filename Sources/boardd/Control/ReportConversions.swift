import BoardCore
import BoardFeeds
import BoardService
import BoardStore

// Conversions of the board's report to the control socket's types.

extension BoardState {
    init(
        _ report: Board.Report, of active: ActiveConfiguration, directory: [DirectoryState], display: DisplayState,
        buttonFault: String?
    ) {
        let used = Set(report.stops.map(\.favourite.stop.feed))
        let settings = active.configuration.feeds
        let feeds = active.profiles.values.filter { used.contains($0.name) }.sorted {
            $0.name.description < $1.name.description
        }
        self.init(
            version: Version.number, time: RFC3339Timestamp(report.moment), timeSource: report.timeSource,
            frame: Screen(rows: report.frame.lines, lit: report.frame.isLit), light: report.light,
            page: CurrentPage(report), pages: Page.all(report),
            stops: report.stops.map { StopState($0, at: report.moment) },
            feeds: feeds.map { profile in
                FeedState(
                    name: profile.name, title: profile.title, attribution: profile.attribution,
                    interval: profile.interval,
                    keys: Self.keys(of: profile.name, settings[profile.name]))
            },
            configurationFault: report.configurationFault?.description, directory: directory, display: display,
            buttons: active.configuration.buttons.enumerated().map { index, button in
                ButtonState(ButtonID(index), line: Int(button.wiring.line), button.binding)
            }, buttonFault: buttonFault,
            pageAddresses: report.page.map { [$0.address, $0.name].compactMap { $0.map { "http://\($0)" } } })
    }

    /// The keys that a feed uses, and whether they are set.
    private static func keys(of feed: FeedName, _ settings: FeedSettings?) -> [FeedState.Key] {
        guard let declaration = FeedRegistry.feedOperator(feed)?.declaration else { return [] }
        let settings = settings ?? FeedSettings(defaultsOf: declaration)
        return declaration.secrets(of: settings).map {
            FeedState.Key(name: $0, isSet: settings.secret($0) != nil)
        }
    }
}

extension BoardState.CurrentPage {
    init(_ report: Board.Report) {
        self.init(
            id: report.stopInView?.description
                ?? (report.isAddressInView ? BoardState.Page.address : BoardState.Page.overview),
            screen: report.screen, screens: report.screens, isRotating: report.isRotating)
    }
}

extension BoardState.Page {
    static func all(_ report: Board.Report) -> [BoardState.Page] {
        [BoardState.Page(id: overview, title: "All stops", screens: report.overviewScreens)]
            + report.stops.map { BoardState.Page(id: $0.stop.id.description, title: $0.title, screens: $0.screens) }
            + (report.page != nil ? [BoardState.Page(id: address, title: "Address in the network", screens: 1)] : [])
    }
}

extension [BoardState.Page] {
    /// The title of the page in view; its identifier if it has none.
    func title(of page: BoardState.CurrentPage) -> String { first { $0.id == page.id }?.title ?? page.id }
}

extension BoardState.DisplayState {
    init(_ health: DisplayReport.Health?) {
        switch health {
        case nil: self.init()
        case .shown: self.init(isResponding: true)
        case .absent(let fault): self.init(isResponding: false, detail: fault)
        }
    }
}

extension StopState {
    init(_ report: Board.StopReport, at moment: Timestamp) {
        let status: Status
        var lastError: LastError?
        switch report.status {
        case .loading: status = .loading
        case .live: status = .live
        case .frozen: status = .frozen
        case .failing(let kind, _):
            status = .failing
            lastError = LastError(
                kind, detail: report.failureDetail, at: RFC3339Timestamp(report.failedAt))
        }
        // The departures are those of the last response, and so is the partial failure.
        let partialFailure = report.partialFailure.flatMap { partialFailure in
            report.lastResponseAt.map {
                LastError(
                    partialFailure.kind, detail: partialFailure.detail, at: RFC3339Timestamp($0))
            }
        }
        self.init(
            stop: report.favourite.stop, name: report.stop.name ?? report.favourite.stop.description,
            label: report.favourite.label, lines: report.favourite.lines, distance: report.favourite.distance,
            status: status, lastResponseAt: report.lastResponseAt.map { RFC3339Timestamp($0) },
            ageSeconds: report.lastResponseAt.map { (moment - $0).seconds },
            newestEstimate: report.newestEstimate.map { RFC3339Timestamp($0) }, departures: report.departures,
            timetableEndsAt: report.timetableEndsAt.map { RFC3339Timestamp($0) }, lastError: lastError,
            partialFailure: partialFailure, nextPoll: report.nextPoll.map { RFC3339Timestamp($0) })
    }
}

extension Duration {
    /// In seconds.
    fileprivate var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension StopDepartures {
    /// What a board holds about a stop.
    ///
    /// - Parameter badRows: the unreadable rows of its response; nil: not counted.
    /// - Throws: ``ServiceError`` for a stop that the board does not show now.
    init(
        _ board: Board, _ stop: StopID, sorted order: BoardCore.SortOrder, attribution: String, badRows: Int? = nil,
        at now: Instant
    ) throws(ServiceError) {
        guard let held = board.departures(of: stop, sorted: order, at: now) else {
            throw ServiceError(.notFound, "\(stop) is not on the board: it is not a favourite, or outside its hours")
        }
        self.init(held, StopState(held.report, at: held.moment), attribution: attribution, badRows: badRows)
    }
}
