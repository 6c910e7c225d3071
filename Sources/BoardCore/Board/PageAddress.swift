/// Where a browser in the network finds the page that the daemon serves.
public struct PageAddress: Hashable, Sendable {
    /// "192.168.178.201", with ":8480" where the port is not 80; nil: the machine has no address in a network.
    public let address: String?
    /// The machine's name in the network ("boardpi.local").
    public let name: String?

    public init(address: String?, name: String?) {
        self.address = address
        self.name = name
    }
}

extension Board {
    /// How long the address is in view after a start that restored no snapshot.
    static let introduction = Duration.seconds(20)

    /// - Parameter page: nil: the page is off.
    mutating func take(_ page: PageAddress?, at now: Instant) {
        self.page = page
        if page == nil {
            view.addressUntil = nil
            if view.page == .address { view.turn(to: home, at: now) }
        }
        // After a power cut the router needs longer than the board.
        guard introducesAddress, page?.address != nil else { return }
        introducesAddress = false
        // The overview of a board without favourites contains the address.
        if !favourites.isEmpty { view.addressUntil = now + Self.introduction }
    }

    func isAddressInView(at now: Instant) -> Bool {
        view.page == .address || isIntroducing(at: now)
    }

    func isIntroducing(at now: Instant) -> Bool { view.addressUntil.map { now < $0 } ?? false }
}
