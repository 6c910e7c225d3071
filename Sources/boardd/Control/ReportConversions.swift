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
        let used = Set(report.stops.map(\.stop.feed))
        let settings = active.configuration.feeds
        let feeds = active.profiles.values.filter { used.contains($0.name) }.sorted {
            $0.name.description < $1.name.description
        }
        self.init(
            version: Version.number, time: report.moment, timeSource: report.timeSource,
            frame: Screen(rows: report.frame.lines, lit: report.frame.isLit), light: report.light,
            page: report.pageInView, pages: report.pages, stops: report.stops,
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
            pageAddresses: report.address.map { [$0.address, $0.name].compactMap { $0.map { "http://\($0)" } } })
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

extension [PageReport] {
    /// The title of the page in view; its identifier if it has none.
    func title(of page: PageInView) -> String { first { $0.id == page.id }?.title ?? page.id }
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
