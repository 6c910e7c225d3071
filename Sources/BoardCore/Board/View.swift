enum Page: Hashable, Sendable, Codable {
    case overview
    case favourite(StopID)
    /// The address of the page that the daemon serves, while it is on.
    case address
}

/// The page in view, and the temporary effects of the last presses.
struct View: Hashable, Sendable {
    var page: Page
    var screen = 0
    /// When the page or screen last changed, by a press or automatically.
    var since: Instant
    /// Nil before the first press.
    var lastPress: Instant?
    var splashUntil: Instant?
    /// Until when the address is in view after the start.
    var addressUntil: Instant?
    /// The end of the announcement of position and order.
    var announcedUntil: Instant?
    var hintUntil: Instant?
    /// Until when a press lights a dark board.
    var wokenUntil: Instant?
    /// The end of the message that the departure of the detail page has left.
    var departedUntil: Instant?

    init(page: Page, at now: Instant) {
        self.page = page
        since = now
    }

    mutating func turn(to page: Page, screen: Int = 0, at now: Instant) {
        self.page = page
        self.screen = screen
        since = now
    }
}

extension Board {
    /// All pages, in the order in which a button steps through them.
    var pages: [Page] {
        [.overview] + favourites.map { .favourite($0.favourite.stop) } + (page == nil ? [] : [.address])
    }

    var home: Page {
        switch setup.options.home {
        case .overview: .overview
        case .first: favourites.first.map { .favourite($0.favourite.stop) } ?? .overview
        }
    }

    /// Nil on the overview and the address.
    var favouriteInView: FavouriteState? {
        guard case .favourite(let stop) = view.page else { return nil }
        return favourites.first { $0.favourite.stop == stop }
    }

    var stopsInView: [StopID] {
        switch view.page {
        case .overview: favourites.map(\.favourite.stop)
        case .favourite(let stop): [stop]
        case .address: []
        }
    }

    /// Changes the favourite in view; does nothing on other pages.
    mutating func changeFavouriteInView(_ change: (inout FavouriteState) -> Void) {
        guard case .favourite(let stop) = view.page,
            let index = favourites.firstIndex(where: { $0.favourite.stop == stop })
        else { return }
        change(&favourites[index])
    }
}

/// Where a browser on the network finds the page that the daemon serves.
public struct PageAddress: Hashable, Sendable {
    /// "192.168.178.201", with ":8480" if the port is not 80; nil: the machine has no address on a network.
    public let address: String?
    /// The machine's name on the network ("boardpi.local").
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
        // After a power cut the router takes longer to start than the board.
        guard introducesAddress, page?.address != nil else { return }
        introducesAddress = false
        // The overview of a board without favourites contains the address.
        if !favourites.isEmpty { view.addressUntil = now + Self.introduction }
    }

    func isAddressInView(at now: Instant) -> Bool {
        view.page == .address || isIntroducing(at: now)
    }

    func isIntroducing(at now: Instant) -> Bool { view.addressUntil.isSomeAnd { now < $0 } }
}
