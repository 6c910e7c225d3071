import BoardCore
import BoardService

// The bodies of requests that are no type of BoardService. All throw for unknown keys and values that are not allowed.

/// The body of `POST /v1/press`.
struct PressRequest: Codable {
    /// The configuration of the button assigns its action.
    let gesture: Gesture
    /// The button, from 1; by default the first.
    let number: Int

    init(_ gesture: Gesture, button: ButtonID) {
        self.gesture = gesture
        number = button.number
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["gesture", "number"])
        gesture = try container.choice("gesture")
        number = try container.integer("number", atLeast: 1) ?? ButtonID.first.number
    }
}

/// The body of `POST /v1/show`.
struct ShowRequest: Codable {
    /// "overview", a stop identifier, or the title of a page; case is ignored.
    let page: String

    init(_ page: String) { self.page = page }

    init(from decoder: any Decoder) throws {
        page = try decoder.strictContainer(["page"]).decode(String.self, forKey: "page")
    }
}

/// The body of `POST /v1/light`.
struct LightRequest: Codable {
    let light: LightMode

    init(_ light: LightMode) { self.light = light }

    init(from decoder: any Decoder) throws {
        light = try decoder.strictContainer(["light"]).choice("light")
    }
}

/// The body of `POST /v1/fleet/list`.
struct FleetJoinRequest: Codable {
    let favourites: FleetJoin

    init(_ choice: FleetJoin) { favourites = choice }

    init(from decoder: any Decoder) throws {
        favourites = try decoder.strictContainer(["favourites"]).choice("favourites")
    }
}

/// The response to `GET /v1/stops`: a list, or with `box` the stops of the box and their number.
enum StopsFound: Codable {
    case list([StopEntry])
    case box(StopsInBox)

    init(from decoder: any Decoder) throws {
        if let list = try? [StopEntry](from: decoder) {
            self = .list(list)
        } else {
            self = .box(try StopsInBox(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let list): try list.encode(to: encoder)
        case .box(let box): try box.encode(to: encoder)
        }
    }
}
