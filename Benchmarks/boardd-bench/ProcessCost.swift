import BoardCore
import Glibc

/// The resource usage of this process.
enum ProcessCost {
    /// CPU time of all threads.
    static var cpu: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Wall clock time.
    static var time: Timestamp {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec))
    }

    /// Resident memory in kB, now and at the most; 0 if the kernel does not report it.
    static var memory: Int { status("VmRSS:") }
    static var peakMemory: Int { status("VmHWM:") }

    /// The number after a word at the beginning of a line of proc_pid_status(5); 0 if the kernel does not report it.
    private static func status(_ word: String) -> Int {
        for line in Files.read("/proc/self/status").split(separator: UInt8(ascii: "\n")) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix(word) { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}

extension Duration {
    /// Microseconds, with a fraction.
    var inMicroseconds: Double { inSeconds * 1e6 }

    /// Seconds, with a fraction.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Double {
    /// The number with this many decimals.
    func text(_ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let whole = Int((self * scale).rounded())
        guard decimals > 0 else { return "\(whole)" }
        let fraction = String(whole.magnitude % UInt(scale))
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(whole < 0 ? "-" : "")\(whole.magnitude / UInt(scale)).\(zeros)\(fraction)"
    }
}
