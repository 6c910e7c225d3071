import Foundation
import Testing

@testable import BoardCore

/// The files of Sources/BoardCore/Words, against the languages and the code that uses their texts.
@Suite("The file of a language")
struct LanguageFileTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static let folder = project.appending(path: "Sources/BoardCore/Words")

    /// The keys and texts of a section of a file.
    private func texts(_ section: String, _ language: Language) throws -> [String: String] {
        let file = Self.folder.appending(path: "\(language.rawValue).txt")
        let parts = try String(contentsOf: file, encoding: .utf8).split(separator: "\n[")
        let part = try #require(parts.first { $0.drop { $0 == "[" }.hasPrefix("\(section)]") })
        let lines = part.matches(of: /(?m)^([^#\[\]=]\S*) =( .*)?$/)
        return Dictionary(uniqueKeysWithValues: lines.map { (String($0.1), $0.2.map { String($0.dropFirst()) } ?? "") })
    }

    /// Those of the page, with those of its set-up. A key of both would be the wrong text in one place.
    private func ofThePage(_ language: Language) throws -> [String: String] {
        try texts("page", language).merging(texts("setup", language)) { _, text in
            Issue.record("twice: \(text)")
            return text
        }
    }

    /// All text of the files of a folder of the project with one of these extensions.
    private func source(_ folder: String, _ extensions: String...) throws -> String {
        let folder = Self.project.appending(path: folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let sources = files.filter { extensions.contains(URL(filePath: $0).pathExtension) }
        return try sources.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
    }

    private func placeholders(_ text: String) -> [String] {
        text.matches(of: /%\w+/).map { String($0.output) }.sorted()
    }

    @Test("is one for each language, and is compiled in")
    func compiled() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Language.allCases.map { "\($0.rawValue).txt" }))
        for language in Language.allCases {
            let words = language.words
            #expect(try words.page == texts("page", language))
            #expect(try words.setup == texts("setup", language))
            for (key, text) in try texts("board", language) {
                let forms = text.split(separator: " | ").map { String($0.replacing("\\n", with: "\n")) }
                #expect(Phrase(rawValue: key).map { words[$0] } == forms, "\(key)")
            }
            for (name, short) in try texts("placeNames", language) {
                #expect(language.streetNames.short[name] == short)
            }
        }
    }

    @Test("has every text, and no other", arguments: Language.allCases)
    func keys(language: Language) throws {
        let (own, english) = (try ofThePage(language), try ofThePage(.english))
        #expect(try Set(texts("board", language).keys) == Set(Phrase.allCases.map(\.rawValue)))
        #expect(Set(own.keys) == Set(english.keys))
        #expect(!own.values.contains { $0 != $0.trimmingCharacters(in: .whitespaces) })
        for (key, text) in own { #expect(placeholders(text) == placeholders(english[key] ?? ""), "\(key)") }
        #expect(own["dayNames"]?.split(separator: " ").count == 7)
    }

    @Test("has only texts that something shows")
    func usedPhrases() throws {
        // Between brackets, as an argument, or as a branch of a conditional: not as a case.
        let used = Set(try source("Sources", "swift").matches(of: /[\[(,?:] ?\.(\w+)/).map { String($0.1) })
        for phrase in Phrase.allCases { #expect(used.contains(phrase.rawValue), "\(phrase)") }
    }

    @Test("has the texts that the page names, and no other")
    func usedOnThePage() throws {
        let page = try source("etc/page", "js", "html")
        let code = page + (try source("Sources/BoardControl/Page", "swift"))
        let texts = try ofThePage(.english)
        let named = page.matches(of: /words\.(\w+)/).map(\.1) + page.matches(of: /\btext\('(\w+)'/).map(\.1)
        #expect(named.count > 100)
        for key in named { #expect(texts[String(key)] != nil, "\(key)") }
        // Names in the state of the board: of a fault, and of a field of a favourite that another board changed.
        let received: Set = ["configuration", "buttons", "placeKey"]
        for key in texts.keys where !received.contains(key) {
            // Some keys are composed: of a setting, of a change and its author.
            let parts = [key] + ["Key", "Help", "By"].filter(key.hasSuffix).map { String(key.dropLast($0.count)) }
            let isNamed = parts.contains { code.contains("'\($0)'") || code.contains("\"\($0)\"") }
            #expect(isNamed || named.contains { $0 == key }, "\(key)")
        }
    }
}
