import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Tables of comma-separated values")
struct TableTests {
    private let columns: [String] = ["id", "name?", "last?"]

    /// The rows as text, with their first lines.
    private func rows(_ text: String, piece: Int = .max, chunk: Int = Table.chunk) throws -> [String] {
        var table = try Table("stops.txt", MemorySource(text, piece: piece), columns, chunk: chunk)
        var rows: [String] = []
        while try table.next() {
            rows.append("\(table.line): " + (0..<3).map { table.text($0) }.joined(separator: "|"))
        }
        return rows
    }

    private let faithful = [
        "\u{FEFF}x,id , name,y,last,z\r\n", #"1,A,"Foo, ""Bar""",  ,  end  ,"# + "\r\n", "\r\n", "2,\"B\",\"two\r\n",
        #"lines",,"",""# + "\r\n", "\r\n", "x\"\r\n", "3, C\n", #"4,D,é ü,,"  blank ",more,and,more"# + "\n", "\n",
        #"5,"",,,"# + "\n", #"6,E,plain,"y",last"#,
    ].joined()

    /// Advances to the next row, which must exist.
    private func next(_ table: inout Table) throws {
        let hasRow = try table.next()
        try #require(hasRow)
    }

    @Test("quotes, blanks, line ends, short and long rows are read, in chunks of any size")
    func pieces() throws {
        let expected = [
            "2: A|Foo, \"Bar\"|end", "4: B|two\r\nlines|", "8: C||", "9: D|é ü|blank", "11: ||", "12: E|plain|last",
        ]
        #expect(try rows(faithful) == expected)
        for piece in 1...40 { #expect(try rows(faithful, piece: piece) == expected, "pieces of \(piece)") }
        for chunk in 1...40 { #expect(try rows(faithful, chunk: chunk) == expected, "a buffer of \(chunk)") }
    }

    @Test("quotes in quotes that are not doubled belong to the text, in chunks of any size")
    func looseQuotes() throws {
        let text = #"id,name,last¶1,"Osnabrück, "emma"",a¶2,"the "old" one",b¶3,"old"junk,c¶4,"old"junk,"c"¶5,"x "y"#
        let expected = [
            #"2: 1|Osnabrück, "emma"|a"#, #"3: 2|the "old" one|b"#, "4: 3|old|c", "5: 4|old|c", #"6: 5|x|"#,
        ]
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replacing("¶", with: end)
            for size in 1...40 {
                #expect(try rows(text, piece: size) == expected)
                #expect(try rows(text, chunk: size) == expected)
            }
        }
    }

    @Test("a field that is not UTF-8 is read as Windows-1252")
    func encodings() throws {
        let bytes = Array("id,name\n1,Z".utf8) + [0xFC] + Array("rich ".utf8) + [0x80] + Array("\n2,Zürich\n".utf8)
        var table = try Table("stops.txt", MemorySource(bytes), columns)
        try next(&table)
        #expect(table.text(1) == "Zürich €")
        try next(&table)
        #expect(table.text(1) == "Zürich")
    }

    @Test("lines end with LF, CRLF or CR, and the last may have no end", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(_ end: String) throws {
        let text = ["id,name,last", "A,B,C", "", "D,E,F"].joined(separator: end)
        for piece in [1, 2, 3, 7, 100] {
            #expect(try rows(text, piece: piece) == ["2: A|B|C", "4: D|E|F"])
            #expect(try rows(text + end, piece: piece) == ["2: A|B|C", "4: D|E|F"])
        }
    }

    @Test("a missing required column is named, with the existing ones")
    func missingColumn() {
        let failure = #expect(throws: TableError.self) { try rows("stop,name\n1,2\n") }
        #expect(failure?.kind == .unreadable)
        #expect(
            failure?.description
                == "stops.txt, line 1, id: the file has no such column; its first line is \"stop,name\"")
        #expect(throws: TableError.self) { try rows("") }
    }

    @Test("an unclosed quote is reported with its line")
    func openQuote() {
        let failure = #expect(throws: TableError.self) { try rows("id,name\n1,2\n3,\"4\n5,6\n") }
        #expect(failure?.kind == .badValue)
        #expect(failure?.line == 3)
    }

    @Test("a header with too many columns or bytes is rejected in one pass", .endsHangs)
    func endlessHeader() throws {
        let comma = UInt8(ascii: ",")
        let start = Array("id".utf8)
        let headers = [
            start + [UInt8](repeating: comma, count: 3_900_000),
            start + [UInt8](repeating: comma, count: Table.maximumColumns),
            start + [comma] + [UInt8](repeating: UInt8(ascii: "a"), count: Table.maximumHeaderSize),
        ]
        for header in headers {
            for end in ["", "\n1\n"] {
                let failure = #expect(throws: TableError.self) {
                    _ = try Table("stops.txt", MemorySource(header + Array(end.utf8)), columns)
                }
                #expect(failure?.kind == .unreadable && failure?.line == 1)
            }
        }
        // No more bytes are read than a header may have.
        let source = MemorySource(headers[0])
        _ = try? Table("stops.txt", source, columns)
        #expect(source.rest.startIndex <= 3 * Table.maximumHeaderSize)
        let most = start + [UInt8](repeating: comma, count: Table.maximumColumns - 1)
        var table = try Table("stops.txt", MemorySource(most + Array("\n1\n".utf8)), columns)
        #expect(try table.next())
        #expect(table.text(0) == "1")
    }

