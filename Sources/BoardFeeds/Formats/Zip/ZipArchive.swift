import BoardIO
import CZip
import Glibc

/// A zip whose members are read as streams and never unpacked to disk.
///
/// Reading blocks, so read on a dedicated thread. An open archive stays readable when a newer one replaces the file.
@safe
final class ZipArchive {
    /// The highest compression ratio, a few times a table's. Members of up to ``harmless`` bytes may have any ratio.
    private static let maximumRatio: UInt64 = 250
    private static let harmless: UInt64 = 4 << 20

    let path: String
    /// The names of all members, by index; empty for a member without a name.
    let names: [String]
    private let archive: OpaquePointer
    /// The bytes of the file.
    private let length: UInt64

    init(path: String) throws(TableError) {
        let descriptor = try Self.openFile(path)
        var isOpened = false
        defer { if !isOpened { close(descriptor) } }
        length = try ZipEnd.check(descriptor, path)
        var code: Int32 = 0
        guard lseek(descriptor, 0, SEEK_SET) == 0, let archive = unsafe zip_fdopen(descriptor, 0, &code) else {
            throw TableError(zip: code, system: errno, file: path)
        }
        // libzip owns the descriptor now.
        isOpened = true
        unsafe self.archive = unsafe archive
        self.path = path
        names = (0..<UInt64(clamping: unsafe zip_get_num_entries(archive, 0))).map { index in
            unsafe zip_get_name(archive, index, 0).map { unsafe String(cString: $0) } ?? ""
        }
    }

    deinit { unsafe zip_discard(archive) }

    private static func openFile(_ path: String) throws(TableError) -> Int32 {
        do throws(FileError) {
            return try GuardedPath.openFile(path).descriptor
        } catch {
            switch error.kind {
            case .system(EISDIR), .notAFile: throw TableError(file: path, detail: "is not a readable file")
            case .system, .foreignLink, .foreignFile, .recording:
                throw TableError(file: path, detail: "cannot be opened (\(error))")
            }
        }
    }

    /// Checks that some members together are not larger than the file: the compression ratio is computed from their
    /// sizes, which libzip does not check.
    func checkSizes(of members: some Sequence<UInt64>) throws(TableError) {
        let packed = members.reduce(UInt64(0)) { sum, member in
            sum.addingReportingOverflow(unsafe stat(member)?.comp_size ?? 0).partialValue
        }
        guard packed <= length else {
            throw TableError(
                file: path,
                detail: "is damaged or a forged zip (its tables have \(packed) packed bytes, the whole file \(length))")
        }
    }

    /// The bytes of a member.
    ///
    /// - Parameter name: its name in errors.
    func open(_ member: UInt64, _ name: String, limit: UInt64) throws(TableError) -> any ByteSource {
        guard let stat = unsafe stat(member) else { throw fault(name) }
        guard unsafe stat.encryption_method == ZIP_EM_NONE else {
            throw TableError(
                file: name, detail: "is encrypted, which is not supported: use an archive without a password")
        }
        let (size, packed) = unsafe (stat.size, stat.comp_size)
        guard size <= limit else {
            throw TableError(file: name, detail: "has \(size) bytes, where at most \(limit) are read")
        }
        guard size <= Self.harmless || size / Self.maximumRatio <= packed else {
            throw TableError(
                file: name,
                detail: "\(packed) bytes would become \(size), more than \(Self.maximumRatio) times as many: a zip bomb"
            )
        }
        guard let opened = unsafe zip_fopen_index(archive, member, 0) else { throw fault(name) }
        return unsafe ZipMember(opened, of: self, name, size: size)
    }

    private func fault(_ name: String) -> TableError {
        let error = unsafe zip_get_error(archive)
        return TableError(
            zip: unsafe zip_error_code_zip(error), system: unsafe zip_error_code_system(error), file: name)
    }

    /// The central directory's entry of a member.
    private func stat(_ member: UInt64) -> zip_stat_t? {
        var stat = unsafe zip_stat_t()
        return unsafe zip_stat_index(archive, member, 0, &stat) == 0 ? stat : nil
    }
}

/// A member that is being read.
@safe
private final class ZipMember: ByteSource {
    private let file: OpaquePointer
    /// Stays open as long as its member.
    private let archive: ZipArchive
    private let name: String
    private let size: UInt64
    private var readCount: UInt64 = 0

    init(_ file: OpaquePointer, of archive: ZipArchive, _ name: String, size: UInt64) {
        unsafe self.file = unsafe file
        self.archive = archive
        self.name = name
        self.size = size
    }

    deinit { unsafe zip_fclose(file) }

    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(TableError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[room])
            guard let base = part.baseAddress else { return zip_int64_t(0) }
            return unsafe zip_fread(file, base, UInt64(part.count))
        }
        guard count >= 0 else {
            let error = unsafe zip_file_get_error(file)
            throw TableError(
                zip: unsafe zip_error_code_zip(error), system: unsafe zip_error_code_system(error), file: name)
        }
        readCount += UInt64(count)
        guard readCount <= size else {
            throw TableError(file: name, detail: "has more than the \(size) bytes that it declares")
        }
        return Int(count)
    }
}

/// Checks a zip's end-of-central-directory record before libzip reads the central directory, because libzip allocates
/// memory by the entry count in that record (APPNOTE.TXT 4.3.14 to 4.3.16).
enum ZipEnd {
    /// The bytes of the record without its comment, and of the longest comment.
    private static let size = 22, maximumCommentLength = 65_535
    private static let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
    private static let locator: [UInt8] = [0x50, 0x4B, 0x06, 0x07]
    /// The most bytes of a central directory: 200 for each of 10,000 members.
    private static let maximumListSize = 2 << 20
    /// The bytes of an entry without its name.
    private static let leastEntry = 46

    /// - Returns: the length of the archive in bytes.
    /// - Throws: ``TableError`` if the file is empty, has no end record, or lists too many files.
    static func check(_ descriptor: Int32, _ path: String) throws(TableError) -> UInt64 {
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard length > 0 else {
            throw TableError(file: path, detail: length == 0 ? "is an empty file" : "is not a readable file")
        }
        let tail = bytes(descriptor, from: max(0, length - size - maximumCommentLength), to: length)
        guard let end = tail.indices.reversed().first(where: { has(signature, tail, $0) && $0 + size <= tail.count })
        else {
            throw TableError(
                file: path, detail: "is not a zip, or is truncated (\(length) bytes)")
        }
        var (entries, list) = (number(tail, end + 10, 2), number(tail, end + 12, 4))
        // Zip64: the numbers are in a separate record, whose offset is in the locator before this record.
        if end >= 20, has(locator, tail, end - 20) {
            let place = number(tail, end - 20 + 8, 8)
            let record = place <= length - 56 ? bytes(descriptor, from: place, to: place + 56) : []
            (entries, list) = record.count == 56 ? (number(record, 32, 8), number(record, 40, 8)) : (.max, .max)
        }
        guard list <= maximumListSize, list < length, entries <= list / leastEntry else {
            throw TableError(file: path, detail: "is damaged or truncated (it lists \(entries) files in \(list) bytes)")
        }
        return UInt64(clamping: length)
    }

    private static func bytes(_ descriptor: Int32, from start: Int, to end: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: end - start)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(start))
        }
        return count == bytes.count ? bytes : []
    }

    private static func has(_ signature: [UInt8], _ bytes: [UInt8], _ place: Int) -> Bool {
        bytes[place...].starts(with: signature)
    }

    /// A little-endian number, clamped to `Int.max`.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        var number: UInt64 = 0
        for index in (place..<place + count).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return Int(clamping: number)
    }
}
