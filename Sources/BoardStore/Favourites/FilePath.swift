internal import BoardIO
internal import Glibc

/// The folder and name of a file after following symbolic links, whether or not the file exists.
public struct FilePath: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        public let folder: String
        public let name: String

        init(_ path: String) {
            let end = path.lastIndex(of: "/")
            let folder = end.map { path[..<$0] } ?? "."
            self.folder = folder.isEmpty ? "/" : String(folder)
            name = String(path[(end.map(path.index(after:)) ?? path.startIndex)...])
        }

        public var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
    }

    /// The path itself, then the target of each link; the last is not a link, unless there are more than the kernel follows.
    public let steps: [Step]

    public init(following path: String) {
        var steps = [Step(path)]
        while steps.count <= GuardedPath.maximumLinks, let last = steps.last, let target = Self.target(of: last.path) {
            steps.append(Step(target.hasPrefix("/") ? target : "\(last.folder)/\(target)"))
        }
        self.steps = steps
    }

    /// The target of a link; nil where there is none.
    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The file at the end of the links, if they may be followed for writing (``GuardedPath``): the daemon may create files
    /// in /etc/boardd, but must not choose which file root writes.
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
