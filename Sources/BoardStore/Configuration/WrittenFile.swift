internal import BoardIO
public import Glibc

/// Replaces configuration files whole: a reader, or an interrupt, finds the old file or the new one.
public enum WrittenFile {
    /// The maximum wait for other writers of the folder.
    private static let timeout = Duration.seconds(5)

    /// Writes a file durably; makes its folder where there is none.
    ///
    /// - Parameter mode: the mode of a new file; that of an old one stays.
    public static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(FileFailure) {
        let folder = FilePath(following: path).steps.last?.folder ?? "."
        guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw FileFailure(errno: errno, file: folder) }
        try LockedFile(path, timeout: timeout).replace(with: bytes, mode: mode)
    }

    /// Removes a file.
    public static func remove(_ path: String) throws(FileFailure) {
        guard unsafe unlink(path) == 0 else { throw FileFailure(errno: errno, file: path) }
    }
}
