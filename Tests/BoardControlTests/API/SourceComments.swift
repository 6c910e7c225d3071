import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Testing

@testable import BoardControl

/// The documentation comments of the types and properties of some modules, by name: "StopReport.Failure.detail".
struct SourceComments {
    /// The text and the title of an operation, and what it says about parameters and statuses.
    struct OperationComment {
        let id: String
        let title: String
        let text: String
        let notes: [String: String]
    }

    private var comments: [String: String] = [:]
    /// The JSON key of a case or property that has another: "TripAttributes.CodingKeys.company": "operator".
    private var written: [String: String] = [:]
    /// Those of ``API``, by method and template: "GET /v1/state".
    private(set) var operations: [String: OperationComment] = [:]

    /// - Parameter checkout: the folder with Sources.
    init(checkout: String) throws {
        for module in ["BoardCore", "BoardStore", "BoardService", "BoardControl"] {
            let folder = "\(checkout)/Sources/\(module)"
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
                let source = try String(contentsOf: URL(filePath: "\(folder)/\(path)"), encoding: .utf8)
                read(source)
                if path.hasSuffix("API.swift") { try readOperations(source) }
            }
        }
    }

    subscript(name: String) -> String? { comments[name] }

    /// A type's name without its module: "StopReport.Failure".
    static func name(of type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// The description of a key: its own comment, or that of its type.
    ///
    /// - Parameter words: those of an enumeration, whose comments follow.
    func description(of key: String, in object: String, type: Any.Type, words: [String]) -> String {
        let name = Self.name(of: type)
        let own = comment(on: key, in: object) ?? comments[name]
        let meanings = words.compactMap { word in
            let path = written.first { $0.key.hasPrefix("\(name).") && $0.value == word }?.key ?? "\(name).\(word)"
            return comments[path].map { "\(word): \($0)" }
        }
        return ([own].compactMap(\.self) + meanings).joined(separator: " ")
    }

    private func comment(on key: String, in object: String) -> String? {
        let renamed = written.first { $0.key.hasPrefix("\(object).CodingKeys.") && $0.value == key }?.key
        let property = renamed?.split(separator: ".").last.map { String($0) } ?? key
        if let text = comments["\(object).CodingKeys.\(property)"] ?? comments["\(object).\(property)"] { return text }
        if object.contains("Favourite"), let help = FavouriteField.all.first(where: { $0.name == key })?.help {
            return help
        }
        return Self.parts[object].flatMap { comment(on: key, in: $0) }
    }

    /// Objects whose keys stand beside those of another.
    private static let parts = [
        "BoardState": "LiveState", "ReportedDeparture": "Departure", "NewFavourite": "FavouriteItem",
        "FavouriteItem": "StopEntry",
    ]

    private mutating func read(_ source: String) {
        let type =
            /(?:public |package |private |fileprivate )?(?:struct|enum|extension|final class|class|actor|protocol) ([\w.]+)/
        let property =
            /(?:public |package |private |fileprivate )?(?:(?:private|package|fileprivate)\(set\) )?(?:let|var) (\w+)/
        var (scopes, depth, comment): ([(name: String, depth: Int)], Int, [String]) = ([], 0, [])
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingPrefix { $0 == " " }
            if text.hasPrefix("///") {
                comment.append(String(text.dropFirst(3).trimmingPrefix(" ")))
                continue
            }
            if text.hasPrefix("@") { continue }
            let path = scopes.map(\.name).joined(separator: ".")
            let isMember = depth == (scopes.last?.depth ?? 0)
            if let name = text.prefixMatch(of: type)?.1 {
                scopes.append((String(name), depth + 1))
                if !text.contains("extension ") { note(comment, on: path.isEmpty ? String(name) : "\(path).\(name)") }
            } else if isMember, let name = text.prefixMatch(of: property)?.1 {
                note(comment, on: "\(path).\(name)")
            } else if isMember, text.hasPrefix("case ") {
                for part in text.dropFirst("case ".count).split(separator: ",") {
                    let sides = part.split(separator: "=").map {
                        String($0.trimmingPrefix(" ")).split(separator: " ")[0]
                    }
                    let name = "\(path).\(sides[0].prefix { $0 != "(" })"
                    note(comment, on: name)
                    if sides.count == 2 { written[name] = sides[1].filter { $0 != "\"" } }
                }
            }
            comment = []
            depth += text.count { $0 == "{" } - text.count { $0 == "}" }
            while let last = scopes.last, depth < last.depth { scopes.removeLast() }
        }
    }

    private mutating func note(_ lines: [String], on name: String) {
        // The rest is about an initializer's parameters.
        let text = Self.plain(lines.prefix { !$0.hasPrefix("- ") }.joined(separator: " "))
        if !text.isEmpty { comments[name] = text }
    }

    private mutating func readOperations(_ source: String) throws {
        let row = /((?: *\/\/\/.*\n)+) *static let (\w+) = Endpoint<[^(]*>\(\s*"(\w+)", "([^"]+)"/
        for match in source.matches(of: row) {
            let lines = match.1.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " }.dropFirst(3) }
            let paragraphs = lines.split { $0.isEmpty }.map { Array($0) }
            var (notes, text): ([String: String], [String]) = ([:], [])
            for paragraph in paragraphs.dropFirst() {
                guard paragraph[0].hasPrefix(" - ") else {
                    text.append(paragraph.joined().trimmingPrefix(" ").description)
                    continue
                }
                var name = ""
                for line in paragraph {
                    if let item = line.prefixMatch(of: /\ - (\w+):\ /) {
                        name = String(item.1)
                        notes[name] = String(line[item.range.upperBound...])
                    } else {
                        notes[name, default: ""] += " " + line.trimmingPrefix { $0 == " " }
                    }
                }
            }
            operations["\(match.3) \(match.4)"] = OperationComment(
                id: String(match.2), title: paragraphs[0].joined().trimmingPrefix(" ").description,
                text: text.joined(separator: "\n\n"), notes: notes)
        }
    }

    /// In the words of JSON: a value that is nil is absent; links and code are plain.
    private static func plain(_ text: String) -> String {
        text.replacing(/``(?:[\w.]+\/)?([^`]+)``/) { "\($0.1)" }
            .replacing(/\b([Nn])il\b/) { $0.1 == "N" ? "Absent" : "absent" }
            .trimmingPrefix(" ").description
    }
}
