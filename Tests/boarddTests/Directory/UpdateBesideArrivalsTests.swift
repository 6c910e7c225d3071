import BoardControl
import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("An update in the daemon, beside the board", .serialized, .endsHangs)
struct UpdateBesideArrivalsTests {
    private func arrivals(_ tfl: TfLServer) -> Int {
        tfl.server.requests.filter { $0.contains("/Arrivals") }.count
    }

    @Test("a slow page delays no departures; a damaged directory is moved aside, logged and downloaded again")
    func beside() async throws {
        // The first page pauses in the middle until the test continues it. Blanks arrive meanwhile: a transfer that stalls is
        // repeated after a minute, which this test may take on a busy machine.
        let tfl = try TfLServer { page in
            guard page == 1 else { return nil }
            let stops = TfLServer.StopList.usual.pages[0].joined(separator: ",")
            return [
                .send(LoopbackServer.Step.head(200, ["Connection: close"])), .send("{\"stopPoints\":["),
                .trickle([UInt8](repeating: UInt8(ascii: " "), count: 1_000)),
                .send("\(stops)],\"total\":4,\"page\":1}"), .close,
            ]
        }
        let files = try TemporaryFolder(tfl.files(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n"))
        let (state, runtime) = (try TemporaryFolder(), try TemporaryFolder())
        let live = "\(state.path)/stops-tfl.sqlite"
        try Data(repeating: 0x5A, count: 9_000).write(to: URL(filePath: live))
        let program = try Program(
            ["run", "--simulate", "--config", "\(files.path)/boardd.toml"],
            environment: ["STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": runtime.path])
        let client = RemoteBoardService(path: "\(runtime.path)/control.sock", timeout: Patience.endless)
        #expect(
            await eventually {
                let state = try? await client.state()
                return state?.stops.first?.status == .live
            })
        #expect(await eventually { program.errors.contains("is damaged") })
        #expect(program.errors.contains("The damaged file is now \(live).corrupt."))

        let begun = try await client.updateDirectory(nil)
        #expect(begun.filter { $0.feed == "tfl" }.map(\.update.state) == [.running])
        #expect(await eventually { tfl.requestCount(page: 1) == 1 })
        for _ in 1...3 {
            let before = arrivals(tfl)
            try await client.refresh()
            #expect(await eventually { arrivals(tfl) > before })
        }
        let during = try await client.state()
        #expect(during.directory.first?.update.state == .running)
        #expect(during.stops.first?.status == .live)
        #expect(during.stops.first?.departures.count == 2)
        #expect(tfl.requestCount(page: 1) == 1)
        #expect(tfl.requestCount(page: 2) == 0)

        tfl.server.resume()
        #expect(
            await eventually {
                let lists = try? await client.directory()
                return lists?.first?.stops == 4 && lists?.first?.update.state == .idle
            })
        let found = try await client.stops(matching: "high street a", limit: 20, isOnline: true)
        #expect(found.first?.stop == "tfl:490000001A")
        #expect(found.first?.isFavourite == true)
        #expect(await program.terminate() == 0)
    }
}
