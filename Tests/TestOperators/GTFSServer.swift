package import LoopbackServer
import Synchronization

/// A loopback server with an operator's GTFS archive and realtime messages.
package final class GTFSServer: Sendable {
    /// The contents of the responses.
    package struct Files: Sendable {
        package var archive: [UInt8] = []
        /// `ETag` and `Last-Modified` of the archive.
        package var etag: String? = "\"one\""
        package var lastModified: String?
        /// A response instead of the archive, such as a redirect.
        package var archiveSteps: [LoopbackServer.Step]?
        /// By path: `/trips`, `/alerts`.
        package var messages: [String: [UInt8]] = [:]
        /// Makes the message of `/trips` at the time of the request.
        package var makeMessage: (@Sendable () -> [UInt8])?
        package var messageSteps: [LoopbackServer.Step]?
        /// `Date` of messages.
        package var date: String?
        /// The header line or query part that requests must have, else 403.
        package var requiredText: String?
    }

    /// The files, shared by the test and the server's threads.
    package final class SharedFiles: Sendable {
        private let files = Mutex(Files())

        package func withLock<Value: Sendable>(_ body: (inout Files) -> Value) -> Value {
            files.withLock { body(&$0) }
        }
    }

    package let files: SharedFiles
    package let server: LoopbackServer

    package init(archive: [UInt8]) throws {
        let files = SharedFiles()
        files.withLock { $0.archive = archive }
        self.files = files
        server = try LoopbackServer { head in files.withLock { Self.response(to: head, $0) } }
    }

    deinit { server.stop() }

    /// The paths of the requests so far.
    package var requestedPaths: [String] {
        server.record.requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    private static func response(to head: String, _ files: Files) -> [LoopbackServer.Step] {
        let path = head.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "?" } } ?? ""
        if let requiredText = files.requiredText, !head.contains(requiredText) {
            return [.reply(403, text: "no")]
        }
        if let message = files.messages[String(path)] ?? (path == "/trips" ? files.makeMessage?() : nil) {
            return files.messageSteps ?? [.reply(200, files.date.map { ["Date: \($0)"] } ?? [], body: message)]
        }
        guard path.hasSuffix(".zip") else { return files.messageSteps ?? [.reply(404, text: "nothing")] }
        if path == "/gtfs.zip", let steps = files.archiveSteps { return steps }
        if let etag = files.etag, head.contains("If-None-Match: \(etag)\r\n") { return [.reply(304)] }
        if let lastModified = files.lastModified, head.contains("If-Modified-Since: \(lastModified)\r\n") {
            return [.reply(304)]
        }
        let lines = [files.etag.map { "ETag: \($0)" }, files.lastModified.map { "Last-Modified: \($0)" }].compactMap(
            \.self)
        return [.reply(200, lines, body: files.archive)]
    }
}
