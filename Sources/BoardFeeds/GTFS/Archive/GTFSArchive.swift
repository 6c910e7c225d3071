internal import BoardIO
internal import CZip
internal import Glibc

/// A GTFS timetable as operators publish it: a zip of tables. Each table is read as a stream and never unpacked to disk.
///
/// Reading blocks, so read on a dedicated thread. An open archive stays readable when a newer one replaces the file.
@safe
final class GTFSArchive {
    /// Called between two chunks; true stops reading.
    typealias Cancellation = @Sendable () -> Bool

    /// The most files in an archive; a timetable has 10 to 40.
    static let mostMembers = 10_000
    /// The highest compression ratio, a few times that of a regular timetable. Tables of up to ``harmless`` bytes may
    /// have any ratio.
    static let highestRatio: UInt64 = 250
    private static let harmless: UInt64 = 4 << 20

    let path: String
    /// The limits on what is stored of it in memory.
    let limits: GTFSLimits
    private let archive: OpaquePointer
    private let members: [GTFSFile: UInt64]
    private let names: [String]
    private let isCancelled: Cancellation

    /// Opens an archive and finds its tables in any folder: some operators put them in one.
    ///
    /// - Throws: ``GTFSFailure`` if it is not a zip, or breaks a limit.
    init(
        path: String, limits: GTFSLimits = GTFSLimits(), isCancelled: @escaping Cancellation = { false }
    ) throws(GTFSFailure) {
        self.path = path
        self.limits = limits
        self.isCancelled = isCancelled
        let descriptor = try Self.openFile(path)
        var isOpened = false
        defer { if !isOpened { close(descriptor) } }
        let length = try ZipEnd.check(descriptor, path)
        var code: Int32 = 0
        guard lseek(descriptor, 0, SEEK_SET) == 0, let archive = unsafe zip_fdopen(descriptor, 0, &code) else {
            throw GTFSFailure(zip: code, system: errno, file: path)
        }
        // libzip owns the descriptor now.
        isOpened = true
        var isAdopted = false
        defer { if !isAdopted { unsafe zip_discard(archive) } }
        let found = try ArchiveNames(unsafe Self.names(of: archive, path), in: path)
        members = found.members
        names = found.names
        // The compression ratio is computed from these sizes, which libzip does not check.
        let packed = found.members.values.reduce(UInt64(0)) { sum, index in
            sum.addingReportingOverflow(unsafe Self.stat(archive, index)?.comp_size ?? 0).partialValue
        }
        guard packed <= length else {
            throw GTFSFailure(
                kind: .damaged, file: path,
                detail: "is damaged or a forged zip (its tables have \(packed) packed bytes, and all of it \(length))")
        }
        isAdopted = true
        unsafe self.archive = unsafe archive
    }

    deinit {
        unsafe zip_discard(archive)
    }

    private static func openFile(_ path: String) throws(GTFSFailure) -> Int32 {
        do throws(FileAccessFailure) {
            return try GuardedPath.openFile(path).descriptor
        } catch {
            switch error.kind {
            case .system(EISDIR), .notAFile:
                throw GTFSFailure(kind: .notAnArchive, file: path, detail: "is not a readable file")
            case .system, .foreignLink, .foreignFile:
                throw GTFSFailure(kind: .unopened, file: path, detail: "cannot be opened (\(error))")
            }
        }
    }

    func contains(_ file: GTFSFile) -> Bool {
        members[file] != nil
    }

