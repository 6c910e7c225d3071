import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore
import Glibc

/// `boardd report --field`: what only a real Pi with a real display and button can tell, measured on it.
struct FieldReport: Sendable {
    private static let service = "boardd.service"
    /// Whole pictures that are sent, which all differ from the one before in every cell.
    private static let pictures = 40
    private static let pressing = Duration.seconds(20)
    /// How long the running board is watched.
    private static let watched = Duration.seconds(60)

    let configuration: ConfigurationOption
    let environment: [String: String]

    /// Measures, with prompts on standard error; stops the service meanwhile.
    ///
    /// - Throws: ``ServiceError`` where the display and the button are in use.
    func text(_ service: InstalledService?) async throws -> String {
        let loaded = try configuration.load()
        if let service { try await DedicatedThread.attempt("report") { service.stop() } }
        guard try await !HardwareTestCommand.isBoardRunning() else {
            throw ServiceError(.unavailable, "boardd is running and uses the display and the button: stop it first")
        }
        let hardware = [("Display", try await display(loaded)), ("Button", try await button(loaded))]
        await service?.resumeFromTask()
        let facts = try await DedicatedThread.attempt("report") { [environment] in
            [
                ("Program", MachineFacts.program), ("Machine", MachineFacts.machine), ("Clock", Self.clock),
                ("Hardware", MachineFacts.hardware), ("Start", Self.start(environment)), ("Network", Self.network),
                ("Log of the last day", Self.log(environment)),
            ]
        }
        StandardError.write("Watching the board for a minute.\n")
        let sections = facts + hardware + [("Running board, for a minute", try await board())]
        return ConfigurationFacts(configuration, environment: environment).mask.masking(
            sections.map { ["== \($0.0)"] + $0.1 }.page, with: "(key)")
    }

    // MARK: - Hardware

    /// How long a whole picture takes.
    private func display(_ loaded: Configuration) async throws -> [String] {
        let wiring = try await HardwareTestCommand.wiring(loaded)
        guard wiring.driver != .none else { return ["none"] }
        return try await DedicatedThread.attempt("display") {
            let (size, clock) = (wiring.panel.size, SystemClock())
            let frames = ["█", "M"].map { cell in
                Frame(
                    columns: size.columns,
                    rows: Array(repeating: String(repeating: cell, count: size.columns), count: size.rows))
            }
            var display = HardwareDisplay.make(wiring)
            defer { display.close(last: Frame(blank: size, isLit: true), at: clock.now()) }
            // Connects and prepares it.
            let started = clock.now()
            if case .absent(let fault) = display.show(frames[1], at: started).health { return [fault] }
            let connected = clock.now() - started
            StandardError.write("The display now gets \(Self.pictures) pictures as fast as it can.\n")
            var (times, faults): ([Duration], [String]) = ([], [])
            for index in 0..<Self.pictures {
                let start = clock.now()
                switch display.show(frames[index % 2], at: start).health {
                case .shown: times.append(clock.now() - start)
                case .absent(let fault): faults.append(fault)
                }
            }
            return [
                "\(wiring.driver.rawValue) \(size), \(wiring.finding ?? "as configured")",
                "to its first picture: \(Self.milliseconds(connected)) ms", "a whole picture: \(Self.spread(times))",
                "pictures that failed: \(faults.count) of \(Self.pictures)\(faults.first.map { ", the first: \($0)" } ?? "")",
            ]
        }
    }

    /// What the contacts of the first button do at a press.
    private func button(_ loaded: Configuration) async throws -> [String] {
        guard let wiring = loaded.buttons.first?.wiring else { return ["none"] }
        if case .failure(let fault) = try await DedicatedThread.attempt("scan", { GPIOScan().header }) {
            return [fault.description]
        }
        StandardError.write("Press the button ten times in the next 20 seconds, as you would anyway.\n")
        return try await DedicatedThread.attempt("button") {
            do throws(DeviceError) {
                let edges = try GPIOButtons.edges(of: wiring, for: Self.pressing)
                return ["GPIO \(wiring.line)"] + Self.changes(edges)
            } catch {
                return [error.description]
            }
        }
    }

    /// A line for each change of a contact: its edges, and how long it bounced. A pause of 50 ms ends one.
    static func changes(_ edges: [ButtonEdge]) -> [String] {
        var changes: [[ButtonEdge]] = []
        for edge in edges {
            if let last = changes.last?.last, edge.nanoseconds - last.nanoseconds < 50_000_000 {
                changes[changes.count - 1].append(edge)
            } else {
                changes.append([edge])
            }
        }
        let lines = changes.compactMap { change -> String? in
            guard let first = change.first, let last = change.last else { return nil }
            let bounced = Duration.nanoseconds(Int64(last.nanoseconds - first.nanoseconds))
            return
                "\(last.isDown ? "down" : "up"): \(Daemon.count(change.count, "edge")) in \(milliseconds(bounced)) ms"
        }
        return ["\(edges.count) edges, \(changes.count) changes"] + lines
    }

    // MARK: - Machine

    /// When the clock was right, after the kernel's start.
    private static var clock: [String] {
        let (now, sinceStart) = (SystemClock().reading(), SystemClock().now() - Instant(microseconds: 0))
        var status = stat()
        let isThere = unsafe stat("/run/systemd/timesync/synchronized", &status) == 0
        // The time of the file is that of the clock right after it was set.
        let set = sinceStart - (now.wall - Timestamp(seconds: Int64(status.st_mtim.tv_sec)))
        return [
            "real-time clock: \((try? SmallFile.names(in: "/sys/class/rtc"))?.sorted().joined(separator: ", ") ?? "none")",
            now.isSynchronised ? "synchronised" : "not synchronised",
            isThere
                ? "set by NTP \(milliseconds(set)) ms after the start of the kernel"
                : "systemd-timesyncd has not set it",
        ]
    }

