internal import BoardCore
internal import FoundationEssentials

/// Why a message is not a list of favourites.
enum SharedListFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(bytes: Int)
    case tooManyStops(Int)
    case version(Int)
    case malformed

    var description: String {
        switch self {
        case .tooLong(let bytes): "has \(bytes) bytes, and at most \(SharedList.maximumSize) are read"
        case .tooManyStops(let count): "has \(count) stops, and at most \(SharedList.maximumCount) are read"
        case .version(let version):
            "has version \(version), and this boardd reads version \(SharedListFile.version): update boardd on this board"
        case .malformed: "is unreadable"
        }
    }
}

/// The form of a list in JSON: for each stop and field the stamp and the texts of the value, and in `previous` those of the
/// value before.
///
///     {"version": 1, "stops": {"tfl:490": {"here": ["1795698000123-kitchen", "true"], …}}, "previous": {…}}
struct SharedListFile: Codable {
    static let version = 1
    /// The most removed stops that are read.
    static let maximumRemovals = 1_000
    /// The most fields of a stop that are read.
    static let maximumFields = 40
    /// The most bytes of a name and texts of a value that are read.
    private static let (longestName, maximumTexts) = (40, 64)

    typealias Fields = [String: [String]]

    var version: Int
    var stops: [String: Fields]
    var previous: [String: Fields]?

    init(_ list: SharedList) {
        version = Self.version
        stops = [:]
        var replaced: [String: Fields] = [:]
        for (stop, entry) in list.entries {
            stops[stop.description] = entry.fields.mapValues { Self.texts($0.value) }
            let previous = entry.fields.compactMapValues { $0.previous.map(Self.texts) }
            if !previous.isEmpty { replaced[stop.description] = previous }
        }
        previous = replaced.isEmpty ? nil : replaced
    }

    private static func texts(_ value: SharedList.Value) -> [String] { [value.stamp.description] + value.texts }

    /// The list without stops and values that are malformed, and how many those are.
    var list: (list: SharedList, malformed: Int) {
        var list = SharedList()
        var malformed = 0
        for values in [stops, previous ?? [:]] {
            for (text, fields) in values {
                guard let stop = StopID(text), fields.count <= Self.maximumFields else {
                    malformed += 1
                    continue
                }
                for (name, texts) in fields {
                    guard let stamp = texts.first.flatMap({ HybridTimestamp($0) }),
                        name.utf8.count <= Self.longestName, texts.count <= Self.maximumTexts + 1
                    else {
                        malformed += 1
                        continue
                    }
                    let value = SharedList.Value(texts: Array(texts.dropFirst()), stamp: stamp)
                    list.entries[stop, default: SharedList.Entry()].merge(value, into: name)
                }
            }
        }
        return (list, malformed)
    }
}

extension SharedList {
    /// The message for other boards, of at most ``maximumSize`` bytes: see ``published``.
    var payload: [UInt8] { StableJSON.bytes(SharedListFile(published)) }

    /// Reads a message of another board.
    ///
    /// - Returns: the list, and how many stops and values are malformed and were passed over.
    /// - Throws: ``SharedListFault``.
    static func read(_ payload: [UInt8]) throws(SharedListFault) -> (list: SharedList, malformed: Int) {
        let (list, malformed) = try file(payload).list
        let count = list.entries.values.count(where: \.isHere)
        guard count <= maximumCount else { throw .tooManyStops(count) }
        guard list.entries.count - count <= SharedListFile.maximumRemovals else { throw .malformed }
        return (list, malformed)
    }

    private static func file(_ payload: [UInt8]) throws(SharedListFault) -> SharedListFile {
        guard payload.count <= maximumSize else { throw .tooLong(bytes: payload.count) }
        struct Version: Codable { let version: Int }
        let (data, decoder) = (Data(payload), JSONDecoder())
        guard let file = try? decoder.decode(SharedListFile.self, from: data) else {
            // A later version may have another form.
            guard let found = try? decoder.decode(Version.self, from: data), found.version != SharedListFile.version
            else { throw .malformed }
            throw .version(found.version)
        }
        guard file.version == SharedListFile.version else { throw .version(file.version) }
        return file
    }
}
