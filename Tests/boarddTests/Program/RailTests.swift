import Glibc
import Testing
import Waiting

@testable import boardd

@Suite("boardd at a station, as a process, against a server that responds like National Rail", .serialized, .endsHangs)
struct RailTests {
    private static let services = RailService.allCases

    /// Nothing of the machine itself: no stop directory, no running board.
    private func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path]
    }

    @Test("departures prints the trains of either service", arguments: services)
    func departures(_ service: RailService) async throws {
        let rail = try NationalRailServer(service)
        let folder = try TemporaryFolder(rail.files())
        let config = "\(folder.path)/boardd.toml"
        let result = try await run("departures", "rail:AMB", "--config", config, environment: environment(folder))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("Ambridge") == true, "\(result.output)")
        #expect(lines.last == "Powered by National Rail Enquiries")
        for (destination, time) in [("Ashcombe", "min"), ("Seaholme", "delayed"), ("Weir", "cancelled")] {
            #expect(lines.contains { $0.contains(" \(destination)") && $0.hasSuffix(" \(time)") }, "\(result.output)")
        }
        #expect(lines.contains("! Lifts are out of order."), "\(result.output)")
        let json = try await run(
            "departures", "rail:AMB", "--json", "--config", config, environment: environment(folder))
        #expect(json.status == 0)
        for word in [
            "\"Lifts are out of order.\"", "\"Vale Railways\"", "\"cancelled\"", "\"delayed\"", "\"coaches\" : 8",
            "\"1001AMBRDGE_\"",
        ] {
            #expect(json.output.contains(word), "\(word): \(json.output)")
        }
        for text in [result.output, json.output, json.errors] { #expect(!text.contains(service.key.value)) }
        #expect(rail.server.requests.count == 2)
    }

    @Test(
        "check reports a key in the other service's field before any request, and again when it is rejected",
        arguments: services)
    func swapped(_ service: RailService) async throws {
        let rail = try NationalRailServer(service)
        let other = try #require(Self.services.first { $0 != service })
        let folder = try TemporaryFolder(rail.files(keys: "# keys\n\(service.key.name)=\(other.key.value)\n"))
        let config = "\(folder.path)/boardd.toml"
        let message = "\(service.key.name) looks like a "
        let advice = "put it into \(other.key.name)"
        let check = try await run("check", "--config", config, environment: environment(folder))
        #expect(check.status == 0)
        #expect(check.errors.hasPrefix("remark: \(folder.path)/keys.env:2:1: \(message)"), "\(check.errors)")
        #expect(check.errors.hasSuffix("\(advice)\n"))
        #expect(rail.server.requests.isEmpty)
        let online = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(online.status == 1)
        #expect(online.output.contains(message) && online.output.contains(advice), "\(online.output)")
        #expect(rail.server.requests.count == 1)
        for text in [check.output, check.errors, online.output, online.errors] {
            #expect(!text.contains(other.key.value))
        }
        try folder.write(rail.files()["keys.env"] ?? "", to: "keys.env")
        let good = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(good.status == 0, "\(good.output)")
        #expect(good.errors.isEmpty)
        // OpenLDBWS uses the same token for both.
        #expect(good.output.contains("RDM_DETAILS_KEY: good\n") == (service == .marketplace), "\(good.output)")
    }

    @Test("check --online tries the key for calling points, which the daemon uses only for detail pages")
    func detailsKey() async throws {
        let rail = try NationalRailServer(.marketplace)
        let right = RailService.marketplace.key
        let keys = "\(right.name)=\(right.value)\n"
        let folder = try TemporaryFolder(rail.files(keys: keys + "RDM_DETAILS_KEY=hunter2hunter2\n"))
        let config = "\(folder.path)/boardd.toml"
        let rejected = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(rejected.status == 1, "\(rejected.output)")
        #expect(
            rejected.output.contains(
                "\nrail:AMB: good, Ambridge, departures received\nRDM_DETAILS_KEY: http://127.0.0.1"),
            "\(rejected.output)")
        #expect(rejected.output.contains("check RDM_DETAILS_KEY in keys.env"), "\(rejected.output)")
        #expect(!rejected.output.contains("hunter2") && !rejected.errors.contains("hunter2"))
        try folder.write(keys, to: "keys.env")
        let without = try await run("check", "--online", "--config", config, environment: environment(folder))
        #expect(without.status == 0, "\(without.output)")
        #expect(!without.output.contains("RDM_DETAILS_KEY"))
    }

    @Test("the daemon shows the trains, and the position and calling points of the opened one", arguments: services)
    func daemon(_ service: RailService) async throws {
        let rail = try NationalRailServer(service)
        let folder = try TemporaryFolder(rail.files())
        let environment = environment(folder)
        let daemon = try Program(
            ["run", "--simulate", "--config", "\(folder.path)/boardd.toml"], environment: environment)
        #expect(
            await eventually {
                daemon.poll() != nil || daemon.output.contains("⚠ Lifts")
            },
            "\(daemon.errors)")
        #expect(daemon.output.contains(" Ashcombe "), "\(daemon.output)")
        #expect(daemon.output.contains(" Seaho") && daemon.output.contains(" Weir "))
        // The alerts come first, then the trains.
        #expect(try await run("press", "hold", environment: environment).status == 0)
        #expect(await eventually { daemon.output.contains("Lifts are out of") }, "\(daemon.output)")
        #expect(try await run("press", environment: environment).status == 0)
        // The train's page without calling points, then with them.
        let isRequested = await eventually { rail.server.requests.contains { $0.contains("1001AMBRDGE_") } }
        #expect(isRequested, "\(daemon.output)")
        // A minute without a press closes the details: the waits in between stay short, also where each turn takes longer.
        let hasCallingPoints = await eventually {
            _ = try? await run("press", environment: environment)
            return await eventually(within: .milliseconds(500)) { daemon.output.contains("Pond End") }
        }
        #expect(hasCallingPoints, "\(daemon.output)")
        #expect(daemon.output.contains("Left Northgate"), "\(daemon.output)")
        #expect(daemon.output.contains("Plat 3, 8 coaches"))
        #expect(await daemon.terminate() == 0, "\(daemon.errors)")
        for text in [daemon.output, daemon.errors] { #expect(!text.contains(service.key.value)) }
    }
}
