internal import BoardCore
internal import BoardFormats

/// The requested columns of a table, in the order of their raw values.
protocol TableColumns: CaseIterable, RawRepresentable where RawValue == Int {
    static var file: GTFSFile { get }
    /// In the order of the cases; `?` marks a column that the file may lack.
    static var names: [String] { get }
}

extension TableColumns {
    var column: Table.Column {
        let name = Self.names[rawValue]
        return name.hasSuffix("?") ? .optional(String(name.dropLast())) : .required(name)
    }
}

extension Table {
    init<Columns: TableColumns>(_ columns: Columns.Type, in archive: GTFSArchive) throws(TableFailure) {
        try self.init(Columns.file.name, archive.open(Columns.file), Columns.allCases.map(\.column))
    }

    @inline(__always)
    func field(_ column: some TableColumns) -> TableField { row[column.rawValue] }

    func text(_ column: some TableColumns) -> String { text(column.rawValue) }

    func textIfAny(_ column: some TableColumns) -> String? { textIfAny(column.rawValue) }

    /// A displayed name, with single blanks; nil if empty.
    func nameIfAny(_ column: some TableColumns) -> String? {
        let name = text(column).plainText
        return name.isEmpty ? nil : name
    }

    /// A displayed name as the board shows it; nil if empty.
    func nameIfAny(
        _ column: some TableColumns, _ translations: Translations, _ kind: Translations.Column, of record: String
    ) -> String? {
        let name = translations.name(text(column), kind, of: record)
        return name.isEmpty ? nil : name
    }

    func textCount<Columns: TableColumns>(_ columns: Columns...) -> Int {
        columns.reduce(0) { $0 + field($1).range.count }
    }

    func integer(_ column: some TableColumns) throws(TableFailure) -> Int? { try integer(column.rawValue) }

    /// Seconds from the beginning of a service day; required.
    func time(_ column: some TableColumns) throws(TableFailure) -> Int {
        Int(try required(time(column.rawValue), column.rawValue))
    }

    func dateIfAny(_ column: some TableColumns) throws(TableFailure) -> CivilDate? { try date(column.rawValue) }

    func date(_ column: some TableColumns) throws(TableFailure) -> CivilDate {
        try required(date(column.rawValue), column.rawValue)
    }

    /// The number of a field's text in `keys`, or ``ByteKeys/unknown``.
    @inline(__always)
    func number(of column: some TableColumns, in keys: borrowing ByteKeys) -> Int {
        keys.number(of: field(column), in: bytes.span)
    }

    func fault(_ column: some TableColumns, _ expected: String) -> TableFailure { fault(column.rawValue, expected) }
}

extension TableField {
    init(_ range: Range<Int>) {
        self.init(start: Int32(truncatingIfNeeded: range.lowerBound), end: Int32(truncatingIfNeeded: range.upperBound))
    }
}
