internal import BoardCore
internal import BoardIO
public import BoardService
internal import BoardStore
internal import Synchronization

// What takes time: the shared list, commands, Home Assistant.
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
        /// A request about the list waits.
        case listRequest
        case boardChanged
        case queriesChanged
        case woke
    }

    /// Works until it is cancelled; once.
    public func run(_ board: any RunningBoard) async {
        var worker = FleetWorker(fleet: self, board: board)
        await withDiscardingTaskGroup { group in
            var alarm: Instant?
            for await item in work {
                await worker.handle(item)
                let now = clock.now()
                guard let due = worker.nextDue, alarm.map({ due < $0 || $0 <= now }) ?? true else { continue }
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
        case join(FleetJoin, CheckedContinuation<SharedListJoinFailure?, Never>)
        case revert(StopID, CheckedContinuation<Result<SharedListReversal, ServiceError>, Never>)

        /// The program ends.
        func end() {
            switch self {
            case .join(_, let continuation): continuation.resume(returning: .ended)
            case .revert(_, let continuation):
                continuation.resume(returning: .failure(ServiceError(.unavailable, "\(SharedListJoinFailure.ended)")))
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
