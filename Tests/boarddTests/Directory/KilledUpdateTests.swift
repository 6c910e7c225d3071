import BoardCore
import BoardStore
import Glibc
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("An update that is killed", .serialized, .endsHangs)
struct KilledUpdateTests {
    private static let pages = 12
    private static let perPage = 60

    /// A list of many pages.
    private static let list: TfLServer.StopList = TfLServer.StopList(
        pages: (0..<pages).map { page in
            (0..<perPage).map { number in
                TfLServer.StopList.pole(
                    "4901\(1_000 + page * perPage + number)", "New Road \(page)", "A", towards: "Old Bridge",
                    lines: ["new"], at: (51.5, -0.1), sms: "\(50_000 + page * perPage + number)")
            }
        })

    /// The pages that were requested from TfL, after the first `count` requests.
    private func pages(_ tfl: TfLServer, after count: Int) -> [Int] {
        tfl.server.requests.dropFirst(count).compactMap { head in
            head.split(separator: "page=").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
        }
    }

    @Test("kill -9 at ten random instants: the directory is intact each time, and no complete page is fetched again")
    func killed() async throws {
        let tfl = try TfLServer(Self.list)
        let files = try TemporaryFolder(tfl.files())
        let state = try TemporaryFolder()
        let old = Set((1...500).map { "490\($0)" })
        let new = Set((0..<(Self.pages * Self.perPage)).map { "4901\(1_000 + $0)" })
        try SampleDirectory.write(SampleDirectory.poles(1...500, lines: ["old"]), in: state.path)
        let environment = ["STATE_DIRECTORY": state.path, "RUNTIME_DIRECTORY": state.path]
        let arguments = ["stops", "update", "--config", "\(files.path)/boardd.toml"]
        let directory = StopDirectory(folder: state.path)

        var completed = try #require(directory.editions().found.first).completed
        var before: [Int] = []
        var isNew = false
        for _ in 1...10 {
            let sentBefore = tfl.server.requests.count
            let program = try Program(arguments, environment: environment)
            // After so many requests, or its own end; before an eleventh it pauses.
            let life = Int.random(in: 0...DirectoryUpdate.burst)
            #expect(await eventually { tfl.server.requests.count >= sentBefore + life || program.poll() != nil })
            program.signal(SIGKILL)
            _ = await program.end()
            // Its last request may be read later than its end.
            #expect(await eventually { tfl.server.record.openConnections == 0 })

            #expect(try directory.repair(SampleDirectory.feed) == .valid)
            let codes = try SampleDirectory.codes(in: state.path)
            #expect(codes == (isNew ? new : old) || codes == new, "killed after \(life) requests")
            isNew = codes == new
            let now = try #require(directory.editions().found.first).completed
            let pages = pages(tfl, after: sentBefore)
            #expect(pages == Array((pages.first ?? 1)..<((pages.first ?? 1) + pages.count)), "\(pages)")
            // The last page may have been in flight at the end; every one before it is complete.
            if let last = before.last, let first = pages.first, now == completed { #expect(first >= last) }
            if !pages.isEmpty || now != completed { before = now == completed ? pages : [] }
            completed = now
        }

        let program = try Program(arguments, environment: environment)
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.output.hasPrefix("tfl: \(new.count) stops and 1 lines, in "))
        #expect(try directory.repair(SampleDirectory.feed) == .valid)
        #expect(try SampleDirectory.codes(in: state.path) == new)
    }
}
