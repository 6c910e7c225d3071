internal import BoardIO
internal import Glibc

/// The texts of a configuration: the only part of the loader that reads files.
struct ConfigurationFiles {
    /// boardd.toml; nil: missing, or unreadable and reported.
    let board: SourceText?
    /// The files of feeds.d, by name: the shipped settings of feeds that need only a key.
    let presets: [SourceText]
    /// favourites.toml.
    let favourites: SourceText?
    /// keys.env.
    let keys: SourceText?
    let warnings: [ConfigurationFault]

    private static let keysName = "keys.env"

    private let order: [String]

    /// Reads the files; an unreadable file is a fault.
    init(_ source: ConfigurationSource, environment: [String: String], into collector: FaultCollector) {
        let (boardPath, mustExist) =
            switch source {
            case .directory: (source.path(of: "boardd.toml"), false)
            case .file(let path): (path, true)
            }
        var warnings: [ConfigurationFault] = []
        let favouritesPath = source.favouritesPath

        // The daemon's user may write in /etc/boardd, but must not choose its own settings there.
        let mustBeRoots = if case .directory(let path) = source { Self.isRoots(path) } else { false }
        board = Self.contents(boardPath, mustBeRoots: mustBeRoots, into: collector) { failure in
            guard failure.number == ENOENT, !mustExist else { return true }
            warnings.append(ConfigurationFault(.unreadable, file: boardPath, message: "not found; using defaults"))
            return false
        }
        let presetPaths = Self.presets(in: source.path(of: "feeds.d"), into: collector)
        presets = presetPaths.compactMap {
            Self.contents($0, mustBeRoots: mustBeRoots, into: collector) { _ in true }
        }
        favourites = Self.contents(favouritesPath, into: collector) { $0.number != ENOENT }
        let keys = Self.keys(
            at: source.path(of: Self.keysName), environment: environment, warnings: &warnings, into: collector)
        self.keys = keys
        self.warnings = warnings
        order = presetPaths + [boardPath, favouritesPath] + (keys.map { [$0.file] } ?? [])
    }

    func inOrder(_ faults: [ConfigurationFault]) -> [ConfigurationFault] {
        func rank(_ fault: ConfigurationFault) -> (Int, SourcePosition) {
            (order.firstIndex(of: fault.file) ?? order.count, fault.position ?? SourcePosition(line: 0, column: 0))
        }
        return faults.sorted { rank($0) < rank($1) }
    }

    /// The paths of the configuration files in feeds.d, sorted. Editors and package managers add files whose names begin with
    /// a dot or have another suffix: `.x.toml.swp`, `.#x.toml`, `x.toml~`, `x.toml.dpkg-new`.
    private static func presets(in folder: String, into collector: FaultCollector) -> [String] {
        do throws(FileAccessFailure) {
            let names = try SmallFile.names(in: folder).filter { $0.hasSuffix(".toml") && !".#".contains($0.prefix(1)) }
            return names.sorted().map { "\(folder)/\($0)" }
        } catch {
            if error.number != ENOENT {
                collector.add(ConfigurationFault(.unreadable, file: folder, message: "cannot be read: \(error)"))
            }
            return []
        }
    }

    /// The text of a file; nil when there is none. `isFault` decides whether a read error is a fault.
    ///
    /// - Parameter mustBeRoots: whether one of another owner is not used.
    private static func contents(
        _ path: String, mustBeRoots: Bool = false, into collector: FaultCollector,
        isFault: (FileAccessFailure) -> Bool
    ) -> SourceText? {
        let contents: SmallFile.Contents
        do {
            contents = try SmallFile.read(path, limit: SourceText.maximumSize)
        } catch {
            if isFault(error) {
                collector.add(ConfigurationFault(.unreadable, file: path, message: "cannot be read: \(error)"))
            }
            return nil
        }
        guard !mustBeRoots || isRoots(path, AT_SYMLINK_NOFOLLOW) else {
            let message =
                "belongs to another user than root and is not used: check its content, then: sudo chown -h root \(path)"
            collector.add(ConfigurationFault(.unreadable, file: path, message: message))
            return nil
        }
        do {
            return try SourceText(file: path, bytes: contents.bytes)
        } catch {
            collector.add(error)
            return nil
        }
    }

    /// - Parameter flags: of fstatat(2).
    private static func isRoots(_ path: String, _ flags: Int32 = 0) -> Bool {
        var status = stat()
        return unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 && status.st_uid == 0
    }

    /// keys.env from systemd's credentials, or the one beside boardd.toml.
    private static func keys(
        at path: String, environment: [String: String], warnings: inout [ConfigurationFault],
        into collector: FaultCollector
    ) -> SourceText? {
        // Also of a file that systemd reads: its credential, which has an ACL instead, shows nothing about it.
        if let warning = rightsWarning(of: path) { warnings.append(warning) }
        if let credentials = environment["CREDENTIALS_DIRECTORY"], !credentials.isEmpty {
            let path = ConfigurationSource.directory(credentials).path(of: keysName)
            if let keys = contents(path, into: collector, isFault: { $0.number != ENOENT }) { return keys }
        }
        var unreadable: ConfigurationFault?
        let keys = contents(path, into: collector) { failure in
            switch failure.number {
            case ENOENT: return false
            case EACCES, EPERM:
                // Only root may read the file, on purpose; other users' commands run without keys.
                let message = "permission denied (\(failure)); no keys were loaded from it"
                unreadable = ConfigurationFault(.unreadable, file: path, message: message)
                return false
            default: return true
            }
        }
        if let unreadable { warnings.append(unreadable) }
        return keys
    }

    /// Warns of a file with keys that other users than its owner can read. Needs no right to read it.
    private static func rightsWarning(of path: String) -> ConfigurationFault? {
        var status = stat()
        let others: UInt32 = 0o077
        guard unsafe stat(path, &status) == 0, status.st_mode & others != 0 else { return nil }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        return ConfigurationFault(
            file: path, message: "contains keys and other users can read it (mode \(mode)): chmod 600 \(path)")
    }
}
