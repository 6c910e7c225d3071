package import BoardFormats

/// A failure to read a GTFS timetable.
package typealias GTFSFailure = TableFailure

/// A GTFS timetable as operators publish it: a zip of tables.
package final class GTFSArchive {
    /// The most files in an archive; a timetable has 10 to 40.
    static let mostMembers = 10_000

    /// The limits on what is stored of it in memory.
    let limits: GTFSLimits
    private let zip: ZipArchive
    private let members: [GTFSFile: UInt64]
    private let names: [String]

    /// Opens an archive and finds its tables in any folder: some operators put them in one.
    ///
    /// - Throws: ``GTFSFailure`` if it is not a zip, or breaks a limit.
    package init(path: String, limits: GTFSLimits = GTFSLimits()) throws(GTFSFailure) {
        self.limits = limits
        zip = try ZipArchive(path: path)
        guard zip.names.count <= Self.mostMembers else {
            throw GTFSFailure(
                kind: .rejected, file: path, detail: "has \(zip.names.count) files, where a timetable has 10 to 40")
        }
        let found = try ArchiveNames(zip.names, in: path)
        members = found.members
        names = found.names
        try zip.checkSizes(of: members.values)
    }

    func contains(_ file: GTFSFile) -> Bool {
        members[file] != nil
    }

    /// - Throws: ``GTFSFailure`` if it is missing, encrypted or too large.
    func open(_ file: GTFSFile) throws(GTFSFailure) -> any ByteSource {
        guard let member = members[file] else { throw missing(file) }
        return try zip.open(member, file.name, limit: file.limit)
    }

    /// The failure that a table is missing; it lists the files that exist.
    func missing(_ file: GTFSFile) -> GTFSFailure {
        let shown = names.prefix(8).joined(separator: ", ")
        let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
        return GTFSFailure(
            kind: .noFile, file: file.name,
            detail: "is not in \(zip.path), which has \(names.isEmpty ? "no files" : shown + rest)")
    }
}
