import BoardCore
import BoardFeeds
import BoardStore

/// The import of an operator's stop list into the stop directory, with the product's code but without the daemon's pauses
/// between pages.
enum ListImport {
    /// The limit of the peak memory above that of the idle process, in kB.
    private static let limit = 32_768

    /// Builds the directory and writes the rows.
    ///
    /// - Parameters:
    ///   - url: the operator's URL.
    ///   - folder: an existing folder for the directory.
    static func report(url: String, folder: String) async {
        let idle = ProcessCost.memory
        do {
            var settings = FeedSettings(defaultsOf: TfLFeed.declaration)
            settings.set("url", to: .text(url))
            let clock = StoppedClock(Timestamp(seconds: 1_772_453_070))
            let catalogue = try TfLCatalogue(
                FeedContext(
                    settings: settings, transport: CurlTransport(userAgent: "boardd-bench", clock: clock),
                    clock: clock, zone: { _ in .utc }))
            let began = ContinuousClock.now
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
            try builder.finish(at: ProcessCost.time)
            let peak = ProcessCost.peakMemory - idle
            BenchmarkRow(
                what: "list of \(entries) entries to \(stops) stops, without the pauses",
                measured: "\((ContinuousClock.now - began).inSeconds.text(1)) s"
            ).write()
            BenchmarkRow(
                what: "  its peak memory above that of the idle process",
                measured: "\((Double(peak) / 1_024).text(1)) MB", goal: "<= \(limit / 1_024) MB", isMet: peak <= limit
            ).write()
        } catch {
            print("boardd-bench: \(error)")
        }
    }
}
