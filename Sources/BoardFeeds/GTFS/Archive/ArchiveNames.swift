internal import BoardFormats

/// The archive members that are GTFS tables.
struct ArchiveNames {
    /// The index of each table's member in the archive.
    private(set) var members: [GTFSFile: UInt64] = [:]
    /// The names of all files except those that file managers add (`__MACOSX`).
    private(set) var names: [String] = []

    /// - Throws: ``GTFSFailure`` if a name leads out of the archive, several folders hold a timetable, or one folder holds
    ///   a table twice: which of the two counts is undefined.
    init(_ all: [String], in path: String) throws(GTFSFailure) {
        var folders: [[String]: [GTFSFile: UInt64]] = [:]
        var repeated: [[String]: GTFSFile] = [:]
        for (index, name) in all.enumerated() {
            // Some Windows programs write `\`, which the zip format does not allow.
            let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map(String.init)
            if parts.contains("..") || (parts.count > 1 && parts[0].isEmpty) {
                throw GTFSFailure(
                    kind: .rejected, file: path, detail: "names a file outside of itself: \"\(name.prefix(60))\"")
            }
            guard let last = parts.last, !last.isEmpty, !parts.contains("__MACOSX") else { continue }
            names.append(name)
            guard let file = GTFSFile(rawValue: last.lowercased()) else { continue }
            let folder = Array(parts.dropLast())
            if folders[folder, default: [:]].updateValue(UInt64(index), forKey: file) != nil { repeated[folder] = file }
        }
        // The folder nearest to the root with stops and stop_times; a folder of examples beside it has no such tables.
        let whole = folders.filter { $0.value[.stops] != nil && $0.value[.stopTimes] != nil }
        let candidates = whole.isEmpty ? folders : whole
        guard let depth = candidates.keys.map(\.count).min() else { return }
        let nearest = candidates.filter { $0.key.count == depth }
        guard nearest.count == 1, let found = nearest.first else {
            let folders = nearest.keys.map { $0.joined(separator: "/") }.sorted().prefix(4).joined(separator: ", ")
            throw GTFSFailure(
                kind: .rejected, file: path,
                detail: "holds several timetables (\(folders)): give each a feed and an archive of its own")
        }
        if let file = repeated[found.key] {
            throw GTFSFailure(
                kind: .rejected, file: path,
                detail: "has \(file.name) twice: it is undefined which one counts: report it to the operator")
        }
        members = found.value
    }
}
