public import BoardCore
import Glibc

/// The time zone files of this machine, and its own zone.
public struct ZoneDirectory: Sendable {
    var path: String
    /// The file of the machine's own zone, usually a symbolic link.
    var machineFile: String

    public init(path: String = "/usr/share/zoneinfo", machineFile: String = "/etc/localtime") {
        self.path = path
        self.machineFile = machineFile
    }

    /// The zone of this name, such as "Europe/London".
    public func zone(named name: String) throws -> Zone {
        guard Self.isName(name) else {
            throw PlainError("\"\(name)\" is not a time zone name; write one such as \"Europe/London\"")
        }
        if let zone = try zone(at: "\(path)/\(name)") { return zone }
        guard unsafe access("\(path)/UTC", F_OK) == 0 else {
            throw PlainError("no time zone \"\(name)\", and no zones at all in \(path): apt install tzdata")
        }
        throw PlainError(
            "no time zone \"\(name)\" in \(path): check the spelling"
                + " (old names such as US/Pacific may need: apt install tzdata-legacy)")
    }

    /// The machine's own zone, found as tzset(3) finds it: `TZ` first, then /etc/localtime, then UTC.
    ///
    /// - Parameter tz: the value of the environment's `TZ`; nil where it is not set.
    public func machineZone(tz: String?) throws -> Zone {
        guard let tz else { return try zone(at: machineFile) ?? .utc }
        let text = tz.hasPrefix(":") ? String(tz.dropFirst()) : tz
        guard !text.isEmpty else { return .utc }
        if text.hasPrefix("/") {
            guard let zone = try zone(at: text) else {
                throw PlainError("\(text) cannot be read: \(errnoText(ENOENT))")
            }
            return zone
        }
        // A rule such as "EST5EDT,M3.2.0,M11.1.0" is not a file name, "EST5EDT" alone is both: the file comes first.
        do {
            return try zone(named: text)
        } catch {
            guard let zone = try? Zone(posix: text) else { throw error }
            return zone
        }
    }

    /// Whether a name stays inside the folder: letters, digits, `+`, `-` and `_`, between slashes.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 255
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_".contains($0)) }
            }
    }

    /// The zone in a file of at most 1 MB (the largest has 4 kB); nil if there is no such file, or it is a folder.
    private func zone(at file: String) throws -> Zone? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try SmallFile.read(file, limit: 1_000_000).bytes
        } catch {
            if [ENOENT, ENOTDIR, EISDIR].contains(error.number) { return nil }
            throw PlainError("\(file) cannot be read: \(error)")
        }
        do {
            return try Zone(tzif: bytes.span)
        } catch {
            throw PlainError("\(file): \(error); apt install --reinstall tzdata")
        }
    }
}
