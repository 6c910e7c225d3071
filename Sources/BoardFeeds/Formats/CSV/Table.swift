import CZip
import Glibc

/// A table of comma-separated values with a header, read row by row from a stream in bounded memory.
package struct Table: ~Copyable {
    /// The bytes read at once.
    static let chunk = 64 << 10
    /// The most bytes in memory: a row, or the held rows.
    static let maximumSize = 4 << 20
    /// The most columns of a table, and the most bytes of the header: no published GTFS file has 100 columns, and the
    /// header is scanned once per column.
    static let maximumColumns = 1_000
    static let maximumHeaderSize = 64 << 10

    /// The name in errors.
    let name: String
    private let header: [String]
    private(set) var row = TableRow()
    /// The first line of the current row, from 1.
    private(set) var line = 0
    /// The bytes with the current row's fields.
    private(set) var bytes: [UInt8]
    /// The start of the current row in ``bytes``.
    private(set) var start = 0
    /// The start of the held rows in ``bytes``; both may move.
    private(set) var held: Int?

    /// Whether the current row begins with the same bytes as the first held row, up to the first comma. If not, the
    /// first fields may still have equal texts.
    private(set) var isRepeated = false

    private let source: any ByteSource
    private(set) var scanner: RowScanner
    private var shape = RowShape()
    private var position = 0
    private var limit = 0
    private var isLast = false
    private var nextLine = 1
    /// The length of the first field and its comma of the first held row; 0: not comparable.
    private var repeated = 0

    /// Reads the header.
    ///
    /// - Parameter columns: the names of columns in lower case; `?` marks an optional one.
    package init(_ name: String, _ source: any ByteSource, _ columns: [String], chunk: Int = chunk) throws(TableError) {
        try self.init(name, source, chunk: chunk) { header throws(TableError) in
            try Self.places(of: columns, in: header, name)
        }
    }

    /// Reads the header, from which `choice` selects the places of columns.
    init(
        _ name: String, _ source: any ByteSource, chunk: Int = chunk,
        choice: ([String]) throws(TableError) -> [Int?]
    ) throws(TableError) {
        // Every buffer includes the padding.
        var buffer = [UInt8](repeating: 0, count: max(chunk, 1) + RowScanner.padding)
        var (limit, isLast) = (0, false)
        var found: (names: [String], lines: Int, end: Int)?
        while found == nil, !isLast {
            guard limit <= Self.maximumHeaderSize else { throw Self.headerTooLong(name) }
            if limit == buffer.count - RowScanner.padding { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let count = try source.read(into: &buffer, limit..<buffer.count - RowScanner.padding)
            limit += count
            isLast = count == 0
            for place in limit..<limit + RowScanner.padding { buffer[place] = UInt8(ascii: "\n") }
            let mark = FormatError.byteOrderMark
            // The three bytes of the mark may arrive separately.
            guard limit >= mark.count || isLast else { continue }
            found = try Self.header(name, in: buffer.span, buffer.starts(with: mark) ? mark.count : 0, limit, isLast)
        }
        let names = found?.names ?? []
        let places = try choice(names)
        header = names
        scanner = RowScanner(columns: places)
        self.name = name
        self.source = source
        bytes = buffer
        position = found?.end ?? limit
        self.limit = limit
        self.isLast = isLast
        nextLine = (found?.lines ?? 0) + 1
    }

    /// Advances to the next row that is not blank.
    ///
    /// - Returns: false after the last row.
    /// - Throws: ``TableError`` if its bytes are unreadable, or it is too long.
    mutating func next() throws(TableError) -> Bool {
        while true {
            let prefix = repeated > 0 && bytes.span.has(repeated, at: position, as: held ?? 0, limit) ? repeated : 0
            if position < limit, let next = Self.scan(bytes, scanner, position, limit, isLast, prefix, &shape, &row) {
                isRepeated = prefix > 0
                start = position
                line = nextLine
                position = next
                nextLine += row.lines
                if row.isBlank { continue }
                return true
            }
            if isLast { return try ended() }
            try fill()
        }
    }

    /// Whether the current row's first field has the bytes of another field.
    func has(_ field: TableField) -> Bool { bytes.span.isSame(row[0].range, in: bytes.span, field.range) }

    /// Uses a scanner for other columns of this table from the next row on; the first column must be the same.
    mutating func use(_ other: RowScanner) {
        shape.reset()
        scanner = other
    }

    /// Holds the bytes from the current row on, until the next call.
    mutating func hold() {
        held = start
        let end = Int(row[0].end)
        let isPlain = scanner.hasFirst && Int(row[0].start) == start && bytes[end] == UInt8(ascii: ",")
        repeated = isPlain ? end + 1 - start : 0
    }

    /// A scanner for other columns of this table, for held rows.
    func scanner(for columns: [String]) throws(TableError) -> RowScanner {
        RowScanner(columns: try Self.places(of: columns, in: header, name))
    }

    /// Scans a held row.
    ///
    /// - Parameters:
    ///   - scanner: for columns with the table's own first column.
    ///   - shape: the shape of the row before, which is in `row`.
    /// - Returns: the start of the next row.
    func read(_ scanner: RowScanner, at place: Int, _ shape: inout RowShape, into row: inout TableRow) -> Int {
        let prefix = repeated > 0 && bytes.span.has(repeated, at: place, as: held ?? 0, limit) ? repeated : 0
        return scanner.scan(bytes.span, from: place, limit: limit, isLast: isLast, prefix: prefix, &shape, into: &row)
            ?? limit
    }

    /// Static, because the compiler treats a span of a property as one of the whole table.
    @inline(__always)
    private static func scan(
        _ bytes: [UInt8], _ scanner: RowScanner, _ start: Int, _ limit: Int, _ isLast: Bool, _ prefix: Int,
        _ shape: inout RowShape, _ row: inout TableRow
    ) -> Int? {
        scanner.scan(bytes.span, from: start, limit: limit, isLast: isLast, prefix: prefix, &shape, into: &row)
    }

    private mutating func ended() throws(TableError) -> Bool {
        start = limit
        guard position < limit else { return false }
        throw TableError(
            kind: .badValue, file: name, line: nextLine, detail: "a quote that opens a field there is never closed")
    }

    /// Drops the bytes before the held rows and fills the buffer.
    private mutating func fill() throws(TableError) {
        shape.reset()
        let dropped = min(held ?? position, position)
        if dropped > 0 {
            unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[dropped..<limit])
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<rest.count]).copyMemory(from: rest)
            }
            position -= dropped
            limit -= dropped
            held = held.map { $0 - dropped }
        }
        if limit == bytes.count - RowScanner.padding {
            guard bytes.count < Self.maximumSize else { throw Self.tooLong(name, nextLine) }
            bytes += [UInt8](repeating: 0, count: bytes.count)
        }
        let count = try source.read(into: &bytes, limit..<bytes.count - RowScanner.padding)
        limit += count
        isLast = count == 0
        for place in limit..<limit + RowScanner.padding { bytes[place] = UInt8(ascii: "\n") }
    }

    /// The fields of the first row, and the start of the next; nil if it does not end in these bytes.
    private static func header(
        _ file: String, in bytes: Span<UInt8>, _ first: Int, _ limit: Int, _ isLast: Bool
    ) throws(TableError) -> (names: [String], lines: Int, end: Int)? {
        guard first < limit else { return nil }
        var names: [String] = []
        var row = TableRow()
        // One scan per column: a header is short, and no other row needs all columns.
        while let end = RowScanner(columns: [names.count]).scan(
            bytes, from: first, limit: limit, isLast: isLast, into: &row)
        {
            guard row.columns <= maximumColumns, end - first <= maximumHeaderSize else { throw headerTooLong(file) }
            guard row.columns > names.count else { return (names, row.lines, end) }
            names.append(bytes.text(row[0]))
        }
        return nil
    }

    /// The index of each column; nil if missing.
    private static func places(
        of columns: [String], in header: [String], _ name: String
    ) throws(TableError) -> [Int?] {
        let found = header.map { $0.lowercased() }
        return try columns.map { column throws(TableError) in
            let place = found.firstIndex(of: column.withoutMark)
            if place == nil, !column.hasSuffix("?") { throw missing(column, name, header) }
            return place
        }
    }

    private static func missing(_ column: String, _ file: String, _ header: [String]) -> TableError {
        let found = header.isEmpty ? "nothing" : "\"\(header.joined(separator: ",").prefix(100))\""
        return TableError(
            file: file, line: 1, column: column, detail: "the file has no such column; its first line is \(found)")
    }

    private static func headerTooLong(_ name: String) -> TableError {
        TableError(
            file: name, line: 1,
            detail:
                "the header has more than \(maximumColumns) columns or \(maximumHeaderSize) bytes; no table of a timetable does"
        )
    }

    private static func tooLong(_ name: String, _ line: Int) -> TableError {
        TableError(
            file: name, line: line,
            detail: "a row, or the rows of one trip, with more than \(maximumSize) bytes begin there")
    }
}

