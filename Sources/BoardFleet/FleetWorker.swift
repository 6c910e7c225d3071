import BoardCore
import BoardIO
import BoardService
import BoardStore
import Synchronization

/// The fleet's work that takes time, and its state; used by one task.
struct FleetWorker {
    /// The minimum time between two states for Home Assistant, and between two merges of queries: the responses of a
    /// round, and boards' queries after a connection, come within moments.
    private static let pause = Duration.seconds(1)

    /// How long boards may take to come back to a broker that has restarted: the first try comes within 10 s.
    private static let confirmation = Duration.seconds(20)

    let fleet: FleetService
    let board: any RunningBoard
    private var configuration: Configuration?
    private var isConnected = false
    var lists: SharedListState?
    /// What ``FleetService/favouriteChanges`` were made from.
    var listed: (list: SharedList, favourites: [Favourite])?
    private var homeAssistant = HomeAssistantSchedule()
    /// The file as last read or written.
    private var file = FleetFile()
    private var isFileRead = false
    /// When to make the next state, because the board has changed; nil: it has not.
    private var stateDue: Instant?
    private var stateMadeAt: Instant?
    /// No state is made before this instant, because the board did not respond.
    private var stateBlockedUntil: Instant?
    /// Where a browser finds the page, as last requested.
    private var pageURL: String?
    private var isPageDue = false
    /// When to forget boards that have not come back since the connection.
    private var confirmationDue: Instant?
    /// When to merge the queries of other boards.
    private var mergeDue: Instant?
    private var shownFault: FleetFault?
    private var isNameInUse = false

    init(fleet: FleetService, board: any RunningBoard) {
        self.fleet = fleet
        self.board = board
    }

    /// When to call ``handle(_:)`` again.
    var nextDue: Instant? {
        let publishing = isConnected && configuration?.fleet.broker != nil ? [publicationDue] : []
        return ([lists?.nextDeadline, mergeDue, confirmationDue] + publishing).compactMap(\.self).min()
    }

    mutating func handle(_ work: FleetService.Work) async {
        let (time, member) = fleet.state.withLock { (fleet.moment($0), $0.session.member?.name) }
        switch work {
        case .configured(let configuration): await configure(configuration, of: member)
        case .connected:
            isConnected = true
            isNameInUse = false
            homeAssistant.connected()
            stateDue = time.now
            isPageDue = true
            confirmationDue = time.now + Self.confirmation
        case .disconnected(let isNameInUse):
            isConnected = false
            self.isNameInUse = isNameInUse
            lists?.disconnected()
        case .command(let command):
            finishMessage()
            do throws(ServiceError) {
                try await command.perform(on: board)
            } catch {
                fleet.logForeign("fleet: a command was not performed: \(error.message)")
            }
        case .list(let message):
            finishMessage()
            lists?.received(message.payload, isRetained: message.isRetained, at: time.list)
        case .listSubscribed: lists?.connected(at: time.list)
        case .homeAssistantStarted:
            finishMessage()
            homeAssistant.started(at: time.now)
        case .listRequest: handleListRequests(at: time.list)
        case .boardChanged:
            fleet.state.withLock { $0.isChangePending = false }
            // At once if the pause is over: an alarm would wake the machine once more for every response.
            stateDue = stateDue ?? max(time.now, (stateMadeAt ?? time.now - Self.pause) + Self.pause)
        case .queriesChanged: mergeDue = mergeDue ?? time.now + Self.pause
        case .woke: break
        }
        mergeQueries()
        await workOnList()
        await publishState()
        showFault()
    }

    private func finishMessage() { fleet.state.withLock { $0.pendingMessages -= 1 } }

    private mutating func mergeQueries() {
        if let due = confirmationDue, due <= fleet.clock.now() {
            confirmationDue = nil
            let (effects, client) = fleet.state.withLock {
                ($0.session.member?.forgetUnconfirmed() ?? [], $0.session.client)
            }
            fleet.perform(effects, client)
            mergeDue = due
        }
        guard let due = mergeDue, due <= fleet.clock.now() else { return }
        mergeDue = nil
        let (effects, client) = fleet.state.withLock { state in
            state.isMergePending = false
            return (state.session.member?.mergeQueries() ?? [], state.session.client)
        }
        fleet.perform(effects, client)
    }

    // MARK: - The shared list

