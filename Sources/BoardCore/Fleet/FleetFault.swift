/// What is wrong with the fleet, for the display.
public enum FleetFault: Hashable, Sendable {
    /// Another board has the name of this one.
    case nameInUse
    /// The shared list of favourites is not taken over.
    case list
}
