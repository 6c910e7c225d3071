import BoardCore
import BoardDisplays
import BoardIO
import Glibc
import Synchronization

/// Shows the progress of an update: a bar that is redrawn on a terminal, otherwise plain lines.
final class UpdateProgress: Sendable {
    private struct State {
        var feed: FeedName?
        var began = Instant(microseconds: 0)
        /// The completed part when the time was first measured.
        var first: Double?
        var last: DirectoryUpdate.Progress?
        /// When ``last`` was new, and how long without a page until a line says so.
        var changed = Instant(microseconds: 0)
        var silence = UpdateProgress.silence
        var isDrawn = false
    }

    private static let cells = 24
    /// After this long without a page a person wonders whether anything happens; then after twice as long, and so on.
    private static let silence = Duration.seconds(10)
    /// Erases the line on a terminal.
    private static let erase = "\r\u{1B}[K"

    private let isTerminal: Bool
    private let clock: any MachineClock
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isTerminal: whether output can be redrawn.
    ///   - write: receives the output.
    init(isTerminal: Bool, clock: any MachineClock, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.clock = clock
        self.write = write
    }

    /// Shows the progress on standard error.
    convenience init() {
        self.init(
            isTerminal: Terminal.isTerminal(STDERR_FILENO, environment: Environment.current), clock: SystemClock(),
            write: { StandardError.draw($0) })
    }

    /// Shows the progress of one feed's update, from any thread. Repeated progress is skipped for a while.
    func show(_ feed: FeedName, _ progress: DirectoryUpdate.Progress) {
        let now = clock.now()
        let text = state.withLock { state -> String? in
            if state.feed != feed {
                let isDrawn = state.isDrawn
                state = State(feed: feed, began: now, isDrawn: isDrawn)
            }
            // Older progress may arrive late from another thread.
            if let last = state.last, last == progress || last.pages > progress.pages {
                guard now - state.changed >= state.silence else { return nil }
                let words = "no further page for \(Self.text(state.silence)); still trying"
                state.silence = state.silence * 2
                state.isDrawn = false
                return "\(isTerminal ? Self.erase : "")\(feed): \(words)\n"
            }
            state.last = progress
            state.changed = now
            state.silence = Self.silence
            if state.first == nil, let fraction = progress.fraction {
                state.first = fraction
                state.began = now
            }
            let words = Self.words(progress, left: Self.left(progress, since: state.first, took: now - state.began))
            state.isDrawn = isTerminal
            let bar = Self.bar(progress.fraction ?? 0)
            return isTerminal ? "\(Self.erase)\(feed) \(bar) \(words)" : "\(feed): \(words)\n"
        }
        if let text { write(text) }
    }

    /// The last progress shown.
    var last: DirectoryUpdate.Progress? { state.withLock { $0.last } }

    /// Writes a sentence in between, from any thread.
    func writeLine(_ sentence: String) {
        end()
        write(sentence.asPrintedLine + "\n")
    }

    /// Erases the bar.
    func end() {
        let isDrawn = state.withLock { state in
            defer { state.isDrawn = false }
            return state.isDrawn
        }
        if isDrawn { write(Self.erase) }
    }

    /// "1 min 12 s".
    static func text(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeSeconds)
        let (minutes, rest) = (seconds / 60, seconds % 60)
        if minutes == 0 { return "\(rest) s" }
        return rest == 0 ? "\(minutes) min" : "\(minutes) min \(rest) s"
    }

    private static func words(_ progress: DirectoryUpdate.Progress, left: Duration?) -> String {
        var words = [progress.pages == 1 ? "1 page" : "\(progress.pages) pages"]
        if let fraction = progress.fraction { words.append("\(Int((fraction * 100).rounded(.down)))%") }
        if let left { words.append("about \(text(left)) left") }
        return words.joined(separator: " · ")
    }

    /// The estimated time left, at the rate since the first page with a total.
    private static func left(_ progress: DirectoryUpdate.Progress, since first: Double?, took: Duration) -> Duration? {
        guard let first, let fraction = progress.fraction, fraction > first, fraction < 1 else { return nil }
        let seconds = Double(took.wholeMicroseconds) / 1_000_000 * (1 - fraction) / (fraction - first)
        return seconds < 86_400 ? .seconds(Int64(seconds.rounded(.up))) : nil
    }

    private static func bar(_ fraction: Double) -> String {
        let full = Int((fraction * Double(cells)).rounded(.down))
        return "▕" + String(repeating: "█", count: full) + String(repeating: "░", count: cells - full) + "▏"
    }
}
