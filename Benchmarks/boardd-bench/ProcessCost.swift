internal import Glibc

/// What this process has cost so far.
enum ProcessCost {
    /// CPU time of all threads.
    static var cpu: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Private resident memory in kB (RssAnon of proc(5)); 0 where the kernel does not tell.
    static var privateMemory: Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { _ = unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("RssAnon:") { return Int(text.filter(\.isNumber)) ?? 0 }
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
    /// With so many decimals.
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
