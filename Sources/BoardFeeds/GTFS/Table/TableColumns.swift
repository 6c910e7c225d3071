internal import BoardCore
internal import BoardFormats

/// The requested columns of a table, in the order of their raw values.
protocol TableColumns: CaseIterable, RawRepresentable where RawValue == Int {
    static var file: GTFSFile { get }
    var column: Table.Column { get }
}

extension Table {
    /// Opens a table of an archive.
    init<Columns: TableColumns>(_ columns: Columns.Type, in archive: GTFSArchive) throws(GTFSFailure) {
        try self.init(Columns.file.name, archive.open(Columns.file), Columns.allCases.map(\.column))
    }

    /// A field of the current row.
    @inline(__always)
    func field(_ column: some TableColumns) -> TableField { row[column.rawValue] }

    /// The text of a field of the current row; empty if blank.
    func text(_ column: some TableColumns) -> String { text(column.rawValue) }

    /// The text of a field of the current row; nil if blank.
    func textIfAny(_ column: some TableColumns) -> String? { textIfAny(column.rawValue) }

    /// A displayed name, with single blanks; nil if empty.
    func nameIfAny(_ column: some TableColumns) -> String? {
        let name = text(column).singleSpaced
        return name.isEmpty ? nil : name
    }

    /// The bytes of some fields.
    func textCount<Columns: TableColumns>(_ columns: Columns...) -> Int {
        columns.reduce(0) { $0 + field($1).range.count }
    }

    /// A whole number; nil if blank.
    func integer(_ column: some TableColumns) throws(GTFSFailure) -> Int? { try integer(column.rawValue) }

    /// Seconds from the beginning of a service day; required.
    func time(_ column: some TableColumns) throws(GTFSFailure) -> Int {
        Int(try required(time(column.rawValue), column.rawValue))
    }

    /// A day; nil if blank.
    func dateIfAny(_ column: some TableColumns) throws(GTFSFailure) -> CivilDate? { try date(column.rawValue) }

    /// A day; required.
    func date(_ column: some TableColumns) throws(GTFSFailure) -> CivilDate {
        try required(date(column.rawValue), column.rawValue)
    }

    /// The number of a field's text in `keys`, or ``ByteKeys/unknown``.
    @inline(__always)
    func number(of column: some TableColumns, in keys: borrowing ByteKeys) -> Int {
        keys.number(of: field(column), in: bytes.span)
    }

    /// The failure that a field of the current row is unreadable.
    func fault(_ column: some TableColumns, _ expected: String) -> GTFSFailure { fault(column.rawValue, expected) }
}