    @Test("held rows can be scanned again with other columns, also after their bytes have moved")
    func held() throws {
        for (piece, chunk) in [(1, 16), (5, 24), (100, 32), (100, 1_000)] {
            let source = MemorySource("id,name,last\nA,1,x\nA,2,\"y,y\"\nB,3,z\nB,4,w\n", piece: piece)
            var table = try Table("stop_times.txt", source, ["id", "name"], chunk: chunk)
            let scanner = try table.scanner(for: ["id", "last"])
            try next(&table)
            table.hold()
            try next(&table)
            let isRepeated = table.isRepeated
            #expect(isRepeated)
            try next(&table)
            let isRepeatedAgain = table.isRepeated
            #expect(!isRepeatedAgain)
            var (row, shape) = (TableRow(), RowShape())
            var place = table.held ?? -1
            var found: [String] = []
            while place < table.start {
                place = table.read(scanner, at: place, &shape, into: &row)
                found.append(table.bytes.span.text(row[0]) + table.bytes.span.text(row[1]))
            }
            #expect(found == ["Ax", "Ay,y"])
        }
    }

    @Test("a row with the shape of the row before is read like any other")
    func shapes() throws {
        let lines: [(String, [String])] = [
            ("T,00:06:00,S1,1", ["00:06:00", "S1", "1"]), ("T,00:07:30,S2,2", ["00:07:30", "S2", "2"]),
            ("T,00:08:00,S3,3", ["00:08:00", "S3", "3"]), ("T,00:08:0,S33,4", ["00:08:0", "S33", "4"]),
            ("T,00:09:00,S4,5", ["00:09:00", "S4", "5"]), ("T,\"0:10:0\",S5,6", ["0:10:0", "S5", "6"]),
            ("T,00:11:00,S6,7", ["00:11:00", "S6", "7"]), ("T,00:12:0 ,S7,8", ["00:12:0", "S7", "8"]),
            ("T,00:13:00, 8,9", ["00:13:00", "8", "9"]), ("T,00:14:00,S9,", ["00:14:00", "S9", ""]),
            ("T,00:15:00,S9,", ["00:15:00", "S9", ""]), ("T,00:16:00,S9", ["00:16:00", "S9", ""]),
            ("T,00:17:00,S9", ["00:17:00", "S9", ""]), ("T,,,", ["", "", ""]), ("T,,,", ["", "", ""]),
            (
                "T,00:18:00,\(String(repeating: "S", count: 60)),1",
                ["00:18:00", String(repeating: "S", count: 60), "1"]
            ),
            (
                "T,00:19:00,\(String(repeating: "Z", count: 60)),2",
                ["00:19:00", String(repeating: "Z", count: 60), "2"]
            ), ("T,00:20:00,S1,1,more", ["00:20:00", "S1", "1"]), ("T,00:21:00,S2,2,much", ["00:21:00", "S2", "2"]),
            ("U,00:22:00,S1,1", ["00:22:00", "S1", "1"]), ("T,00:23:00,S2,2", ["00:23:00", "S2", "2"]),
        ]
        for end in ["\n", "\r\n", "\r"] {
            let text = "id,time,stop,number\(end)" + lines.map(\.0).joined(separator: end)
            for (piece, chunk) in [(1, 16), (7, 24), (100, 64), (10_000, 10_000)] {
                var table = try Table(
                    "stop_times.txt", MemorySource(text, piece: piece), ["id", "time", "stop", "number"], chunk: chunk)
                var found: [[String]] = []
                while try table.next() {
                    if found.isEmpty { table.hold() }
                    found.append((1...3).map { table.text($0) })
                }
                #expect(found == lines.map(\.1), "\(end.debugDescription) in pieces of \(piece)")
            }
        }
    }

