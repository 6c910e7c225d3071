public import BoardCore
import BoardIO
import Synchronization

/// Replays the responses of a recording in a loop.
///
/// The recording runs at its own speed from the first response to `pause` after the last, then restarts. A request
/// receives the newest response of its URL up to the current time, whatever its status.
public final class ReplayTransport: HTTPTransport {
    /// The usual time between two polls, after the recording's last response.
    private static let pause: Duration = .seconds(30)
    /// If the wall clock deviates more than this from elapsed time, it was set, and the replay follows it.
    private static let clockSet: Duration = .seconds(2)
    private static let listedURLs = 4

    private struct Entry: Sendable {
        let path: String
        let recorded: RecordedResponse
    }

    private let entries: [String: [Entry]]
    private let first: Timestamp
    private let length: Duration
    private let clock: any MachineClock
    private let began: Instant
    private let beganAt: Mutex<Timestamp>

    /// Reads the heads of all files, and blocks meanwhile; bodies are read on request.
    ///
    /// - Parameters:
    ///   - directory: a folder written by ``RecordingTransport``.
    ///   - clock: its elapsed time drives the recording, and its wall clock is the present.
    /// - Throws: ``FileError`` of the kind `recording` for an invalid file (with its line) or a folder without
    ///   responses.
    public init(directory: String, clock: any MachineClock) throws {
        var entries: [String: [Entry]] = [:]
        var times: [Timestamp] = []
        for name in try RecordingFiles.names(in: directory) {
            let path = directory + "/" + name
            let head = try RecordingFiles.read(path, limit: RecordedResponse.headLimit)
            let recorded = try RecordedResponse(head: head, file: path)
            entries[recorded.matchKey, default: []].append(Entry(path: path, recorded: recorded))
            times.append(recorded.response.received)
        }
        guard let first = times.min(), let last = times.max() else {
            throw FileError(recording: directory, "contains no recorded response (*\(RecordingFiles.suffix))")
        }
        self.entries = entries.mapValues { list in
            list.sorted { $0.recorded.response.received < $1.recorded.response.received }
        }
        self.first = first
        length = last - first + Self.pause
        self.clock = clock
        began = clock.now()
        beganAt = Mutex(clock.reading().wall)
    }

    /// The offset from recorded times to the present; it changes when the recording restarts or the wall clock is set.
    public var shift: Duration {
        let elapsed = clock.now() - began
        let wall = clock.reading().wall
        let start = beganAt.withLock { start in
            let deviation = wall - (start + elapsed)
            if deviation > Self.clockSet || deviation < .zero - Self.clockSet { start = start + deviation }
            return start
        }
        return start + (elapsed - position(elapsed)) - first
    }

    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        guard let list = entries[request.matchKey] else {
            throw HTTPError(
                .unusable, of: request.url,
                detail: "the recording has no such \(request.content == nil ? "URL" : "request"); it has " + examples)
        }
        let time = first + position(clock.now() - began)
        guard let entry = list.last(where: { $0.recorded.response.received <= time }) ?? list.first else {
            throw HTTPError(.unusable, of: request.url, detail: "the recording has no such URL")
        }
        let bytes = try await read(entry, for: request)
        guard bytes.count <= request.limit else {
            throw HTTPError(
                .unusable, of: request.url,
                detail: "the recorded body is larger than \(request.limit) bytes", response: entry.recorded.response)
        }
        do {
            try body(bytes.span)
        } catch {
            throw HTTPError(.unusable, of: request.url, detail: "the receiver rejected the body: \(error)")
        }
        return entry.recorded.response
    }

    public func hasRecorded(_ base: HTTPURL) -> Bool {
        let address = base.description
        return entries.values.contains { list in
            guard let url = list.first?.recorded.url, url.hasPrefix(address) else { return false }
            return url.utf8.count == address.utf8.count || "/?".contains(url.dropFirst(address.count).first ?? " ")
        }
    }

    private var examples: String {
        let urls = Set(entries.values.compactMap { $0.first?.recorded.url }).sorted()
        let more = urls.count - Self.listedURLs
        return urls.prefix(Self.listedURLs).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private func position(_ elapsed: Duration) -> Duration {
        .microseconds(max(0, elapsed.wholeMicroseconds) % max(1, length.wholeMicroseconds))
    }

    private func read(_ entry: Entry, for request: HTTPRequest) async throws(HTTPError) -> [UInt8] {
        do {
            let bytes = try await DedicatedThread.run("replay") { Result { try RecordingFiles.read(entry.path) } }.get()
            return Array(bytes.dropFirst(entry.recorded.headLength))
        } catch {
            throw HTTPError(.unusable, of: request.url, detail: "\(error)")
        }
    }
}
