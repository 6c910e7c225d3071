import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore
import CStart
import Logging
import ServiceLifecycle

// The page for phones.
extension Daemon {
    /// The page's sockets. Under systemd, a wrong one must not keep the board dark: it is logged, and the page is off.
    func pageSockets(_ manager: SystemdNotifier, logger: Logger) throws -> [ListeningSocket] {
        do {
            return try openPageSockets()
        } catch {
            guard manager.isActive, page == nil else { throw error }
            logger.error("page: \(error); the page is off")
            return []
        }
    }

    static func pageEndpoints(
        _ sockets: [ListeningSocket], board: LiveBoardService, pairing: PairingService, setup: SetupService,
        share: String
    ) -> [HTTPEndpoint] {
        sockets.map { socket in
            let page = Page(
                board: board, pairing: pairing, setup: setup, folder: share + "/page", hostName: MachineAddress.name,
                port: socket.address.port, version: Version.number
            ) {
                let configuration = board.reloading.current.configuration
                return Page.Settings(configuration.page, language: configuration.board.language)
            }
            return page.endpoint(descriptor: socket.descriptor, name: "page \(socket.address)") { address in
                AcceptedPeers.contain(
                    address, extra: board.reloading.current.configuration.page.networks,
                    interfaces: { Array(InterfaceNetworks.now) })
            }
        }
    }

    /// Where a browser finds the page; nil: the page is off. Blocks while it queries the system.
    static func pageAddress(_ sockets: [ListeningSocket]) -> PageAddress? {
        guard let socket = sockets.first else { return nil }
        // A socket at one address; otherwise at all of them.
        if let address = IPAddress(socket.address.host), address.bytes.contains(where: { $0 != 0 }) {
            let origin = WebOrigin(isSecure: false, host: .address(address), port: socket.address.port)
            return PageAddress(address: text(origin), name: nil)
        }
        let origins = MachineAddress.origins(port: socket.address.port)
        let address = origins.first { if case .address = $0.host { true } else { false } }
        let name = origins.first { if case .name = $0.host { true } else { false } }
        return PageAddress(address: address.map(text), name: name.map(text))
    }

    /// The address of the page at a socket, for a browser.
    static func pageURL(_ socket: ListeningSocket) -> String {
        let address = pageAddress([socket])
        return "http://\(address?.address ?? address?.name ?? "\(socket.address)")"
    }

    /// An origin as a person enters it: "192.168.1.5", "192.168.1.5:8480".
    private static func text(_ origin: WebOrigin) -> String { String(origin.description.dropFirst("http://".count)) }

    /// Reports the machine's name and address while there are no favourites, and the page's address while it is on: a
    /// router may assign another one. It ends only with the shutdown: a service that ends during one makes it fail.
    static func addressService(
        _ sockets: [ListeningSocket], reloading: ReloadService, clock: any MachineClock,
        report: @escaping @Sendable (Board.Event) -> Void
    ) -> ClosureService {
        ClosureService {
            await cancelWhenGracefulShutdown {
                var reported: PageAddress?
                while !Task.isCancelled {
                    let isEmpty = reloading.current.configuration.entries.isEmpty
                    if isEmpty || !sockets.isEmpty,
                        let (machine, page) = try? await DedicatedThread.run(
                            "address", { (MachineAddress.text, pageAddress(sockets)) })
                    {
                        // Only a board without favourites shows it.
                        if isEmpty { report(.machine(machine)) }
                        if let page, page != reported {
                            report(.page(page))
                            reported = page
                        }
                    }
                    await clock.sleep(for: isEmpty ? soonInterval : addressInterval)
                }
            }
        }
    }

    /// How often the address is read: a router may assign it minutes after the start.
    private static let soonInterval = Duration.seconds(10)
    private static let addressInterval = Duration.seconds(60)
}

extension InheritedSockets {
    /// The sockets of this process; CStart has taken their variables out of the environment.
    static var passed: InheritedSockets {
        func value(_ name: String) -> String? { unsafe boardd_passed(name).map { unsafe String(cString: $0) } }
        return InheritedSockets(pid: value("LISTEN_PID"), count: value("LISTEN_FDS"), names: value("LISTEN_FDNAMES"))
    }
}
