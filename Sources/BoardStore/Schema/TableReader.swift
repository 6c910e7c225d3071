import BoardCore

final class FaultCollector {
    private(set) var faults: [SourceError] = []
    /// About keys that have no effect any more.
    private(set) var remarks: [SourceError] = []

    func add(_ fault: SourceError) { faults.append(fault) }

    func remark(_ remark: SourceError) { remarks.append(remark) }
}

/// Reads the keys of one table. Keys that were not read are faults when the reader finishes.
struct TableReader {
    /// The table's name for messages: "[board]".
    let name: String
    /// The offset for a fault of the whole table; nil: the table is not in the file.
    let offset: Int?

    private let entries: TOMLEntries
    private let source: SourceText
    private let collector: FaultCollector
    private var readKeys: [String] = []
    /// The root table of the layer below, whose tables hold where this layer has none of their name; at most one.
    private var below: [TableReader] = []
}

extension TableReader {
    /// A reader of a document's root table.
    ///
    /// - Parameter below: the layer below; who passes it has checked its keys.
    init(_ document: TOMLDocument, above below: TOMLDocument? = nil, into collector: FaultCollector) {
        self.init(name: "", offset: nil, entries: document.root, source: document.source, collector: collector)
        self.below = below.map { [TableReader($0, into: collector)] } ?? []
    }

    /// - Parameter value: the value that is not allowed, if the fault is about one.
    func report(at offset: Int?, _ message: String, value: InvalidValue? = nil) {
        collector.add(fault(at: offset, message, value: value))
    }

    /// A fault at an offset of the file; does not report it.
    func fault(at offset: Int?, _ message: String, value: InvalidValue? = nil) -> SourceError {
        SourceError(file: source.file, position: offset.map(source.position(at:)), message: message, value: value)
    }

    /// The value of a key; the default if the key is absent or its value is invalid.
    mutating func value<Value>(_ key: String, _ kind: ValueKind<Value>, default defaultValue: Value) -> Value {
        optional(key, kind) ?? defaultValue
    }

    /// The same for a value that may be none, as a word says ("never", "").
    mutating func value<Value>(
        _ key: String, _ kind: ValueKind<Value>, or none: String, default defaultValue: Value?
    ) -> Value? {
        value(key, kind.map(Optional.some).or(none, nil), default: defaultValue)
    }

    /// The value of a key; nil if the key is absent or its value is invalid.
    mutating func optional<Value>(_ key: String, _ kind: ValueKind<Value>) -> Value? {
        readKeys.append(key)
        guard let node = entries[key] else { return nil }
        do {
            return try kind.read(node)
        } catch {
            for problem in error.all {
                report(
                    at: problem.node.position.value.lowerBound, problem.message(key: key, allowed: kind.allowed),
                    value: kind.rule(of: key))
            }
            return nil
        }
    }

    /// The value of a required key; nil if the key is absent or its value is invalid.
    mutating func required<Value>(_ key: String, _ kind: ValueKind<Value>) -> Value? {
        if entries[key] == nil { report(at: offset, "\(name) has no \(key), which must be \(kind.allowed)") }
        return optional(key, kind)
    }

    /// The offset of a key's value; nil if the key is absent.
    func offset(of key: String) -> Int? { entries[key]?.position.value.lowerBound }

    /// Every key, in the order of the file: for a table whose keys the user chooses.
    var keys: [String] { entries.entries.map(\.key) }

    /// A reader of the table at a key; of an empty one if the key is absent.
    mutating func table(_ key: String, name: String) -> TableReader {
        readKeys.append(key)
        guard let node = node(of: key) else {
            return below.isEmpty ? reader(name: name, offset: nil, TOMLEntries()) : below[0].table(key, name: name)
        }
        guard case .table(let entries) = node.value else {
            report(at: node.position.key, "\(key) is \(node.found), but must be a table: \(name)")
            return reader(name: name, offset: node.position.key, TOMLEntries())
        }
        return reader(name: name, offset: node.position.key, entries)
    }

    /// Readers of the tables at a key; nil if the key is absent.
    mutating func tables(_ key: String, name: String) -> [TableReader]? {
        readKeys.append(key)
        guard let node = node(of: key) else { return below.isEmpty ? nil : below[0].tables(key, name: name) }
        guard case .list(let elements) = node.value else {
            report(at: node.position.key, "\(key) is \(node.found), but must be a list of tables: write [[\(name)]]")
            return []
        }
        return elements.compactMap { element in
            guard case .table(let entries) = element.value else {
                report(
                    at: element.position.key, "\(key) holds \(element.found), but must be a list of tables: [[\(name)]]"
                )
                return nil
            }
            return reader(name: "[[\(name)]]", offset: element.position.key, entries)
        }
    }

    /// Nil: the layer below has the key, and this one at most a table without keys.
    private func node(of key: String) -> TOMLNode? {
        guard let node = entries[key], !node.isBlank || below.first?.entries[key] == nil else { return nil }
        return node
    }

    /// Every key and value of a table whose keys the user chooses.
    mutating func all<Value>(_ kind: ValueKind<Value>) -> [(key: String, value: Value)] {
        entries.entries.compactMap { entry in optional(entry.key, kind).map { (entry.key, $0) } }
    }

    private func reader(name: String, offset: Int?, _ entries: TOMLEntries) -> TableReader {
        TableReader(name: name, offset: offset, entries: entries, source: source, collector: collector)
    }

    /// Reports every key that was not read. A file with keys of an earlier version stays valid.
    func finish() {
        for entry in entries.entries where !readKeys.contains(entry.key) {
            let offset = entry.node.position.key
            if let reason = Self.retired[name + " " + entry.key] {
                collector.remark(fault(at: offset, "\(entry.key) has no effect any more: \(reason); remove it"))
            } else {
                report(at: offset, unknownKeyMessage(about: entry))
            }
        }
    }

    private static let retired = [
        "[board] refresh_bar": "a failed request is named in the first row",
        "[board] alerts_row": "alerts take turns with the name in the first row",
        "[[stop]] uncatchable": "a departure that needs a run says RUN, and then leaves the board",
    ]

    private func unknownKeyMessage(about entry: TOMLEntries.Entry) -> String {
        let place = name.isEmpty ? "" : " in \(name)"
        let nearest = Spelling.nearest(to: entry.key, of: readKeys).map { "did you mean \"\($0)\"? " } ?? ""
        return "unknown key \"\(entry.key)\"\(place); \(nearest)allowed: \(readKeys.joined(separator: ", "))"
    }
}
