public import BoardCore
internal import Dispatch
internal import Synchronization

/// Answers from a recording as the operator answered then, again and again.
///
/// The recording runs at its own speed from the first exchange to `pause` after the last, then begins anew. A question
/// gets the newest exchange of its address whose time has come, whatever its status was.
public final class ReplayTransport: HTTPTransport {
    /// The usual time between two polls: what the recording's last exchange gets before the next lap begins.
    private static let pause: Duration = .seconds(30)
    /// A wall clock that strays further than this from elapsed time was set, and is followed.
    private static let clockSet: Duration = .seconds(2)
    /// How many addresses a failure names.
    private static let namedAddresses = 4

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
    private let queue = DispatchQueue(label: "boardd.replay")

    /// Reads the heads of all exchanges; bodies are read when they are asked for. Blocks while it reads.
    ///
    /// - Parameters:
    ///   - directory: what ``RecordingTransport`` wrote.
    ///   - clock: the recording runs by its elapsed time, and its wall clock says what is the present.
    /// - Throws: ``RecordingFailure`` naming file and line, for a file that is no exchange or a folder without any.
    public init(directory: String, clock: any MachineClock) throws(RecordingFailure) {
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
            throw RecordingFailure(file: directory, detail: "holds no recorded exchange (*\(RecordingFiles.suffix))")
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

    /// What is to be added to a recorded time to get the present; it changes when a lap ends or the wall clock is set.
    public var shift: Duration {
        let run = clock.now() - began
        let wall = clock.reading().wall
        let start = beganAt.withLock { start in
            let strayed = wall - (start + run)
            if strayed > Self.clockSet || strayed < .zero - Self.clockSet { start = start + strayed }
            return start
        }
        return start + (run - position(run)) - first
    }

    /// Answers as the operator did at this point of the recording.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        guard let list = entries[request.matchKey] else {
            throw HTTPFailure(
                .notRecorded, of: request.url,
                detail: "the recording has no such \(request.content == nil ? "address" : "question"); it has "
                    + examples)
        }
        let time = first + position(clock.now() - began)
        guard let entry = list.last(where: { $0.recorded.response.received <= time }) ?? list.first else {
            throw HTTPFailure(.notRecorded, of: request.url, detail: "the recording has no such address")
        }
        let bytes = try await read(entry, for: request)
        guard bytes.count <= request.limit else {
            throw HTTPFailure(
                .tooLarge(limit: request.limit), of: request.url,
                detail: "the recorded body is larger than \(request.limit) bytes", response: entry.recorded.response)
        }
        do {
            try body(bytes.span)
        } catch {
            throw HTTPFailure(.bodyRejected, of: request.url, detail: "the body was refused: \(error)")
        }
        return entry.recorded.response
    }

    /// Whether there is an exchange of `base` or of an address below it.
    public func hasRecorded(_ base: HTTPURL) -> Bool {
        let address = base.description
        return entries.values.contains { list in
            guard let url = list.first?.recorded.url, url.hasPrefix(address) else { return false }
            return url.utf8.count == address.utf8.count || "/?".contains(url.dropFirst(address.count).first ?? " ")
        }
    }

    /// A few of the addresses, for a person who asked for another one.
    private var examples: String {
        let known = Set(entries.values.compactMap { $0.first?.recorded.url }).sorted()
        let more = known.count - Self.namedAddresses
        return known.prefix(Self.namedAddresses).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// How far into the recording a lap is.
    private func position(_ run: Duration) -> Duration {
        .microseconds(max(0, run.wholeMicroseconds) % max(1, length.wholeMicroseconds))
    }

    private func read(_ entry: Entry, for request: HTTPRequest) async throws(HTTPFailure) -> [UInt8] {
        let result: Result<[UInt8], RecordingFailure> = await withCheckedContinuation { continuation in
            queue.async { @Sendable in
                continuation.resume(
                    returning: Result { () throws(RecordingFailure) in try RecordingFiles.read(entry.path) })
            }
        }
        do {
            return Array(try result.get().dropFirst(entry.recorded.headLength))
        } catch {
            throw HTTPFailure(.badRecording, of: request.url, detail: error.description)
        }
    }
}
