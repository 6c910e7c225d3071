package import BoardFormats

/// A GTFS timetable as operators publish it: a zip of tables.
package final class GTFSArchive {
    /// The most files in an archive; a timetable has 10 to 40.
    static let mostMembers = 10_000

    /// The most bytes of an archive; that of a whole country has 250 MB.
    static let largest: UInt64 = 1_000_000_000

    /// The limits on what is stored of it in memory.
    let limits: GTFSLimits
    let names: NameChoice
    private let zip: ZipArchive
    /// The index of each table's member in the archive.
    private let members: [GTFSFile: UInt64]
    /// The names of all files except those that file managers add (`__MACOSX`).
    private let fileNames: [String]

    /// Opens an archive and finds its tables in any folder: some operators put them in one.
    ///
    /// - Throws: ``TableFailure`` if it is not a zip, or breaks a limit.
    package init(
        path: String, limits: GTFSLimits = GTFSLimits(), names: NameChoice = NameChoice()
    ) throws(TableFailure) {
        self.limits = limits
        self.names = names
        zip = try ZipArchive(path: path)
        guard zip.names.count <= Self.mostMembers else {
            throw TableFailure(
                kind: .rejected, file: path, detail: "has \(zip.names.count) files, where a timetable has 10 to 40")
        }
        (members, fileNames) = try Self.tables(among: zip.names, in: path)
        try zip.checkSizes(of: members.values)
    }

    func contains(_ file: GTFSFile) -> Bool {
        members[file] != nil
    }

    /// - Throws: ``TableFailure`` if it is missing, encrypted or too large.
    func open(_ file: GTFSFile) throws(TableFailure) -> any ByteSource {
        guard let member = members[file] else { throw missing(file) }
        return try zip.open(member, file.name, limit: file.limit)
    }

    /// The failure that a table is missing; it lists the files that exist.
    func missing(_ file: GTFSFile) -> TableFailure {
        let shown = fileNames.prefix(8).joined(separator: ", ")
        let rest = fileNames.count > 8 ? " and \(fileNames.count - 8) more" : ""
        return TableFailure(
            kind: .noFile, file: file.name,
            detail:
                "is not in \(zip.path), which has \(fileNames.isEmpty ? "no files" : shown + rest)\(Self.advice(fileNames))"
        )
    }

    /// What to do about a zip of zips.
    private static func advice(_ names: [String]) -> String {
        guard let inner = names.first(where: { $0.lowercased().hasSuffix(".zip") }) else { return "" }
        return ": choose one at the end of the URL in `timetable`: #\(inner)"
    }

    /// The members that are GTFS tables, and the names of all files.
    ///
    /// - Throws: ``TableFailure`` if several folders hold a timetable, or one folder holds a table twice: which of the two counts is
    ///   undefined.
    private static func tables(
        among all: [String], in path: String
    ) throws(TableFailure) -> (members: [GTFSFile: UInt64], names: [String]) {
        var names: [String] = []
        var folders: [[String]: [GTFSFile: UInt64]] = [:]
        var repeated: [[String]: GTFSFile] = [:]
        for (index, name) in all.enumerated() {
            // Some Windows programs write `\`, which the zip format does not allow.
            let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map(String.init)
            // Nothing is unpacked, so that "../stops.txt" is a name like others.
            guard let last = parts.last, !last.isEmpty, !parts.contains("__MACOSX") else { continue }
            names.append(name)
            guard let file = GTFSFile(rawValue: last.lowercased()) else { continue }
            let folder = Array(parts.dropLast())
            if folders[folder, default: [:]].updateValue(UInt64(index), forKey: file) != nil { repeated[folder] = file }
        }
        // The folder nearest to the root with stops and stop_times; a folder of examples beside it has no such tables.
        let whole = folders.filter { $0.value[.stops] != nil && $0.value[.stopTimes] != nil }
        let candidates = whole.isEmpty ? folders : whole
        guard let depth = candidates.keys.map(\.count).min() else { return ([:], names) }
        let nearest = candidates.filter { $0.key.count == depth }
        guard nearest.count == 1, let found = nearest.first else {
            let folders = nearest.keys.map { $0.joined(separator: "/") }.sorted().prefix(4).joined(separator: ", ")
            throw TableFailure(
                kind: .rejected, file: path,
                detail: "holds several timetables (\(folders)): give each a feed and an archive of its own")
        }
        if let file = repeated[found.key] {
            throw TableFailure(
                kind: .rejected, file: path,
                detail: "has \(file.name) twice: it is undefined which one counts: report it to the operator")
        }
        return (found.value, names)
    }
}