extension String {
    /// The name of a column without the `?` of an optional one.
    var withoutMark: String { hasSuffix("?") ? String(dropLast()) : self }
}

/// A failure to read a table, or the archive that holds it: file, line, what was found and what was expected.
package struct TableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failures that callers distinguish.
    enum Kind: Hashable, Sendable {
        /// The archive or the table cannot be used.
        case unreadable
        /// A required field is unreadable.
        case badValue
        /// This machine has no such time zone.
        case noZone
        /// Reading was cancelled by the receiver of what was read.
        case cancelled
    }

    var kind = Kind.unreadable
    /// The file in the archive ("stop_times.txt"), or the archive itself.
    let file: String
    /// The line, from 1, if the failure is on one; the first line of a row.
    var line: Int?
    var column: String?
    /// What was found, what was expected and what to do, without a full stop.
    let detail: String

    /// "stop_times.txt, line 7, departure_time: found …".
    package var description: String {
        let place = [file, line.map { "line \($0)" }, column].compactMap(\.self).joined(separator: ", ")
        return "\(place): \(detail)"
    }
}

extension TableError {
    /// A failure that libzip reports.
    ///
    /// - Parameters:
    ///   - code: one of `ZIP_ER_…`.
    ///   - system: the `errno` with it, or zlib's code.
    init(zip code: Int32, system: Int32, file: String) {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        unsafe zip_error_set(&error, code, system)
        let reason = unsafe String(cString: zip_error_strerror(&error))
        unsafe zip_error_fini(&error)
        let what =
            switch code {
            case ZIP_ER_OPEN, ZIP_ER_NOENT: "cannot be opened"
            case ZIP_ER_NOZIP: "is not a zip, or is truncated"
            case ZIP_ER_COMPNOTSUPP, ZIP_ER_ENCRNOTSUPP, ZIP_ER_NOPASSWD, ZIP_ER_WRONGPASSWD, ZIP_ER_MULTIDISK:
                "uses an unsupported compression or encryption"
            default: "is damaged or truncated"
            }
        self.init(file: file, detail: "\(what) (\(reason))")
    }
}