    @Test("a missing column stays blank, also in many equal rows")
    func absentColumn() throws {
        let source = MemorySource("id,time,number\n" + String(repeating: "T,00:06:00,1\n", count: 5_000), piece: 100)
        let columns: [String] = ["id", "none?", "time", "number"]
        var table = try Table("stop_times.txt", source, columns, chunk: 64)
        var rows = 0
        while try table.next() {
            table.hold()
            rows += 1
            let texts = [table.text(0), table.text(1), table.text(2), table.text(3)]
            if texts != ["T", "", "00:06:00", "1"] { Issue.record("row \(rows) has \(texts)") }
        }
        #expect(rows == 5_000)
    }

    @Test(
        "times are H:MM:SS, less than 240 hours",
        arguments: [
            ("7:05:09", 25_509), ("07:05:09", 25_509), ("28:33:50", 102_830), ("100:00:00", 360_000), ("7:05", 25_500),
            ("0:00:00", 0), ("", nil), ("7", nil), ("7:60:00", nil), ("07:00:60", nil), ("ab:00:00", nil),
            ("-1:00:00", nil), ("07:00:00:00", nil), ("240:00:00", nil), ("07:00:", nil), ("::", nil),
        ] as [(String, Int32?)])
    func times(_ text: String, _ seconds: Int32?) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.time(TableField(start: 0, end: Int32(bytes.count))) == seconds)
    }

    @Test("whole numbers, decimals and days are parsed, and invalid ones rejected")
    func values() {
        func field(_ text: String) -> ([UInt8], TableField) {
            (Array(text.utf8), TableField(start: 0, end: Int32(text.utf8.count)))
        }
        for (text, number) in [
            ("7", 7), ("-12", -12), ("+3", 3), ("000123", 123), ("1.5", nil), ("x", nil), ("", nil), ("-", nil),
            ("1234567890", nil),
        ] as [(String, Int?)] {
            let (bytes, place) = field(text)
            #expect(bytes.span.integer(place) == number, "\(text)")
        }
        for (text, number) in [
            ("1292.30000", 1_292.3), ("5", 5), ("-1.5", -1.5), ("1e3", 1_000), ("1.2.3", nil), ("nan", nil), (".", nil),
            ("", nil), ("12345678901234567890.5", 12_345_678_901_234_567_890.5),
        ] as [(String, Double?)] {
            let (bytes, place) = field(text)
            #expect(bytes.span.decimal(place) == number, "\(text)")
        }
        let (day, place) = field("20240229")
        #expect(day.span.date(place) == CivilDate(year: 2024, month: 2, day: 29))
        let (none, other) = field("20230229")
        #expect(none.span.date(other) == nil)
    }

    @Test("a text has one number, quoted or not")
    func keys() throws {
        var keys = ByteKeys()
        for number in 0..<5_000 { #expect(keys.insert("stop \(number)") == number) }
        #expect(keys.insert("stop 17") == 17)
        #expect(keys.insert("") == 5_000)
        #expect(keys.insert("a \"b\" c") == 5_001)
        #expect(keys.number(of: "stop 4999") == 4_999)
        #expect(keys.number(of: "stop 5000") == ByteKeys.unknown)
        #expect(keys[4_321] == "stop 4321")
        var table = try Table("x", MemorySource("id\n\"a \"\"b\"\" c\"\n stop 3 \n"), ["id"])
        try next(&table)
        let first = keys.number(of: table.row[0], in: table.bytes.span)
        #expect(first == 5_001)
        try next(&table)
        let second = keys.number(of: table.row[0], in: table.bytes.span)
        #expect(second == 3)
    }

    @Test(
        "identifiers that differ in their last digits spread over a table, whatever their length",
        arguments: [6, 8, 9, 16])
    func spreadHashes(length: Int) {
        var slots = HashSlots(numberBits: 32)
        let hashes = (0..<3_000).map { number in
            let text = Array((String(repeating: "0", count: length) + "\(number)").suffix(length).utf8)
            return text.span.hash(0..<text.count, 1)
        }
        for (number, hash) in hashes.enumerated() { slots.append(hash, number) }
        // By chance 2,100 of 4,096.
        #expect(Set(hashes.map { slots.firstSlot(of: $0) }).count > 1_900)
    }
}
