import BoardCore
import BoardDisplays
import BoardFeeds
import BoardService
import BoardStore

extension BoardState {
    /// - Parameter report: the board's report of which `live` was made.
    init(_ live: LiveState, _ report: Board.Report, of active: ActiveConfiguration, directory: [DirectoryState]) {
        let used = Set(report.stops.map(\.stop.feed))
        let feeds = active.profiles.values.filter { used.contains($0.name) }.sorted {
            $0.name.description < $1.name.description
        }
        self.init(
            live: live,
            feeds: feeds.map { profile in
                FeedState(
                    name: profile.name, title: profile.title, attribution: profile.attribution,
                    interval: profile.interval,
                    keys: FeedRegistry.declarations[profile.name].map(active.configuration.keys) ?? [])
            }, directory: directory,
            buttons: active.configuration.buttons.enumerated().map { index, button in
                ButtonState(ButtonID(index), line: Int(button.wiring.line), button.binding)
            }, pageAddresses: report.address.map { [$0.address, $0.name].compactMap { $0.map { "http://\($0)" } } },
            tables: active.configuration.tables, foundDisplay: active.configuration.display.finding)
    }
}

extension LiveState {
    /// The title of the page in view; its identifier if it has none.
    var pageTitle: String { pages.first { $0.id == display.page.id }?.title ?? display.page.id }
}
