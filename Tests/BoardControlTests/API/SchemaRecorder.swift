import BoardCore
import BoardService
import BoardStore
import ServerTesting

@testable import BoardControl

/// The JSON Schema of types, from the keys that they decode: with samples as values, all keys are asked for.
final class SchemaRecorder {
    /// The schemas of objects, by name: the type without its module.
    private(set) var schemas: [String: JSONValue] = [:]
    /// Types that are neither objects nor known here, and keys without a description.
    private(set) var faults: [String] = []
    private let comments: SourceComments

    init(_ comments: SourceComments) { self.comments = comments }

    /// - Parameter isBody: whether an absent value may also be null.
    func schema(of type: any Decodable.Type, isBody: Bool = false) -> JSONValue {
        if let sampled = type as? any Sampled.Type { return sampled.schema }
        if let list = type as? any RecordedList.Type {
            return ["type": "array", "items": schema(of: list.element, isBody: isBody)]
        }
        if let words = words(of: type) { return ["type": "string", "enum": .list(words.map { .text($0) })] }
        if type == StopsFound.self {
            return ["oneOf": [schema(of: [StopEntry].self), schema(of: StopsInBox.self)]]
        }
        let name = SourceComments.name(of: type)
        if schemas[name] == nil {
            schemas[name] = .null
            record(type, name, isBody)
        }
        return ["$ref": .text("#/components/schemas/\(name)")]
    }

    private func record(_ type: any Decodable.Type, _ name: String, _ isBody: Bool) {
        let object = RecordedObject()
        // A check of several values may fail for samples: by then all keys were asked for.
        _ = try? type.init(from: RecordingDecoder(object: object))
        if object.members.isEmpty { faults.append("\(name) has no keys") }
        var properties: [String: JSONValue] = [:]
        for member in object.members {
            var schema = schema(of: member.type, isBody: isBody).fields
            if let more = Self.restrictions["\(name).\(member.key)"] { schema.merge(more.fields) { $1 } }
            if Self.favourites.contains(name),
                let words = FavouriteField.all.first(where: { $0.name == member.key })?.words, !words.isEmpty
            {
                schema["enum"] = .list(words.map { .text($0) })
            }
            if isBody, !member.isRequired, let type = schema["type"] {
                schema["type"] = [type, "null"]
                schema["enum"] = schema["enum"].map { .list($0.elements + [.null]) }
            }
            let description = comments.description(
                of: member.key, in: name, type: member.type, words: words(of: member.type) ?? [])
            if description.isEmpty { faults.append("\(name).\(member.key) has no comment") }
            schema["description"] = .text(description)
            properties[member.key] = .object(schema)
        }
        schemas[name] = [
            "type": "object", "additionalProperties": false, "properties": .object(properties),
            "required": .list(
                object.members.filter { $0.isRequired || Self.isAlwaysSent("\(name).\($0.key)") }.map(\.key).sorted()
                    .map { .text($0) }),
            "description": .text(comments[name] ?? ""),
        ]
        if comments[name] == nil { faults.append("\(name) has no comment") }
    }

    /// The words of an enumeration.
    private func words(of type: any Decodable.Type) -> [String]? {
        func words<Word: CaseIterable>(_ type: Word.Type) -> [String] {
            type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        }
        if type == ServiceError.Kind.self {
            // The others are errors of a client.
            return ServiceError.Kind.allCases.filter { $0.status != nil }.map(\.rawValue)
        }
        return (type as? any CaseIterable.Type).map { words($0) }
    }

    private static let latitude: JSONValue = ["minimum": -90, "maximum": 90]
    private static let longitude: JSONValue = ["minimum": -180, "maximum": 180]
    private static let favourites: Set = ["FavouriteItem", "NewFavourite", "FavouriteChange"]

    /// Whether a response has a key without which it could be read.
    private static func isAlwaysSent(_ key: String) -> Bool {
        FavouriteField.settable.contains {
            "FavouriteItem.\($0.name)" == key && ($0.form != .text || !$0.words.isEmpty)
        }
    }

    /// What the types of Swift do not express.
    private static let restrictions: [String: JSONValue] = [
        "StopEntry.latitude": latitude, "StopEntry.longitude": longitude, "RouteEntry.Call.latitude": latitude,
        "RouteEntry.Call.longitude": longitude, "FavouriteItem.latitude": latitude,
        "FavouriteItem.longitude": longitude,
        "DirectoryState.Update.fraction": ["minimum": 0, "maximum": 1], "PageInView.screens": ["minimum": 1],
        "PageReport.screens": ["minimum": 1], "FavouriteItem.position": ["minimum": 1],
        "PressRequest.number": ["minimum": 1],
        "BoardMessage.text": ["minLength": 1],
        "BoardMessage.seconds": ["minimum": 1, "maximum": .number(Double(BoardMessage.allowedSeconds.upperBound))],
        "NewFavourite.position": ["minimum": 1], "FavouriteChange.position": ["minimum": 1],
        "StopReport.Failure.kind": [
            "enum": .list(
                [
                    FeedError.Kind.noNetwork, .certificateDate, .certificate, .timedOut, .keyRejected, .keyMissing,
                    .unknownStop, .rateLimited(retryAfter: nil), .status(500), .unreadable, .noZone, .cancelled,
                ].map { .text(StopReport.Failure($0, detail: "", at: FakeBoard.moment).kind) })
        ],
    ]
}

