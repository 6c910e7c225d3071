import Glibc
import Testing
import Waiting

@testable import BoardIO

@Suite("Files that are replaced and locked", .endsHangs)
struct AtomicFileTests {
    private func status(_ path: String) -> stat {
        var status = stat()
        _ = unsafe lstat(path, &status)
        return status
    }

    @Test("a file is replaced with this mode, whatever the umask, over the leftover of a killed process")
    func replaced() throws {
        let folder = try Folder()
        let path = "\(folder.path)/file"
        try folder.write("old", to: "file")
        try folder.write("half of it", to: "file.new")
        let old = umask(0o077)
        defer { umask(old) }
        try AtomicFile.write(Array("new".utf8).span, to: path, through: "\(path).new", mode: 0o644)
        #expect(try folder.text("file") == "new")
        #expect(status(path).st_mode & 0o777 == 0o644)
        #expect(try SmallFile.names(in: folder.path) == ["file"])
    }

    @Test("a link in the place of the new file is not followed")
    func link() throws {
        let folder = try Folder()
        try folder.write("precious", to: "target")
        try folder.link("file.new", to: "target")
        try AtomicFile.write([65].span, to: "\(folder.path)/file", through: "\(folder.path)/file.new", mode: 0o600)
        #expect(try folder.text("target") == "precious")
        #expect(try folder.text("file") == "A")
    }

    @Test("a failure leaves the old file and no new one")
    func failing() throws {
        let folder = try Folder()
        try folder.makeFolder("file")
        let path = "\(folder.path)/file"
        #expect(throws: FileError(errno: EISDIR)) {
            try AtomicFile.write([65].span, to: path, through: "\(path).new", mode: 0o600)
        }
        #expect(try SmallFile.names(in: folder.path) == ["file"])
        #expect(throws: FileError(errno: ENOENT)) {
            try AtomicFile.write([65].span, to: "\(path)/a/b", through: "\(path)/a/b.new", mode: 0o600)
        }
    }

    @Test("a lock has one holder at a time, and ends with it")
    func locked() throws {
        let folder = try Folder()
        let path = "\(folder.path)/file"
        do {
            let first = try FileLock.file(path, mode: 0o644)
            #expect(first.isNamed(path))
            #expect(throws: FileError(errno: EWOULDBLOCK)) { try FileLock.file(path, mode: 0o644) }
            let descriptor = unsafe open(path, O_RDONLY)
            let file = try #require(identity(descriptor))
            #expect(throws: FileError(errno: EWOULDBLOCK)) {
                try FileLock(descriptor, timeout: .milliseconds(30))
            }
            // Another test may have opened a file of this number since.
            #expect(identity(descriptor) != file, "the lock closes the file on failure")
            unsafe unlink(path)
            #expect(!first.isNamed(path))
            // A file of this name again, with a lock of its own.
            #expect(try FileLock.file(path, mode: 0o644).isNamed(path))
        }
        #expect(try FileLock.file(path, mode: 0o644).isNamed(path))
    }

    @Test("a lock ends with its holder while a program that is being started still has its descriptor")
    func inherited() throws {
        let folder = try Folder()
        let path = "\(folder.path)/file"
        // What a child process has between fork and exec.
        var lock: FileLock? = try FileLock.file(path, mode: 0o644)
        let copy = try dup(#require(lock).descriptor)
        defer { close(copy) }
        lock = nil
        #expect(try FileLock.file(path, mode: 0o644).isNamed(path))
    }

    /// The number of an open file in its file system; nil: it is closed.
    private func identity(_ descriptor: Int32) -> ino_t? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_ino : nil
    }

    @Test("a link is not locked")
    func lockedLink() throws {
        let folder = try Folder()
        try folder.write("", to: "target")
        try folder.link("link", to: "target")
        #expect(throws: FileError(errno: ELOOP)) { try FileLock.file("\(folder.path)/link", mode: 0o644) }
    }

    @Test("a replaced file and a changed one have other identities, and a read one has not")
    func identity() throws {
        let folder = try Folder()
        let path = "\(folder.path)/file"
        #expect(FileIdentity(path) == nil)
        try folder.write("one", to: "file")
        let first = FileIdentity(path)
        _ = try folder.text("file")
        #expect(FileIdentity(path) == first)
        try AtomicFile.write(Array("two".utf8).span, to: path, through: "\(path).new", mode: 0o644)
        #expect(FileIdentity(path) != first)
        let second = FileIdentity(path)
        try folder.write("three", to: "file")
        #expect(FileIdentity(path) != second)
    }
}
