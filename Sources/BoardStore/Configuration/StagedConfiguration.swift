public import BoardIO
import Glibc

/// A copy of a configuration in a private folder, where changes are made and tried before they are published together.
/// Until then, an interrupt leaves the configuration as it was.
public struct StagedConfiguration: Sendable {
    /// The folder of the copy, which only this user may read: it may contain keys.
    public let folder: String
    private let source: ConfigurationSource
    /// The contents of the files when they were copied, by their names in the folder.
    private let originals: [String: [UInt8]]

    public var copy: ConfigurationSource { .file("\(folder)/\(Self.board)") }

    private static let board = "boardd.toml"
    private static let keys = "keys.env"
    private static let favourites = "favourites.toml"
    private static let presets = "feeds.d"

    /// - Parameters:
    ///   - own: the board's own layer, which is copied as far as this user may read it. It is not published.
    ///   - parent: where to make the folder.
    public init(of source: ConfigurationSource, above own: OwnLayer? = nil, in parent: String) throws(FileError) {
        self.source = source
        var template = Array("\(parent)/boardd-setup-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw FileError(replacing: parent, errno: errno) }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let presets = (try? SmallFile.names(in: source.path(of: Self.presets))) ?? []
        let names =
            [Self.board, Self.keys, Self.favourites]
            + presets.filter { $0.hasSuffix(".toml") }.map { "\(Self.presets)/\($0)" }
        var originals: [String: [UInt8]] = [:]
        do throws(FileError) {
            for name in names { originals[name] = try WrittenFile.read(Self.path(of: name, in: source))?.bytes }
            for (name, bytes) in originals {
                try WrittenFile.write(bytes, to: "\(folder)/\(name)", mode: Self.mode(of: name))
            }
            for path in own.map({ $0.settingsPaths + [$0.keysPath] }) ?? [] {
                guard let bytes = try? SmallFile.read(path, limit: SourceText.maximumSize).bytes else { continue }
                let name = path.dropFirst((own?.folder.count ?? 0) + 1)
                try WrittenFile.write(bytes, to: "\(folder)/\(OwnLayer.folderName)/\(name)", mode: 0o600)
            }
            // ``ConfigurationSource/file(_:)`` needs a file that exists.
            if originals[Self.board] == nil { try WrittenFile.write([], to: "\(folder)/\(Self.board)") }
        } catch {
            Self.remove(folder)
            throw error
        }
        self.originals = originals
    }

    /// Replaces each changed file; favourites.toml last, since a running board follows it.
    ///
    /// - Returns: the paths of the changed files.
    /// - Throws: ``FileError``; ESTALE, with nothing written, if another program changed a file since the copy.
    public func publish() throws(FileError) -> [String] {
        let presets = (try? SmallFile.names(in: "\(folder)/\(Self.presets)")) ?? []
        let names =
            [Self.keys] + presets.sorted().filter { $0.hasSuffix(".toml") }.map { "\(Self.presets)/\($0)" }
            + [Self.board, Self.favourites]
        var changed: [(name: String, bytes: [UInt8])] = []
        for name in names {
            guard let bytes = try WrittenFile.read("\(folder)/\(name)")?.bytes, bytes != originals[name] ?? [] else {
                continue
            }
            let path = Self.path(of: name, in: source)
            guard try WrittenFile.read(path)?.bytes == originals[name] else {
                throw FileError(.system(ESTALE), "\(path) was changed in the meantime")
            }
            changed.append((name, bytes))
        }
        for (name, bytes) in changed {
            try WrittenFile.write(bytes, to: Self.path(of: name, in: source), mode: Self.mode(of: name))
        }
        return changed.map { Self.path(of: $0.name, in: source) }
    }

    /// The copy of the board's own layer.
    public var own: OwnLayer { OwnLayer(folder: "\(folder)/\(OwnLayer.folderName)") }

    /// The files of the copy, by their paths, for ``restore(_:)``.
    public var contents: [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for path in Self.paths(in: folder) {
            contents[path] = try? SmallFile.read(path, limit: SourceText.maximumSize).bytes
        }
        return contents
    }

    /// Gives the copy the files that it had.
    public func restore(_ contents: [String: [UInt8]]) throws(FileError) {
        for path in Self.paths(in: folder) where contents[path] == nil { unsafe unlink(path) }
        for (path, bytes) in contents { try WrittenFile.write(bytes, to: path, mode: 0o600) }
    }

    private static func paths(in folder: String) -> [String] {
        [folder, "\(folder)/\(presets)", "\(folder)/\(OwnLayer.folderName)"].flatMap { part in
            ((try? SmallFile.names(in: part)) ?? []).map { "\(part)/\($0)" }
        }
    }

    /// Removes the copy.
    public func remove() { Self.remove(folder) }

    private static func remove(_ folder: String) {
        for path in paths(in: folder) { unsafe unlink(path) }
        for part in ["\(folder)/\(presets)", "\(folder)/\(OwnLayer.folderName)", folder] { unsafe rmdir(part) }
    }

    private static func path(of name: String, in source: ConfigurationSource) -> String {
        if case .file(let path) = source, name == board { return path }
        return source.path(of: name)
    }

    private static func mode(of name: String) -> mode_t { name == keys ? 0o600 : 0o644 }
}
