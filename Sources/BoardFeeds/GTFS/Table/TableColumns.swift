internal import BoardCore

/// The columns of a table that are wanted, each by a name of its own; in the order of their numbers.
protocol TableColumns: CaseIterable, RawRepresentable where RawValue == Int {
    /// The table in which they are.
    static var file: GTFSFile { get }
    /// What the column is called there.
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

    /// What a field of the current row says; empty where it is blank.
    func text(_ column: some TableColumns) -> String { text(column.rawValue) }

    /// What a field of the current row says; nil where it is blank.
    func textIfAny(_ column: some TableColumns) -> String? { textIfAny(column.rawValue) }

    /// A name that people read, with single blanks in it; nil where there is none.
    func nameIfAny(_ column: some TableColumns) -> String? {
        let name = text(column).singleSpaced
        return name.isEmpty ? nil : name
    }

    /// Bytes of some fields.
    func textCount<Columns: TableColumns>(_ columns: Columns...) -> Int {
        columns.reduce(0) { $0 + field($1).range.count }
    }

    /// A whole number; nil where the field is blank.
    func integer(_ column: some TableColumns) throws(GTFSFailure) -> Int? { try integer(column.rawValue) }

    /// Seconds from the beginning of a service day, which the row cannot do without.
    func time(_ column: some TableColumns) throws(GTFSFailure) -> Int {
        Int(try required(time(column.rawValue), column.rawValue))
    }

    /// A day; nil where the field is blank.
    func dateIfAny(_ column: some TableColumns) throws(GTFSFailure) -> CivilDate? { try date(column.rawValue) }

    /// A day, which the row cannot do without.
    func date(_ column: some TableColumns) throws(GTFSFailure) -> CivilDate {
        try required(date(column.rawValue), column.rawValue)
    }

    /// The number of a field's text among some; ``ByteKeys/unknown`` where it is none of them.
    @inline(__always)
    func number(of column: some TableColumns, in keys: borrowing ByteKeys) -> Int {
        keys.number(of: field(column), in: bytes.span)
    }

    /// That a field of the current row says nothing that can be read.
    func fault(_ column: some TableColumns, _ expected: String) -> GTFSFailure { fault(column.rawValue, expected) }
}
