import BoardStore
import FoundationEssentials
import Glibc
import Logging
import Synchronization
import Testing

@testable import boardd

@Suite("Log lines")
struct JournalHandlerTests {
    /// The lines of a logger during `body`.
    private func lines(_ level: LogLevel = .debug, isJournal: Bool, _ body: (Logger) -> Void) -> [String] {
        let lines = Captured()
        let handler = JournalHandler(threshold: LogThreshold(level), isJournal: isJournal) { lines.add($0) }
        body(Logger(label: "boardd") { _ in handler })
        return lines.all
    }

    @Test("lines have syslog's numbers for journald, and words otherwise")
    func priorities() {
        let all: (Logger) -> Void = { logger in
            for level in Logger.Level.allCases { logger.log(level: level, "x") }
        }
        #expect(lines(isJournal: true, all) == ["<7>x\n", "<6>x\n", "<5>x\n", "<4>x\n", "<3>x\n", "<2>x\n"])
        #expect(lines(.warning, isJournal: false, all) == ["warning: x\n", "error: x\n", "critical: x\n"])
    }

    @Test("a message is one line, whatever an operator sent, and moves no cursor")
    func oneLine() {
        let text = "HTTP 500: <html>\r\n<b>\u{1B}[2Jsorry\u{7F}\0"
        #expect(lines(isJournal: true) { $0.error("\(text)") } == ["<3>HTTP 500: <html> \u{20}<b> [2Jsorry  \n"])
    }

    @Test("the threshold can be changed while the loggers are in use")
    func threshold() {
        let threshold = LogThreshold(.error)
        let lines = Captured()
        let handler = JournalHandler(threshold: threshold, isJournal: false) { lines.add($0) }
        let logger = Logger(label: "boardd") { _ in handler }
        logger.info("dropped")
        threshold.set(.debug)
        logger.debug("logged")
        #expect(lines.all == ["debug: logged\n"])
    }

    @Test("journald reads only the stream that systemd names")
    func stream() throws {
        let folder = try TemporaryFolder(["log": "", "other": ""])
        let descriptor = unsafe open("\(folder.path)/log", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var file = stat()
        try #require(unsafe fstat(descriptor, &file) == 0)
        let name = "\(file.st_dev):\(file.st_ino)"
        #expect(JournalHandler.isJournal(environment: ["JOURNAL_STREAM": name], descriptor: descriptor))
        #expect(!JournalHandler.isJournal(environment: ["JOURNAL_STREAM": "\(name)1"], descriptor: descriptor))
        #expect(!JournalHandler.isJournal(environment: [:], descriptor: descriptor))
    }

    @Test("the newest lines are buffered while the display is drawn on their terminal, and are written in order")
    func buffered() {
        let written = Captured()
        let sink = LogSink(isBuffering: true) { written.add($0) }
        for number in 0..<600 { sink.take("\(number)\n") }
        #expect(written.all.isEmpty)
        sink.release()
        #expect(written.all == (100..<600).map { "\($0)\n" })
        sink.take("after\n")
        #expect(written.all.last == "after\n")
    }

    @Test("lines are written at once where nothing is drawn")
    func direct() {
        let written = Captured()
        LogSink(isBuffering: false) { written.add($0) }.take("at once\n")
        #expect(written.all == ["at once\n"])
        #expect(!LogSink.isSameTerminal(-1, -1))
    }
}

/// Lines from any thread.
private final class Captured: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
