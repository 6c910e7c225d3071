import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Testing
import Waiting

@testable internal import BoardFleet

@Suite("The work of a fleet", .endsHangs)
struct FleetWorkerTests {
    @Test("a change of another board is written, and the file is read again")
    func written() async throws {
        let den = try await Den { $0[0].label = "Work" }
        try await receive(by: den) { $0[0].label = "Office" }
        #expect(try den.editor.entries()?.named.first?.label == "Office")
        #expect(den.reloads.value == 1)
    }

    @Test("a file that cannot be written is not read again: each reload would write it again at once")
    func unwritable() async throws {
        let den = try await Den { $0[0].label = "Work" }
        let text = "stop = [{ id = \"tfl:1\", label = \"Work\" }, { id = \"tfl:2\" }]\n"
        try Data(text.utf8).write(to: URL(filePath: den.folder + "/favourites.toml"))
        try await den.reload()
        try await receive(by: den) { $0[0].label = "Office" }
        #expect(den.reloads.value == 0)
        #expect(den.worker.lists?.faults.count == 1)
    }

    @Test("without the acknowledgement of its subscription, a board does not take a list for missing")
    func noSubscription() async throws {
        let den = try await Den { $0[0].label = "Work" }
        await den.worker.handle(.connected)
        #expect(den.worker.lists?.isConnected == false)
        await den.worker.handle(.listSubscribed)
        #expect(den.worker.lists?.isConnected == true)
    }

    @Test("changes of other boards remain on the page when other keys of [fleet] change")
    func changedOptions() async throws {
        let den = try await Den { $0[0].label = "Work" }
        let changes = try #require(den.fleet.favouriteChanges)
        #expect(!changes.isEmpty)
        var configuration = try den.configuration
        configuration.fleet.homeAssistant.toggle()
        try await den.apply(configuration)
        #expect(den.fleet.favouriteChanges == changes)
    }

    @Test("a gesture before the session is not published in it: an automation would act on it late")
    func earlyGesture() async throws {
        let den = try await Den { $0[0].label = "Work" }
        let broker = try SlowBroker()
        var configuration = try den.configuration
        configuration.fleet.broker = BrokerAddress("mqtt://127.0.0.1:\(broker.port)")
        den.fleet.configure(configuration)
        #expect(await eventually { broker.text.contains("MQTT") })
        den.fleet.recognised(.hold, ButtonID(0))
        try broker.send(SlowBroker.accepted)
        #expect(await eventually { broker.text.contains("online") }, "\(broker.text)")
        den.fleet.recognised(.double, ButtonID(0))
        #expect(await eventually { broker.text.contains("double") }, "\(broker.text)")
        #expect(!broker.text.contains("hold"), "\(broker.text)")
    }

    @Test("of many commands at once the first hundred are performed, and later ones again")
    func manyCommands() async throws {
        let den = try await Den { $0[0].label = "Work" }
        let (fleet, board) = (den.fleet, FakeBoard())
        let press = FleetMember.Effect.command(try FleetCommand(.press, payload: Array("PRESS".utf8)))
        fleet.perform(Array(repeating: press, count: 250), nil)
        let work = Task { await fleet.run(board) }
        defer { work.cancel() }
        func presses() -> Int { board.calls.count { $0.contains("press") } }
        #expect(await eventually { presses() == 100 })
        fleet.perform([press], nil)
        #expect(await eventually { presses() == 101 })
    }

    /// Handles a change by the board "kitchen".
    private func receive(by den: Den, _ change: (inout [Favourite]) -> Void) async throws {
        let payload = try required(den.kitchen.edit(25, change))
        let message = BrokerMessage(topic: "boardd/1/list/home", payload: payload)
        await den.worker.handle(.list(message))
    }
}
