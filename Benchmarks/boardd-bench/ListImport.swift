internal import BoardCore
internal import BoardFeeds
internal import BoardFormats
internal import BoardStore

/// The import of an operator's stop list into the stop directory, with the product's code but without the daemon's pauses
/// between pages.
enum ListImport {
    /// Builds the directory and writes the row.
    ///
    /// - Parameters:
    ///   - url: the operator's URL.
    ///   - folder: an existing folder for the directory.
    static func report(url: String, folder: String) async {
        do {
            var settings = FeedSettings(defaultsOf: TfLFeed.declaration)
            settings.set("url", to: .url(url))
            let catalogue = try TfLCatalogue(
                FeedContext(
                    settings: settings, transport: CurlTransport(userAgent: "boardd-bench", clock: StoppedClock()),
                    clock: StoppedClock(), zone: { _ in .utc }))
            let clock = ContinuousClock()
            let began = clock.now
            let used = ProcessCost.cpu
            let builder = try DirectoryBuilder(folder: folder, feed: TfLFeed.name, at: ProcessCost.time)
            var entries = 0
            while true {
                let page = builder.nextPage
                try builder.begin(page: page)
                let response = try await catalogue.stops(page: page) { try builder.add($0) }
                try builder.commit(page: page)
                entries += response.entries
                if response.entries == 0 { break }
            }
            let stops = builder.stops
            let read = clock.now - began
            try builder.finish(at: ProcessCost.time)
            let all = clock.now - began
            let cpu = ProcessCost.cpu - used
            BenchmarkRow(
                what: "list of \(entries) entries to \(stops) stops, without the pauses",
                measured: "\(all.inSeconds.text(1)) s, \((all - read).inSeconds.text(1)) of them the indices; "
                    + "\(cpu.inSeconds.text(1)) s CPU"
            ).write()
        } catch {
            print("boardd-bench: \(error)")
        }
    }
}
