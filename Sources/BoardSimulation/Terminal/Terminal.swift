internal import Glibc

/// What a program may do with the terminal that it was started from.
public enum Terminal {
    /// Whether a descriptor is a terminal that understands cursor movement.
    public static func isTerminal(_ descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    }

    /// Whether a person wants colours: not with NO_COLOR set to anything (no-color.org).
    public static func wantsColour(environment: [String: String]) -> Bool {
        environment["NO_COLOR"].map(\.isEmpty) ?? true
    }
}
