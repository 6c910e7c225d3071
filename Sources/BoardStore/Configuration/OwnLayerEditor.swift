import BoardCore
public import BoardIO
import Glibc

/// Writes the board's own layer: at every moment each file is the old one or the new one, and the last good settings
/// stay beside new ones. All methods block; one thread at a time calls them.
public struct OwnLayerEditor: Sendable {
    /// In bytes: many times as long as any operator's, and within a line of a file.
    public static let maximumKeyLength = 1_000

    private let layer: OwnLayer
    /// The faults that settings would have.
    private let faults: @Sendable (String) -> [SourceError]

    /// - Parameter faults: the faults that the layer would have with a text as its settings.
    public init(_ layer: OwnLayer, faults: @escaping @Sendable (String) -> [SourceError]) {
        self.layer = layer
        self.faults = faults
    }

    /// Writes tables anew.
    ///
    /// - Parameter tables: by name; an empty list removes it.
    /// - Returns: the faults that the new settings would have; with any, nothing is written.
    public func replace(_ tables: [String: [[String: SettingValue]]]) throws(FileError) -> [SourceError] {
        let held = try held()
        var text = SettingsText(OwnLayer.content(of: held?.text ?? ""))
        for (name, tables) in tables.sorted(by: { $0.key < $1.key }) {
            text.replace(name, with: tables, isList: OwnLayer.isList(name))
        }
        return try replace(held, with: text.text)
    }

    /// The text of the settings that hold; empty: there are none.
    public func settings() throws(FileError) -> String { OwnLayer.content(of: try held()?.text ?? "") }

    /// Replaces all settings, such as by those of a backup.
    ///
    /// - Returns: the faults that the new settings would have; with any, nothing is written.
    public func replaceAll(with text: String) throws(FileError) -> [SourceError] { try replace(try held(), with: text) }

    private func replace(_ held: (text: String, path: String)?, with text: String) throws(FileError) -> [SourceError] {
        let new = OwnLayer.file(text)
        guard new != held?.text || held?.path != layer.settingsPath else { return [] }
        let faults = faults(new)
        guard faults.isEmpty else { return faults }
        if let held, held.path == layer.settingsPath { try write(held.text, to: "\(layer.settingsPath).1") }
        try write(new, to: layer.settingsPath)
        return []
    }

    /// A key; nil: there is none.
    public func key(_ name: String) throws(FileError) -> String? {
        try WrittenFile.read(layer.keysPath)?.text.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// Sets or removes a key.
    ///
    /// - Returns: false: the text is no key: it must be printable ASCII without blanks or quotes, at most
    ///   ``maximumKeyLength`` of it.
    public func set(_ name: String, to value: String?) throws(FileError) -> Bool {
        let isKey = value.isNilOr { text in
            (1...Self.maximumKeyLength).contains(text.utf8.count) && KeysFile.value(text[...]) == text
        }
        guard isKey else { return false }
        // What a worn-out card made of other lines would stay a fault, and a part of a key would be sent.
        let lines = try WrittenFile.read(layer.keysPath)?.text.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        let others = lines?.filter { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] != name && parts.allSatisfy { KeysFile.value($0) != nil }
        }
        let new = (others ?? []).map(String.init) + (value.map { ["\(name)=\($0)"] } ?? [])
        try write(new.map { $0 + "\n" }.joined(), to: layer.keysPath, mode: 0o600)
        return true
    }

    /// The settings that hold: the newest ones without a fault.
    private func held() throws(FileError) -> (text: String, path: String)? {
        for path in layer.settingsPaths {
            guard let text = try WrittenFile.read(path)?.text, faults(text).isEmpty else { continue }
            return (text, path)
        }
        return nil
    }

    private func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(FileError) {
        try WrittenFile.write(Array(text.utf8), to: path, mode: mode)
        // Other users' commands read the settings, whatever the umask of the daemon.
        unsafe chmod(layer.folder, 0o755)
    }
}