    /// The bytes of a table.
    ///
    /// - Throws: ``GTFSFailure`` if it is missing, encrypted or too large.
    func open(_ file: GTFSFile) throws(GTFSFailure) -> any ByteSource {
        guard let index = members[file] else { throw missing(file) }
        guard let stat = unsafe Self.stat(archive, index) else { throw fault(file) }
        guard unsafe stat.encryption_method == ZIP_EM_NONE else {
            throw GTFSFailure(
                kind: .unreadable, file: file.name,
                detail: "is encrypted, which is not supported: use an archive without a password")
        }
        let (size, packed) = unsafe (stat.size, stat.comp_size)
        guard size <= file.limit else {
            throw GTFSFailure(
                kind: .tooLarge, file: file.name, detail: "has \(size) bytes, where at most \(file.limit) are read")
        }
        guard size <= Self.harmless || size / Self.highestRatio <= packed else {
            throw GTFSFailure(
                kind: .tooLarge, file: file.name,
                detail: "\(packed) bytes would become \(size), more than \(Self.highestRatio) times as many: a zip bomb"
            )
        }
        guard let opened = unsafe zip_fopen_index(archive, index, 0) else { throw fault(file) }
        return unsafe ArchiveMember(opened, of: self, file: file, size: size, isCancelled: isCancelled)
    }

    /// The failure that a table is missing; it lists the files that exist.
    func missing(_ file: GTFSFile) -> GTFSFailure {
        let shown = names.prefix(8).joined(separator: ", ")
        let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
        return GTFSFailure(
            kind: .noFile, file: file.name,
            detail: "is not in \(path), which has \(names.isEmpty ? "no files" : shown + rest)")
    }

    private func fault(_ file: GTFSFile) -> GTFSFailure {
        let error = unsafe zip_get_error(archive)
        return GTFSFailure(
            zip: unsafe zip_error_code_zip(error), system: unsafe zip_error_code_system(error), file: file.name)
    }

    /// The central directory's entry of a member.
    private static func stat(_ archive: OpaquePointer, _ index: UInt64) -> zip_stat_t? {
        var stat = unsafe zip_stat_t()
        return unsafe zip_stat_index(archive, index, 0, &stat) == 0 ? stat : nil
    }

    /// The names of all members, by index; empty for a member without a name.
    private static func names(of archive: OpaquePointer, _ path: String) throws(GTFSFailure) -> [String] {
        let count = unsafe zip_get_num_entries(archive, 0)
        guard count <= mostMembers else {
            throw GTFSFailure(
                kind: .rejected, file: path, detail: "has \(count) files, where a timetable has 10 to 40")
        }
        var names: [String] = []
        for index in 0..<UInt64(clamping: count) {
            names.append(unsafe zip_get_name(archive, index, 0).map { unsafe String(cString: $0) } ?? "")
        }
        return names
    }
}

/// A table in an archive that is being read.
@safe
private final class ArchiveMember: ByteSource {
    private let file: OpaquePointer
    /// Open as long as its member is.
    private let archive: GTFSArchive
    private let name: String
    private let size: UInt64
    private let isCancelled: GTFSArchive.Cancellation
    private var readCount: UInt64 = 0

    init(
        _ file: OpaquePointer, of archive: GTFSArchive, file table: GTFSFile, size: UInt64,
        isCancelled: @escaping GTFSArchive.Cancellation
    ) {
        unsafe self.file = unsafe file
        self.archive = archive
        name = table.name
        self.size = size
        self.isCancelled = isCancelled
    }

    deinit {
        unsafe zip_fclose(file)
    }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(GTFSFailure) -> Int {
        guard !isCancelled() else {
            throw GTFSFailure(kind: .cancelled, file: name, detail: "reading was cancelled")
        }
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[room])
            guard let base = part.baseAddress else { return zip_int64_t(0) }
            return unsafe zip_fread(file, base, UInt64(part.count))
        }
        guard count >= 0 else {
            let error = unsafe zip_file_get_error(file)
            throw GTFSFailure(
                zip: unsafe zip_error_code_zip(error), system: unsafe zip_error_code_system(error), file: name)
        }
        readCount += UInt64(count)
        guard readCount <= size else {
            throw GTFSFailure(kind: .tooLarge, file: name, detail: "has more than the \(size) bytes that it declares")
        }
        return Int(count)
    }
}
