internal import BoardIO
internal import Glibc

/// A file by its folder and name, with symbolic links followed, whether or not there is a file at their end.
public struct FilePath: Hashable, Sendable {
    /// A name in a folder.
    public struct Step: Hashable, Sendable {
        /// The folder's path.
        public let folder: String
        /// A name in it.
        public let name: String

        /// Takes a path apart.
        init(_ path: String) {
            let end = path.lastIndex(of: "/")
            let folder = end.map { path[..<$0] } ?? "."
            self.folder = folder.isEmpty ? "/" : String(folder)
            name = String(path[(end.map(path.index(after:)) ?? path.startIndex)...])
        }

        /// The path.
        public var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
    }

    /// The path itself, then what each link names; the last is no link, unless there are more than the kernel follows.
    public let steps: [Step]

    /// Follows the links at a path.
    public init(following path: String) {
        var steps = [Step(path)]
        while steps.count <= GuardedPath.maximumLinks, let last = steps.last, let target = Self.target(of: last.path) {
            steps.append(Step(target.hasPrefix("/") ? target : "\(last.folder)/\(target)"))
        }
        self.steps = steps
    }

    /// What a link names; nil where there is none.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}

extension FilePath {
    /// The file at the end of the links, if they may be followed to write it (``GuardedPath``): in /etc/boardd the daemon
    /// may make files, and must not choose which file root writes.
    var writable: Step {
        get throws(FileFailure) {
            for step in steps.dropLast() {
                var link = stat()
                var folder = stat()
                guard unsafe lstat(step.path, &link) == 0, unsafe stat(step.folder, &folder) == 0 else {
                    throw FileFailure(errno: errno, file: step.path)
                }
                guard GuardedPath.mayFollow(linkOf: link.st_uid, inFolderOf: folder.st_uid) else {
                    throw FileFailure(.foreignLink, file: step.path)
                }
            }
            guard let last = steps.last, steps.count <= GuardedPath.maximumLinks else {
                throw FileFailure(.system(ELOOP), file: steps.first?.path ?? "")
            }
            return last
        }
    }
}
