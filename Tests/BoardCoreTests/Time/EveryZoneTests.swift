import BoardCore
import Foundation
import Testing

/// Compares every zone of this machine with Python's zoneinfo, an independent implementation.
@Suite("Every zone of this machine")
struct EveryZoneTests {
    /// Prints "directory", then for each zone its name, its offset in 1900, and each change up to 2100 as
    /// "second:offset".
    ///
    /// Searches changes at the file's own transitions and between samples half a month apart, and locates them by
    /// bisection.
    private static let reference = """
        import bisect, datetime, os, struct, sys, zoneinfo
        first, last = -2208988800, 4102444800
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        def transitions(path):
            data = open(path, 'rb').read()
            start, size = 0, 4
            counts = struct.unpack('>6l', data[20:44])
            if data[4] >= 50:
                isut, isstd, leap, time, type_, char = counts
                start, size = 44 + time * 5 + type_ * 6 + char + leap * 8 + isstd + isut, 8
                counts = struct.unpack('>6l', data[start + 20:start + 44])
            return struct.unpack('>%d%s' % (counts[3], 'q' if size == 8 else 'l'),
                                 data[start + 44:start + 44 + counts[3] * size])
        for folder in zoneinfo.TZPATH:
            if os.path.exists(os.path.join(folder, 'Europe/London')): break
        else: sys.exit(0)
        print(folder)
        for name in sorted(zoneinfo.available_timezones()):
            path = os.path.join(folder, name)
            if not os.path.exists(path): continue
            zone = zoneinfo.ZoneInfo(name)
            def at(second):
                moment = (epoch + datetime.timedelta(seconds=second)).astimezone(zone)
                return moment.utcoffset() // datetime.timedelta(seconds=1)
            times = {t + d for t in transitions(path) for d in (-1, 0, 1) if first < t + d < last}
            times = sorted(times.union(range(first, last, 15 * 86400)))
            offset = at(first)
            line = [name, str(offset)]
            for before, after in zip(times, times[1:]):
                new = at(after)
                if new == offset: continue
                low, high = before, after
                while high - low > 1:
                    middle = (low + high) // 2
                    if at(middle) == offset: low = middle
                    else: high = middle
                line.append('%d:%d' % (high, new))
                offset = new
            print(' '.join(line))
        """

    @Test("every offset and every change from 1900 to 2100 agrees with Python's zoneinfo")
    func everyZone() throws {
        guard let lines = try referenceLines(), let folder = lines.first else {
            print("Zones are NOT compared with Python's: python3 with zoneinfo, or tzdata, is absent on this machine.")
            return
        }
        let last = Timestamp(seconds: 4_102_444_800 - 15 * 86_400)
        var changes = 0
        var wrong: [String] = []
        zones: for line in lines.dropFirst() {
            let parts = line.split(separator: " ")
            let name = try #require(parts.first)
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
            let zone = try Zone(tzif: bytes.span)
            var moment = Timestamp(seconds: -2_208_988_800)
            var offset = try #require(parts.dropFirst().first.flatMap { Int64($0) })
            for change in parts.dropFirst(2) {
                let pair = change.split(separator: ":").compactMap { Int64($0) }
                let at = Timestamp(seconds: try #require(pair.first))
                guard at <= last else { break }
                let found = zone.nextChange(after: moment)
                let isRight =
                    found == at && zone.offset(at: moment) == .seconds(offset)
                    && zone.offset(at: at - .microseconds(1)) == .seconds(offset)
                    && zone.offset(at: at) == .seconds(pair[1])
                guard isRight else {
                    wrong.append("\(name) at \(at.rfc3339), next change \(found?.rfc3339 ?? "none")")
                    continue zones
                }
                moment = at
                offset = pair[1]
                changes += 1
            }
            let beyond = zone.nextChange(after: moment)
            if let beyond, beyond <= last { wrong.append("\(name) has a change of its own at \(beyond.rfc3339)") }
        }
        print("Compared with Python's zoneinfo: \(lines.count - 1) zones, \(changes) changes.")
        #expect(wrong.isEmpty)
        #expect(changes > 1_000)
    }

    /// The lines of the reference, or nil without Python.
    private func referenceLines() throws -> [Substring]? {
        guard
            let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
                where: FileManager.default.isExecutableFile)
        else { return nil }
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", Self.reference]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0, !data.isEmpty else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }
}
