import Testing
import Waiting

@testable import boardd

@Suite("boardd logs, as a process", .endsHangs)
struct LogsCommandTests {
    @Test("it becomes journalctl, which follows the service")
    func journal() async throws {
        let folder = try TemporaryFolder(["journalctl": "#!/bin/sh\necho \"$$ $*\"\n"])
        #expect(try await Program(shell: "chmod 755 \"$1\"", ["\(folder.path)/journalctl"]).end() == 0)
        let program = try Program(["logs", "--lines", "5"], environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.output == "\(program.pid) -u boardd -n 5 -f\n")
    }

    @Test("without journalctl it says so")
    func none() async throws {
        let folder = try TemporaryFolder([:])
        let result = try await run("logs", environment: ["PATH": folder.path])
        #expect(result.status == ExitStatus.temporaryFailure, "\(result.errors)")
        #expect(result.errors.contains("this machine has no journalctl"))
    }
}