    private mutating func handleListRequests(at time: ListTime) {
        for request in fleet.takeListRequests() {
            switch request {
            case .join(let choice, let continuation):
                do {
                    try lists?.join(choice, at: time)
                    summariseList()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            case .revert(let stop, let continuation):
                continuation.resume(returning: reversal(of: stop, at: time))
            }
        }
    }

    private mutating func configure(_ new: Configuration, of member: FleetName?) async {
        configuration = new
        isPageDue = true
        // If `[fleet]` is new, the service has forgotten the changes.
        listed = nil
        if !isFileRead {
            isFileRead = true
            file = await FleetFile(at: fleet.machine.file, log: fleet.hooks.log)
            homeAssistant = HomeAssistantSchedule(replacing: file.discovery)
        }
        let name = new.fleet.broker == nil ? nil : new.fleet.list
        if lists?.name != name || lists?.board != member {
            lists = nil
            if let name, let member {
                let editor = fleet.editor
                lists = SharedListState(name: name, board: member, stored: file.list) { editor.problem(with: $0) }
            }
        }
        await loadFavourites()
    }

    /// Reads favourites.toml now: the configuration may have been read before the list's last write, and what that
    /// added would count as removed. A faulty file changes nothing.
    private mutating func loadFavourites() async {
        guard lists != nil else { return }
        let editor = fleet.editor
        let result = try? await DedicatedThread.run("fleet list") {
            Result { () throws(FavouritesError) in try editor.entries() }
        }
        let time = fleet.listTime
        if case .success(let entries)? = result { lists?.loaded(entries, at: time) }
    }

    private mutating func workOnList() async {
        while true {
            let time = fleet.listTime
            guard let actions = lists?.actions(at: time), !actions.isEmpty else { break }
            for action in actions { await perform(action) }
        }
        summariseList()
        await reportChanges(at: fleet.listTime)
    }

    private func summariseList() {
        let summary = lists.map { lists in
            FleetReport.List(
                name: lists.name, isJoined: lists.membership == .member, favourites: lists.list.favourites.count,
                fault: lists.faults.first)
        }
        fleet.state.withLock { $0.session.list = summary }
    }

    private mutating func perform(_ action: SharedListState.Action) async {
        switch action {
        case .publish(let payload):
            guard let name = lists?.name else { return }
            fleet.state.withLock { $0.session.client }?.publish(
                BrokerMessage(topic: FleetTopic.list(name).text, payload: payload, isRetained: true))
        case .write(let favourites, let expected):
            let editor = fleet.editor
            let result = try? await DedicatedThread.run("fleet list") {
                Result { () throws(FavouritesError) in try editor.setShared(favourites, expecting: expected) }
            }
            let time = fleet.listTime
            switch result {
            case .success(let entries)?:
                lists?.loaded(entries, at: time)
                fleet.hooks.reload()
            case .failure(.outdated)?: await loadFavourites()
            // Without a reload, after which the list would be written again at once.
            case .failure(let failure)?: lists?.writeFailed(failure.description, at: time)
            case nil: lists?.writeFailed("no thread could be started", at: time)
            }
        case .store(let stored): await store { $0.list = stored }
        case .report(let sentence): fleet.logForeign("fleet: \(sentence)")
        }
    }

    private mutating func store(_ change: (inout FleetFile) -> Void) async {
        var new = file
        change(&new)
        guard new != file else { return }
        file = new
        await new.write(to: fleet.machine.file, log: fleet.hooks.log)
    }

    // MARK: - Home Assistant

    /// When to make a state.
    private var publicationDue: Instant? {
        [stateDue, homeAssistant.nextDue].compactMap(\.self).min().map { due in
            stateBlockedUntil.map { max($0, due) } ?? due
        }
    }

    private mutating func publishState() async {
        let now = fleet.clock.now()
        guard isConnected, let due = publicationDue, due <= now else { return }
        stateBlockedUntil = now + Self.confirmation
        guard let live = try? await board.live() else { return }
        if isPageDue { pageURL = (try? await board.state())?.pageAddresses?.first }
        stateDue = nil
        stateMadeAt = now
        stateBlockedUntil = nil
        isPageDue = false
        let (client, member) = fleet.state.withLock { ($0.session.client, $0.session.member) }
        guard let member, let configuration else { return }
        let favourites = live.favourites.map(\.favourite)
        let announcement =
            configuration.fleet.homeAssistant
            ? fleet.machine.device.map { device in
                DiscoveryMessage(
                    board: member.name, device: device, version: fleet.machine.version,
                    language: configuration.board.language, favourites: favourites, pages: live.pages,
                    buttons: configuration.buttons.count, pageURL: pageURL,
                    hub: member.hubs.first.flatMap { member.peers[$0]?.status.device })
            } : nil
        let messages = homeAssistant.messages(
            announcement, StateMessage(live, favourites: favourites), of: member.name, at: now)
        for message in messages { client?.publish(message) }
        let published = homeAssistant.published
        await store { $0.discovery = published }
    }

    // MARK: - The display

    private mutating func showFault() {
        let fault: FleetFault? = isNameInUse ? .nameInUse : lists?.hasFaultForDisplay == true ? .list : nil
        guard fault != shownFault else { return }
        shownFault = fault
        fleet.hooks.report(.fleetFault(fault))
    }
}

extension FleetService {
    fileprivate var listTime: ListTime { state.withLock { moment($0) }.list }
}

extension FleetMember.Moment {
    fileprivate var list: ListTime { ListTime(instant: now, timestamp: time, isCertain: !clock.isUncertain) }
}
