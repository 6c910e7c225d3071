internal import Glibc

/// The properties of the terminal that started the program.
public enum Terminal {
    /// Whether a descriptor is a terminal that supports cursor movement.
    public static func isTerminal(_ descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    }

    /// Whether colours are allowed: not with a non-empty NO_COLOR (no-color.org).
    public static func usesColour(environment: [String: String]) -> Bool {
        environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// The size in characters; nil where the terminal does not report it.
    public static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
