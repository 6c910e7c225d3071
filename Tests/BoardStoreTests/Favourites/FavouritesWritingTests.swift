import BoardCore
import BoardIO
import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable internal import BoardStore

@Suite("Writing favourites.toml", .endsHangs)
struct FavouritesWritingTests {
    private let first = "[[stop]]\nid = \"demo:1\"\n"
    private let second = "\n[[stop]]\nid = \"demo:2\"\n"

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        return status
    }

    @Test("a missing file is created, readable by all users whatever the umask; a missing folder is not created")
    func new() throws {
        let directory = try ConfigurationDirectory()
        try directory.editor.add(Favourite(stop: demo("1")))
        #expect(directory.favourites == first)
        #expect(try status(directory.editor.path).st_mode & 0o7777 == 0o644)
        let path = directory.path + "/none/favourites.toml"
        let lost = FavouritesEditor(path: path, declarations: declarations)
        #expect(throws: FavouritesError.file(FileError(replacing: path, errno: ENOENT))) {
            try lost.add(Favourite(stop: demo("1")))
        }
        let empty = try ConfigurationDirectory()
        #expect(throws: FavouritesError.notFound(demo("1"), nearest: nil)) { try empty.editor.remove(demo("1")) }
    }

    @Test("mode and owner of the old file are unchanged, and no other file remains in the folder")
    func owner() throws {
        let directory = try ConfigurationDirectory()
        try directory.write(Array(first.utf8), to: "favourites.toml", mode: 0o664)
        if geteuid() == 0 { try #require(unsafe chown(directory.editor.path, 65_534, 12_345) == 0) }
        let old = try status(directory.editor.path)
        try directory.editor.add(Favourite(stop: demo("2")))
        let new = try status(directory.editor.path)
        #expect(directory.favourites == first + second)
        #expect(new.st_ino != old.st_ino)
        #expect((new.st_mode, new.st_uid, new.st_gid) == (old.st_mode, old.st_uid, old.st_gid))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["favourites.toml"])
    }

    @Test("the next writer removes the temporary file of a killed one, and no other files")
    func leftovers() throws {
        let directory = try ConfigurationDirectory([
            "favourites.toml": first, ".favourites.toml.new-17": "[[st", ".favourites.toml.swp": "editor's",
            "favourites.toml.new-17": "mine",
        ])
        try directory.editor.add(Favourite(stop: demo("2")))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [
                ".favourites.toml.swp", "favourites.toml", "favourites.toml.new-17",
            ])
    }

    @Test("a link stays a link, and its target is replaced or created")
    func link() throws {
        let directory = try ConfigurationDirectory(["real.toml": first])
        try FileManager.default.createDirectory(atPath: directory.path + "/sub", withIntermediateDirectories: true)
        let (one, two) = (directory.editor.path, directory.path + "/sub/two")
        try FileManager.default.createSymbolicLink(atPath: one, withDestinationPath: "sub/two")
        try FileManager.default.createSymbolicLink(atPath: two, withDestinationPath: "../real.toml")
        try directory.editor.add(Favourite(stop: demo("2")))
        #expect(directory.favourites == first + second)
        #expect(try status(one).st_mode & S_IFMT == S_IFLNK)
        #expect(try status(directory.path + "/real.toml").st_mode & S_IFMT == S_IFREG)
        try FileManager.default.removeItem(atPath: directory.path + "/real.toml")
        try directory.editor.add(Favourite(stop: demo("1")))
        #expect(directory.favourites == first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/sub") == ["two"])
    }

    @Test("a circular link, and a target that is not a regular file, are failures that name the file")
    func noFile() throws {
        let directory = try ConfigurationDirectory()
        let path = directory.editor.path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(throws: FavouritesError.file(FileError(replacing: path, errno: ELOOP))) {
            try directory.editor.add(Favourite(stop: demo("1")))
        }
        try FileManager.default.removeItem(atPath: path)
        try #require(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: FavouritesError.file(FileError(replacing: path, FileError(.notAFile("not a regular file"))))) {
            try directory.editor.add(Favourite(stop: demo("1")))
        }
    }

    @Test("root does not follow a link that another user created in root's folder")
    func foreignLink() throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's link") }
        let directory = try ConfigurationDirectory(["real.toml": first])
        let path = directory.editor.path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real.toml")
        try #require(unsafe lchown(path, 65_534, 65_534) == 0)
        #expect(throws: FavouritesError.file(FileError(replacing: path, FileError(.foreignLink(path))))) {
            try directory.editor.add(Favourite(stop: demo("2")))
        }
        #expect(directory.favourites == first)
    }

    @Test("another process's lock is awaited up to the timeout")
    func busy() throws {
        let directory = try ConfigurationDirectory(["favourites.toml": first])
        let path = directory.editor.path
        let editor = FavouritesEditor(path: path, declarations: declarations, timeout: .milliseconds(30))
        do {
            let holder = try LockedFile(path, timeout: .zero)
            #expect(throws: FavouritesError.file(FileError(replacing: path, errno: EWOULDBLOCK))) {
                try editor.add(Favourite(stop: demo("2")))
            }
            #expect(try holder.read(limit: 1_000) == Array(first.utf8))
        }
        try editor.add(Favourite(stop: demo("2")))
        #expect(directory.favourites == first + second)
    }

    @Test("system errors become messages with what to do")
    func messages() {
        func text(_ number: Int32) -> String { FileError(replacing: "f", errno: number).description }
        #expect(text(EACCES) == "f: permission denied; use sudo, or join the group boardd-control")
        #expect(text(EPERM) == text(EACCES))
        #expect(text(EROFS).contains("make it writable"))
        #expect(text(ENOSPC).contains("the disk is full; the file is unchanged"))
        #expect(text(EDQUOT) == text(ENOSPC))
        #expect(text(ENOENT) == "f: no such folder; create it first")
        #expect(text(EIO) == "f cannot be written: Input/output error; the file is unchanged")
        #expect(FileError(replacing: "f", FileError(.foreignFile)).description.contains("sudo chown boardd f"))
    }
}
