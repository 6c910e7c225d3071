internal import BoardCore

/// Where the faults of one load come together.
final class FaultCollector {
    private(set) var faults: [ConfigurationFault] = []

    /// Takes a fault.
    func add(_ fault: ConfigurationFault) {
        faults.append(fault)
    }
}

/// Reads the keys of one table. What is read is what is known: the rest is a fault when the reader finishes.
struct TableReader {
    /// The table's name for messages: "[board]".
    let name: String
    /// Where a fault of the whole table is shown; nil: the table is not in the file.
    let offset: Int?

    private let entries: TOMLEntries
    private let source: SourceText
    private let collector: FaultCollector
    private var known: [String] = []

    /// A reader of a document's outermost table.
    init(_ document: TOMLDocument, into collector: FaultCollector) {
        self.init(
            name: "", offset: nil, entries: document.root, source: document.source, collector: collector)
    }

    private init(name: String, offset: Int?, entries: TOMLEntries, source: SourceText, collector: FaultCollector) {
        self.name = name
        self.offset = offset
        self.entries = entries
        self.source = source
        self.collector = collector
    }

    /// Reports a fault at an offset.
    func report(at offset: Int?, _ message: String) {
        collector.add(
            ConfigurationFault(file: source.file, place: offset.map(source.place(at:)), message: message))
    }
}

// MARK: - Values

extension TableReader {
    /// The value of a key; the default when the key is not there or its value is refused.
    mutating func value<Value>(_ key: String, _ kind: ValueKind<Value>, default standard: Value) -> Value {
        optional(key, kind) ?? standard
    }

    /// The value of a key; nil when the key is not there or its value is refused.
    mutating func optional<Value>(_ key: String, _ kind: ValueKind<Value>) -> Value? {
        known.append(key)
        guard let node = entries[key] else { return nil }
        do {
            return try kind.read(node)
        } catch {
            for refusal in error.all { report(refusal, key: key, allowed: kind.allowed) }
            return nil
        }
    }

    /// The value of a key that must be there; nil when it is not, or its value is refused.
    mutating func required<Value>(_ key: String, _ kind: ValueKind<Value>) -> Value? {
        if entries[key] == nil {
            report(at: offset, "\(name) has no \(key), which must be \(kind.allowed)")
        }
        return optional(key, kind)
    }

    /// The byte at which a key's value begins; nil when the key is not there.
    func offset(of key: String) -> Int? {
        entries[key]?.place.value.lowerBound
    }

    /// Every key, in the order of the file: of a table whose keys a person chooses.
    var keys: [String] { entries.entries.map(\.key) }

    private func report(_ refusal: ValueErrors.ValueError, key: String, allowed: String) {
        let allowed = refusal.allowed ?? allowed
        let found = refusal.node.found
        let message =
            switch refusal.reason {
            case .notAllowed: "\(key) is \(found), but must be \(allowed)"
            case .notSupported: "\(key) = \(found) is not supported by this version yet; it must be \(allowed)"
            case .message(let sentence): "\(key): \(found) \(sentence)"
            }
        report(at: refusal.node.place.value.lowerBound, message)
    }
}

// MARK: - Tables

extension TableReader {
    /// A reader of the table at a key; of an empty one when there is none.
    mutating func table(_ key: String, name: String) -> TableReader {
        known.append(key)
        guard let node = entries[key] else { return reader(name: name, offset: nil, TOMLEntries()) }
        guard case .table(let entries) = node.value else {
            report(at: node.place.key, "\(key) is \(node.found), but must be a table: \(name)")
            return reader(name: name, offset: node.place.key, TOMLEntries())
        }
        return reader(name: name, offset: node.place.key, entries)
    }

    /// Readers of the tables at a key; nil when the key is not there.
    mutating func tables(_ key: String, name: String) -> [TableReader]? {
        known.append(key)
        guard let node = entries[key] else { return nil }
        guard case .list(let elements) = node.value else {
            report(at: node.place.key, "\(key) is \(node.found), but must be a list of tables: write [[\(name)]]")
            return []
        }
        return elements.compactMap { element in
            guard case .table(let entries) = element.value else {
                report(
                    at: element.place.key, "\(key) holds \(element.found), but must be a list of tables: [[\(name)]]")
                return nil
            }
            return reader(name: "[[\(name)]]", offset: element.place.key, entries)
        }
    }

    /// Every key and value of a table whose keys a person chooses.
    mutating func all<Value>(_ kind: ValueKind<Value>) -> [(key: String, value: Value)] {
        entries.entries.compactMap { entry in optional(entry.key, kind).map { (entry.key, $0) } }
    }

    private func reader(name: String, offset: Int?, _ entries: TOMLEntries) -> TableReader {
        TableReader(name: name, offset: offset, entries: entries, source: source, collector: collector)
    }
}

// MARK: - What is left

extension TableReader {
    /// Reports every key that was not read.
    func finish() {
        for entry in entries.entries where !known.contains(entry.key) {
            report(at: entry.node.place.key, unknownKeyMessage(about: entry))
        }
    }

    private func unknownKeyMessage(about entry: TOMLEntries.Entry) -> String {
        let place = name.isEmpty ? "" : " in \(name)"
        let nearest = Spelling.nearest(to: entry.key, of: known).map { "did you mean \"\($0)\"? " } ?? ""
        return "unknown key \"\(entry.key)\"\(place); \(nearest)known: \(known.joined(separator: ", "))"
    }
}