    /// What systemd knows of the start, in microseconds after that of the kernel.
    private static func start(_ environment: [String: String]) -> [String] {
        let words = [
            ["systemctl", "show", "-p", "UserspaceTimestampMonotonic,FinishTimestampMonotonic"],
            [
                "systemctl", "show", service, "-p",
                "ExecMainStartTimestampMonotonic,ActiveEnterTimestampMonotonic,NRestarts",
            ],
            ["systemd-analyze", "time"],
        ]
        return words.flatMap { Subprocess.output($0, environment: environment)?.lines ?? ["there is no \($0[0])"] }
    }

    /// What was lost since the start of the machine. Addresses and names of networks are not in these files.
    private static var network: [String] {
        let names = ((try? SmallFile.names(in: "/sys/class/net")) ?? []).filter { $0 != "lo" }.sorted()
        let counts = [
            "rx_packets", "rx_errors", "rx_dropped", "tx_packets", "tx_errors", "tx_dropped", "carrier_changes",
        ]
        let lines = names.map { name in
            let values = counts.compactMap { count -> String? in
                let path = count.hasPrefix("carrier") ? count : "statistics/\(count)"
                let text = try? SmallFile.read("/sys/class/net/\(name)/\(path)", limit: 100).text
                return text.map { "\(count) \($0.filter(\.isNumber))" }
            }
            return "\(name): \(values.joined(separator: ", "))"
        }
        let wireless = (try? SmallFile.read("/proc/net/wireless", limit: 10_000).text)?.lines ?? []
        return [
            "up for \((try? SmallFile.read("/proc/uptime", limit: 100).text)?.split(separator: " ").first ?? "?") s"
        ]
            + lines + wireless
    }

    /// How often each fault was reported. What follows its first colon may name stops.
    private static func log(_ environment: [String: String]) -> [String] {
        let words = [
            "journalctl", "-u", service, "--since", "-1d", "-p", "warning", "-o", "cat", "--no-pager", "-q",
        ]
        let lines = Subprocess.output(words, environment: environment)?.lines ?? []
        let kinds = Dictionary(grouping: lines) { $0.prefix { $0 != ":" } }.mapValues(\.count)
        return kinds.isEmpty ? ["no warnings"] : kinds.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    }

    // MARK: - The running board

    /// Its memory, its processor time and its wake-ups.
    private func board() async throws -> [String] {
        let words = ["systemctl", "show", Self.service, "-p", "MainPID", "--value"]
        let environment = environment
        let output = try await DedicatedThread.attempt("report") { Subprocess.output(words, environment: environment) }
        guard let pid = output.flatMap({ Int32($0.filter(\.isNumber)) }), pid > 0 else { return ["it does not run"] }
        let before = try await DedicatedThread.attempt("report") { ProcessUse(pid) }
        await SystemClock().sleep(for: Self.watched)
        let after = try await DedicatedThread.attempt("report") { ProcessUse(pid) }
        let seconds = Self.watched / .seconds(1)
        return after.memory + [
            "threads: \(after.threads)",
            "wake-ups: \(Self.rounded(Double(after.switches - before.switches) / seconds)) a second",
            "processor: \(Self.rounded(Double(after.ticks - before.ticks) / seconds)) hundredths of a second a second",
        ]
    }

    private struct ProcessUse {
        /// Lines of /proc/PID/status.
        let memory: [String]
        let threads: Int
        /// How often its threads went to sleep.
        let switches: Int
        /// Hundredths of a second.
        let ticks: Int

        init(_ pid: Int32) {
            func lines(_ path: String) -> [String] {
                ((try? SmallFile.read("/proc/\(pid)/\(path)", limit: 100_000).text) ?? "").lines
            }
            func number(_ line: String) -> Int { Int(line.filter(\.isNumber)) ?? 0 }
            memory =
                lines("status").filter { $0.hasPrefix("VmHWM") || $0.hasPrefix("Rss") }
                + lines("smaps_rollup").filter { $0.hasPrefix("Pss:") || $0.hasPrefix("Private_Dirty") }
            let tasks = (try? SmallFile.names(in: "/proc/\(pid)/task")) ?? []
            threads = tasks.count
            switches = tasks.flatMap { lines("task/\($0)/status") }
                .filter { $0.hasPrefix("voluntary_ctxt_switches") }.map(number).reduce(0, +)
            // utime and stime are the 12th and the 13th field behind the name in parentheses, which may have blanks.
            let fields = lines("stat").first?.split(separator: ")").last?.split(separator: " ") ?? []
            ticks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
        }
    }

    // MARK: - Numbers

    private static func rounded(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
    private static func milliseconds(_ time: Duration) -> String { rounded(time / .milliseconds(1)) }

    /// Least, median and greatest.
    private static func spread(_ times: [Duration]) -> String {
        let sorted = times.sorted()
        guard let first = sorted.first, let last = sorted.last else { return "none" }
        let middle = sorted[sorted.count / 2]
        return
            "\(milliseconds(first)) ms at least, \(milliseconds(middle)) ms usually, \(milliseconds(last)) ms at most"
    }
}