/// The keys that an object asked for.
private final class RecordedObject {
    struct Member {
        let key: String
        let type: any Decodable.Type
        let isRequired: Bool
    }

    private(set) var members: [Member] = []
    /// The key that the object looked for before it asks for its value.
    var optional: String?

    func add(_ key: String, _ type: any Decodable.Type) {
        if !members.contains(where: { $0.key == key }) {
            members.append(Member(key: key, type: type, isRequired: optional != key))
        }
        optional = nil
    }
}

/// A type with a value that every check accepts.
private protocol Sampled: Decodable {
    static var sample: Any? { get }
    static var schema: JSONValue { get }
}

extension String: Sampled {
    fileprivate static var sample: Any? { "" }
    fileprivate static var schema: JSONValue { ["type": "string"] }
}
extension SettingValue: Sampled {
    fileprivate static var sample: Any? { SettingValue.text("") }
    fileprivate static var schema: JSONValue { ["type": ["string", "integer", "boolean", "array"]] }
}
extension [String: SettingValue]: Sampled {
    fileprivate static var sample: Any? { [String: SettingValue]() }
    fileprivate static var schema: JSONValue { ["type": "object", "additionalProperties": SettingValue.schema] }
}
extension Bool: Sampled {
    fileprivate static var sample: Any? { false }
    fileprivate static var schema: JSONValue { ["type": "boolean"] }
}
extension Int: Sampled {
    fileprivate static var sample: Any? { 1 }
    fileprivate static var schema: JSONValue { ["type": "integer"] }
}
extension Double: Sampled {
    fileprivate static var sample: Any? { 1.0 }
    fileprivate static var schema: JSONValue { ["type": "number"] }
}
extension WholeNumber: Sampled {
    fileprivate static var sample: Any? { WholeNumber(1) }
    fileprivate static var schema: JSONValue { ["type": "integer"] }
}
extension Timestamp: Sampled {
    fileprivate static var sample: Any? { FakeBoard.moment }
    fileprivate static var schema: JSONValue { ["type": "string", "format": "date-time"] }
}
extension StopID: Sampled {
    fileprivate static var sample: Any? { StopID(feed: FeedName("tfl"), code: "1") }
    fileprivate static var schema: JSONValue { ["type": "string"] }
}
extension FleetName: Sampled {
    fileprivate static var sample: Any? { FleetName("a") }
    fileprivate static var schema: JSONValue { ["type": "string", "pattern": "^[a-z0-9-]{1,63}$"] }
}

private protocol RecordedList {
    static var element: any Decodable.Type { get }
    static var empty: Any { get }
}

extension Array: RecordedList where Element: Decodable {
    fileprivate static var element: any Decodable.Type { Element.self }
    fileprivate static var empty: Any { [Element]() }
}

private struct RecordingDecoder: Decoder {
    /// Asked for something that is not a key.
    struct NotAnObject: Error {}

    let object: RecordedObject
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingContainer(object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotAnObject() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotAnObject() }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: RecordedObject
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    /// `decodeIfPresent` calls this before `decode`.
    func contains(_ key: Key) -> Bool {
        object.optional = key.stringValue
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        object.add(key.stringValue, type)
        func first<Word: CaseIterable>(_ type: Word.Type) -> Any? { type.allCases.first }
        let sample: Any? =
            if let sampled = type as? any Sampled.Type {
                sampled.sample
            } else if let list = type as? any RecordedList.Type {
                list.empty
            } else if let enumeration = type as? any CaseIterable.Type {
                first(enumeration)
            } else {
                try type.init(from: RecordingDecoder(object: RecordedObject()))
            }
        guard let sample = sample as? Value else { throw RecordingDecoder.NotAnObject() }
        return sample
    }

    private func leaf<Value: Decodable>(_ key: Key) throws -> Value { try decode(Value.self, forKey: key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try leaf(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try leaf(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try leaf(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try leaf(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw RecordingDecoder.NotAnObject() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw RecordingDecoder.NotAnObject() }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw RecordingDecoder.NotAnObject() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw RecordingDecoder.NotAnObject()
    }
    func superDecoder() throws -> any Decoder { throw RecordingDecoder.NotAnObject() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw RecordingDecoder.NotAnObject() }
}
