import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("An operator's unreadable response, in commands", .serialized, .endsHangs)
struct UnreadableLineTests {
    private func run(_ body: String, status: Int = 200, _ arguments: [String]) async throws -> (Int32?, String) {
        let server = try LoopbackServer { _ in [.reply(status, text: body)] }
        defer { server.stop() }
        let folder = try TemporaryFolder([
            "boardd.toml": "[feed.tfl]\nurl = \"\(server.url())\"\n", "favourites.toml": "",
        ])
        let program = try Program(
            arguments + ["--config", "\(folder.path)/boardd.toml"], environment: folder.environment)
        return (await program.end(), program.errors)
    }

    @Test(
        "it exits stops line, favourites add and departures with 76 (EX_PROTOCOL)",
        arguments: [
            ["stops", "line", "tfl:73"], ["favourites", "add", "tfl:490008660N"], ["departures", "tfl:490008660N"],
        ])
    func unreadable(_ arguments: [String]) async throws {
        let (status, errors) = try await run("<html>Sign in</html>", arguments)
        #expect(status == ExitStatus.protocolError, "\(errors)")
        #expect(errors.contains("found HTML"), "\(errors)")
    }

    @Test("a server error exits them with 75 (EX_TEMPFAIL)", arguments: [["stops", "line", "tfl:73"]])
    func outOfOrder(_ arguments: [String]) async throws {
        let (status, errors) = try await run("", status: 503, arguments)
        #expect(status == ExitStatus.temporaryFailure, "\(errors)")
    }
}
