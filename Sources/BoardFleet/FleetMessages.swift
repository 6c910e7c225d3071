import BoardCore
import BoardIO
public import BoardService
import BoardStore
import Synchronization

// Messages from and to the broker.
extension FleetService {
    /// When this many messages wait for the worker, further ones are dropped.
    private static let maximumPending = 100
    /// How many unused messages are kept for `boardd fleet`.
    private static let maximumUnused = 10

    func will(_ session: String) -> BrokerMessage {
        state.withLock { $0.session.member?.status(.offline, session: session) }
            ?? BrokerMessage(topic: "", payload: [])
    }

    /// - Parameter generation: the client's; events of an older client are ignored.
    func handle(_ event: BrokerClient.Event, session: String, of generation: Int) {
        var sentence: (text: String, isWarning: Bool)?
        let (effects, client) = state.withLock { state -> ([FleetMember.Effect], BrokerClient?) in
            guard state.generation == generation else { return ([], nil) }
            let moment = moment(state)
            switch event {
            case .connected:
                state.session.rejected = []
                working.yield(.connected)
                return (state.session.member?.connected(session: session, at: moment) ?? [], state.session.client)
            case .received(let message):
                return (state.session.member?.received(message, at: moment) ?? [], state.session.client)
            case .rejected(let topic):
                sentence = works(&state)
                state.session.member?.acknowledged(topic, isPermitted: false)
                if let continuation = state.session.acknowledging.removeValue(forKey: topic) {
                    continuation.yield(false)
                } else {
                    let rejection = FleetRejection(topic, isHub: state.session.options.patience.isHub)
                    if state.session.rejected.insert(rejection).inserted {
                        sentence = ("fleet: \(rejection)", rejection.isFault)
                    }
                }
            case .acknowledged(let topic):
                sentence = works(&state)
                state.session.member?.acknowledged(topic, isPermitted: true)
                state.session.acknowledging.removeValue(forKey: topic)?.yield(true)
                state.session.rejected.remove(FleetRejection(topic, isHub: state.session.options.patience.isHub))
                if let list = state.session.options.list, topic == FleetTopic.list(list).text {
                    working.yield(.listSubscribed)
                }
            case .failed(let failure, let wait):
                if state.session.failure != failure {
                    let advice =
                        failure.kind == .certificate && moment.clock.source != .kernel ? "; waiting for the time" : ""
                    sentence = ("fleet: \(failure)\(advice). Next try in \(wait.writtenRoughly)", true)
                }
                state.session.failure = failure
                working.yield(.disconnected(isNameInUse: failure.kind == .nameInUse))
                return (state.session.member?.disconnected(at: moment.now) ?? [], state.session.client)
            }
            return ([], nil)
        }
        if let sentence { hooks.log(sentence.text, sentence.isWarning) }
        perform(effects, client)
    }

    /// The broker has responded in this session. A broker that ends every session at once is one failure, logged once.
    private func works(_ state: inout State) -> (text: String, isWarning: Bool)? {
        guard state.session.failure != nil else { return nil }
        state.session.failure = nil
        return ("fleet: connected to the broker again", false)
    }

    func moment(_ state: State) -> FleetMember.Moment {
        let now = clock.now()
        return FleetMember.Moment(now: now, clock: state.time ?? CorrectedClock(clock.reading(), at: now))
    }

    func perform(_ effects: [FleetMember.Effect], _ client: BrokerClient?) {
        for effect in effects {
            switch effect {
            case .publish(let message): client?.publish(message)
            case .publishResponse(let response): client?.publish(response.message)
            case .subscribe(let filter, let quality): client?.subscribe(filter, quality)
            case .unsubscribe(let filter): client?.unsubscribe(filter)
            case .board(let event): hooks.report(event)
            case .changed(let key): state.withLock { Self.wake(key, &$0) }
            case .arrived(let key): arrived(key)
            case .command(let command): queue(.command(command))
            case .list(let message): queue(.list(message))
            case .homeAssistantStarted: queue(.homeAssistantStarted)
            case .queriesChanged: requestMerge()
            case .report(let sentence): logForeign(sentence)
            case .unused(let sentence): unused(sentence)
            case .yieldName: client?.yieldName()
            }
        }
    }

    private func queue(_ item: Work) {
        let isFull = state.withLock { state in
            guard state.pendingMessages < Self.maximumPending else { return true }
            state.pendingMessages += 1
            return false
        }
        if !isFull { working.yield(item) }
    }

    /// Logs a sentence caused by another client's message. They are few a day: the log has ten lines for all faults.
    func logForeign(_ sentence: String) {
        let now = clock.now()
        guard let isLast = state.withLock({ $0.foreignLines.takeLast(at: now) }) else { return }
        hooks.log(sentence + (isLast ? ". No more of these are logged today; see boardd fleet" : ""), true)
    }

    private func unused(_ sentence: String) {
        state.withLock { state in
            if !state.session.unused.contains(sentence) {
                state.session.unused = state.session.unused.suffix(Self.maximumUnused - 1) + [sentence]
            }
        }
        logForeign("fleet: a message is not used: \(sentence)")
    }

    /// Requests a merge of all boards' queries, once for many changes.
    private func requestMerge() {
        let isFirst = state.withLock { state in
            defer { state.isMergePending = true }
            return !state.isMergePending
        }
        if isFirst { working.yield(.queriesChanged) }
    }
}

// Work that takes time: the shared list, commands, Home Assistant.
extension FleetService {
    enum Work: Sendable {
        case configured(Configuration)
        case connected
        case disconnected(isNameInUse: Bool)
        case command(FleetCommand)
        case list(BrokerMessage)
        case homeAssistantStarted
        /// The broker has acknowledged the subscription to the shared list, or a message to it.
        case listSubscribed
        /// A request about the list is waiting.
        case listRequest
        case boardChanged
        case queriesChanged
        case woke
    }

    /// Works until cancelled; call it once.
    public func run(_ board: any RunningBoard) async {
        var worker = FleetWorker(fleet: self, board: board)
        await withDiscardingTaskGroup { group in
            var alarm: Instant?
            for await item in work {
                await worker.handle(item)
                let now = clock.now()
                guard let due = worker.nextDue, alarm.isNilOr({ due < $0 || $0 <= now }) else { continue }
                alarm = due
                group.addTask {
                    await self.clock.sleep(until: max(due, now + .milliseconds(10)))
                    self.working.yield(.woke)
                }
            }
            group.cancelAll()
        }
        state.withLock { $0.isEnded = true }
        for request in takeListRequests() { request.end() }
    }

    /// A request about the shared list, and the task that waits for its result.
    enum ListRequest: Sendable {
        /// The result is why the board did not join; nil: it did.
        case join(FleetJoin, CheckedContinuation<String?, Never>)
        case revert(StopID, CheckedContinuation<Result<SharedListReversal, ServiceError>, Never>)

        private static let ended = "boardd is shutting down"

        /// Ends the request, because the program is ending.
        func end() {
            switch self {
            case .join(_, let continuation): continuation.resume(returning: Self.ended)
            case .revert(_, let continuation):
                continuation.resume(returning: .failure(ServiceError(.unavailable, Self.ended)))
            }
        }
    }

    func send(_ request: ListRequest) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.listRequests.append(request) }
            return state.isEnded
        }
        if isEnded { request.end() } else { working.yield(.listRequest) }
    }

    func takeListRequests() -> [ListRequest] {
        state.withLock { state in
            defer { state.listRequests = [] }
            return state.listRequests
        }
    }
}
