import BoardControl
import FoundationEssentials
import Glibc
import TestOperators
import Testing

@testable import boardd

/// The files under systemd/, checked with systemd's own tools. They are applied to a folder, or only read.
@Suite("Access rights of an installed boardd")
struct InstalledRightsTests {
    /// The status of a command line; nil where the system does not have the tool.
    private func run(_ tool: String, _ arguments: String) -> Int32? {
        let paths = ["/usr/bin/\(tool)", "/bin/\(tool)"]
        guard let path = paths.first(where: { unsafe access($0, X_OK) == 0 }) else {
            print("skipped: \(tool) is not installed")
            return nil
        }
        return unsafe system("\(path) \(arguments)")
    }

    @Test("the daemon owns favourites.toml in a sticky folder of root's, and nothing else; keys.env is always there")
    func rights() throws {
        guard geteuid() == 0 else { return print("skipped: only root can give files to others") }
        let root = try TemporaryFolder()
        for folder in ["etc/boardd", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d"] {
            try FileManager.default.createDirectory(atPath: "\(root.path)/\(folder)", withIntermediateDirectories: true)
        }
        try root.write("root:x:0:0::/root:/bin/sh\n", to: "etc/passwd")
        try root.write("root:x:0:\n", to: "etc/group")
        for kind in ["sysusers", "tmpfiles"] {
            let text = KernelFile.read("\(Checkout.path)/systemd/boardd.\(kind).conf")
            try root.write(text, to: "usr/lib/\(kind).d/boardd.conf")
        }
        let feeds = "etc/boardd/feeds.d"
        try FileManager.default.createDirectory(atPath: "\(root.path)/\(feeds)", withIntermediateDirectories: true)
        for name in ["boardd.toml", "favourites.toml", "feeds.d/town.toml"] {
            try root.write("", to: "etc/boardd/\(name)")
            #expect(unsafe chmod("\(root.path)/etc/boardd/\(name)", 0o666) == 0)
        }
        #expect(unsafe chmod("\(root.path)/\(feeds)", 0o777) == 0)
        // Of a daemon that made the folder again after it was removed.
        #expect(unsafe chown("\(root.path)/\(feeds)/town.toml", 12_345, 12_345) == 0)
        guard let users = run("systemd-sysusers", "--root=\(root.path) >/dev/null 2>&1"),
            let files = run("systemd-tmpfiles", "--root=\(root.path) --create >/dev/null 2>&1")
        else { return }
        #expect(users == 0 && files == 0)

        func number(_ name: String, in file: String) throws -> UInt32 {
            let line = try #require(root.read("etc/\(file)").split(separator: "\n").first { $0.hasPrefix("\(name):") })
            return try #require(UInt32(line.split(separator: ":")[2]))
        }
        let (user, group) = (try number("boardd", in: "passwd"), try number("boardd", in: "group"))
        func rights(_ name: String) throws -> [UInt32] {
            var status = stat()
            try #require(unsafe lstat("\(root.path)/etc/\(name)", &status) == 0)
            return [status.st_mode & 0o7777, status.st_uid, status.st_gid]
        }
        #expect(try rights("boardd") == [0o1775, 0, group])
        #expect(try rights("boardd/favourites.toml") == [0o644, user, group])
        #expect(try rights("boardd/boardd.toml") == [0o644, 0, 0])
        #expect(try rights("boardd/feeds.d") == [0o755, 0, 0])
        #expect(try rights("boardd/feeds.d/town.toml") == [0o644, 12_345, 12_345], "and not root's")
        #expect(try rights("boardd/keys.env") == [0o600, 0, 0])
        #expect(root.read("etc/boardd/keys.env").hasPrefix("# "))
        #expect(
            root.read("etc/group").contains("boardd-control:x:\(try number("boardd-control", in: "group")):boardd\n"))
        #expect(ControlServer.defaultGroup == "boardd-control", "to which the daemon gives its socket")
    }

    @Test("the unit runs the daemon with the group of the control socket, because its user namespace has no other")
    func group() {
        let unit = KernelFile.read("\(Checkout.path)/systemd/boardd.service").split(separator: "\n")
        #expect(unit.contains("PrivateUsers=yes"))
        #expect(unit.contains("Group=\(ControlServer.defaultGroup)"))
    }

    @Test("the unit limits memory, writes no core, and restarts for ever")
    func limits() throws {
        let unit = KernelFile.read("\(Checkout.path)/systemd/boardd.service").split(separator: "\n").map(String.init)
        func values(_ key: String) -> [String] {
            unit.filter { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        // Above the peak that MemoryLimitTests allows, below half of the smallest machine.
        #expect(values("MemoryMax") == ["200M"])
        #expect(values("LimitCORE") == ["0"])
        #expect(values("Restart") == ["always"] && values("StartLimitIntervalSec") == ["0"])
        #expect(values("RestartSec") == ["100ms"], "after a good run")
        // Debian 12's systemd does not have these, and logs that at every start of the machine.
        #expect(values("RestartSteps") == [] && values("RestartMaxDelaySec") == [])
    }

    @Test("after a run of less than ten seconds the next start waits, unless the daemon was stopped")
    func restartAfterShortRun() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/boardd", withIntermediateDirectories: true)
        let unit = KernelFile.read("\(Checkout.path)/systemd/boardd.service").split(separator: "\n")
        let key = "ExecStopPost="
        let line = try #require(unit.first { $0.hasPrefix(key) }).dropFirst(key.count)
        let command = line.replacing("%t", with: folder.path).replacing("$$", with: "$")
            .replacing("sleep 9", with: "echo waits")
        /// What the command writes after a run that ended with a result, with its wait replaced by a text.
        func output(_ result: String) -> String {
            let setting = "SERVICE_RESULT=\(result); export SERVICE_RESULT"
            _ = unsafe system("\(setting); \(command) >\(folder.path)/output")
            return folder.read("output")
        }
        #expect(output("exit-code") == "waits\n", "it ended before it had a socket")
        try folder.write("", to: "boardd/control.sock")
        #expect(output("signal") == "waits\n")
        #expect(output("success") == "")
        _ = unsafe system("touch -d '-11 seconds' \(folder.path)/boardd/control.sock")
        #expect(output("signal") == "", "it ran for 11 s")
        _ = unsafe system("touch -d '+1 hour' \(folder.path)/boardd/control.sock")
        #expect(output("signal") == "", "the clock was set back during the run")
    }

    @Test("systemd finds nothing wrong with the unit")
    func unit() throws {
        let folder = try TemporaryFolder()
        let unit = KernelFile.read("\(Checkout.path)/systemd/boardd.service")
        try folder.write(unit.replacing("/usr/bin/boardd run", with: "/bin/true"), to: "boardd.service")
        let output = "\(folder.path)/output"
        guard let code = run("systemd-analyze", "verify \(folder.path)/boardd.service >\(output) 2>&1") else { return }
        #expect(code == 0)
        #expect(folder.read("output").split(separator: "\n").filter { $0.contains("boardd.service") } == [])
    }
}
