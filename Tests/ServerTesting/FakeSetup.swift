import BoardCore
package import BoardService
package import BoardStore
import Synchronization

/// A set-up with fixed responses, whose window the test opens.
package final class FakeSetup: RunningSetup {
    private let isOpen = Mutex(false)
    private let buttonFault = Mutex<ServiceError?>(nil)

    package init() {}

    package var isOpenForSetup: Bool {
        get { isOpen.withLock { $0 } }
        set { isOpen.withLock { $0 = newValue } }
    }

    package func openSetup() async throws(ServiceError) { isOpenForSetup = true }
    package func closeSetup() async throws(ServiceError) { isOpenForSetup = false }

    package func setup() async throws(ServiceError) -> SetupState {
        SetupState(
            steps: [
                .init(id: .name, isDone: true), .init(id: .display, isDone: true, lockedBy: "/etc/boardd/boardd.toml"),
            ],
            tables: [
                .init(
                    name: "quiet",
                    values: [["from": .text("23:00"), "to": .text("6:30"), "days": .list([.text("mon")])]]),
                .init(name: "light", lockedBy: "/etc/boardd/boardd.toml", values: [["wake": .text("30s")]]),
            ], keys: [.init(name: "RAIL_TOKEN", feed: "rail", title: "National Rail", isSet: false)])
    }

    package func places(_ text: String) async throws(ServiceError) -> [PlaceProposal] {
        if text.hasPrefix("91") { throw ServiceError(.malformed, "there is no latitude 91") }
        return try PlaceProposal.of(text, in: nil, [:])
    }

    package func setTable(_ name: String, to tables: [[String: SettingValue]]) async throws(ServiceError) -> SetupState
    {
        if name == "fleet" { throw ServiceError(.notFound, "[fleet] cannot be set by phone") }
        if name == "light" { throw ServiceError(.conflict, "[light] is set in /etc/boardd/boardd.toml") }
        if tables.contains(where: { $0["code"] == .text("tlh") }) {
            throw ServiceError(
                .invalid, "code is \"tlh\"", value: InvalidValue("code", .choice, allowed: ["en", "de"]))
        }
        return try await setup()
    }

    package func pressedButton() async throws(ServiceError) -> PressedButton {
        if let fault = buttonFault.withLock({ $0 }) { throw fault }
        return PressedButton(line: 17)
    }

    package func setButtonFault(_ fault: ServiceError) { buttonFault.withLock { $0 = fault } }

    package func backup() async throws(ServiceError) -> Backup {
        Backup(settings: "[light]\nwake = \"30s\"\n", favourites: "[[stop]]\nid = \"tfl:490\"\n")
    }

    package func restore(_ backup: Backup) async throws(ServiceError) -> SetupState {
        if backup.favourites.isEmpty { throw ServiceError(.invalid, "favourites.toml: no stop") }
        return try await setup()
    }

    package func setKey(_ name: String, to value: String?) async throws(ServiceError) -> SetupState {
        if name == "TFL_APP_KEY" { throw ServiceError(.conflict, "\(name) is set in /etc/boardd/keys.env") }
        if value.isSomeAnd({ $0.contains(" ") }) { throw ServiceError(.invalid, "value: a key has no blanks") }
        if name != "RAIL_TOKEN" { throw ServiceError(.notFound, "no feed has a key named \(name)") }
        return try await setup()
    }
}
